// onenlp convert: one format to another, one storage of a pipeline to another.
#include "cli/commands.h"
#include "cli/files.h"
#include "onenlp_internal.h"

enum { FROM, TO, COMPACT, OUT };

static const on_option options[] = {
    [FROM] = {'f', "from", "FORMAT", "auto (the default: files named *.jsonl are JSON Lines, everything else is "
                                     "CoNLL-U), conllu or jsonl."},
    [TO] = {'t', "to", "FORMAT", "conllu (the default: checked, and written back as it was), text (the text as the "
                                 "file describes it, nothing added, so that the output of 'onenlp annotate' gives its "
                                 "input back) treebank-text (a blank between sentences and an empty line between "
                                 "paragraphs, as for an evaluation from raw text) or jsonl (a sentence a line)."},
    [COMPACT] = {'c', "compact", "TYPE", "The one FILE is a pipeline: write it with its matrices as f16, as i8 (a byte "
                                         "and a scale per row), or as f32 again."},
    [OUT] = {0, "out", "FILE", "Write to this file instead of standard output; it appears when it is complete."},
    {0, NULL, NULL, NULL},
};

static int run(int argc, char **argv);

const on_command on_command_convert = {
    "convert", "convert between formats, checking them; store a pipeline compactly", "[OPTION...] [FILE...]",
    "Reads each FILE (standard input where there is none, or for '-') and writes it in another format to standard "
    "output. An error names the file, the line and what is wrong there.",
    options, run,
};

typedef struct conversion {
  bool compact;  // the file is a pipeline
  onenlp_storage storage;
  onenlp_format from, to;
} conversion;

static bool convert(const char *path, const conversion *task, on_output *output) {
  on_buf bytes = {0};
  onenlp_buffer out = {{0}};
  on_error error;
  onenlp_error public_error;
  bool ok = on_file_read(path, &bytes, &error);
  if (!ok) {
    on_say_error(NULL, ON_STR_NONE, &error);
  } else {
    ok = task->compact ? onenlp_compact(bytes.p, bytes.n, task->storage, &out, &public_error)
                       : onenlp_convert(bytes.p, bytes.n, task->from, task->to, &out, &public_error);
    if (!ok) {
      on_say_public_error(path, &public_error);
    } else if (!(ok = on_output_write(output, on_buf_view(&out.buf), &error))) {
      on_say_error(NULL, ON_STR_NONE, &error);
    }
  }
  on_buf_free(&out.buf);
  on_buf_free(&bytes);
  return ok;
}

static int run(int argc, char **argv) {
  static const char *const type_names[] = {"f32", "f16", "i8", NULL};
  static const onenlp_storage storages[] = {ONENLP_F32, ONENLP_F16, ONENLP_I8};
  static const char *const from_names[] = {"auto", "conllu", "jsonl", NULL};
  static const char *const to_names[] = {"conllu", "text", "treebank-text", "jsonl", NULL};
  static const onenlp_format to_formats[] = {ONENLP_CONLLU, ONENLP_PLAIN_TEXT, ONENLP_TREEBANK_TEXT,
                                             ONENLP_JSONL};
  static char standard_input[] = "-";
  char *only_input[] = {standard_input};
  on_args args = {&on_command_convert, argc, argv};
  const char *value, *out = NULL;
  int option, from = 0, to = 0, type = -1;
  while ((option = on_args_next(&args, &value)) != ON_ARGS_END) {
    switch (option) {
      case FROM:
        if ((from = on_args_choice(&args, "from", value, from_names)) < 0) return ON_EXIT_USAGE;
        break;
      case TO:
        if ((to = on_args_choice(&args, "to", value, to_names)) < 0) return ON_EXIT_USAGE;
        break;
      case COMPACT:
        if ((type = on_args_choice(&args, "compact", value, type_names)) < 0) return ON_EXIT_USAGE;
        break;
      case OUT: out = value; break;
      default: return on_args_exit(option);
    }
  }
  int count;
  char **paths = on_args_operands(&args, &count);
  if (count == 0) {
    paths = only_input;
    count = 1;
  }
  if (type >= 0 && count != 1) return on_args_fail(&args, "--compact wants one pipeline file");
  on_output output;
  on_error error;
  if (!on_output_open(&output, out, &error)) return on_say_error(NULL, ON_STR_NONE, &error);
  conversion task = {.compact = type >= 0, .storage = storages[type < 0 ? 0 : type], .to = to_formats[to]};
  bool ok = true;
  for (int i = 0; i < count && !output.closed; i++) {
    bool jsonl = from == 2 || (from == 0 && on_str_ends(on_str_c(paths[i]), ON_STR(".jsonl")));
    task.from = jsonl ? ONENLP_JSONL : ONENLP_CONLLU;
    ok = convert(paths[i], &task, &output) && ok;
  }
  if (ok && !on_output_commit(&output, &error)) ok = on_say_error(NULL, ON_STR_NONE, &error) == ON_EXIT_OK;
  on_output_discard(&output);
  return ok ? ON_EXIT_OK : ON_EXIT_FAILED;
}
