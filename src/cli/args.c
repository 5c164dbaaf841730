#include "cli/args.h"

#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_OPTIONS = 32, HELP_COLUMN = 28, WIDTH = 92 };

// Prints text from `column` on, wrapped; further lines are indented by `indent`.
static void wrap(FILE *out, const char *text, int column, int indent) {
  while (*text) {
    int word = (int)strcspn(text, " ");
    if (column > indent && column + 1 + word > WIDTH) {
      fprintf(out, "\n%*s", indent, "");
      column = indent;
    } else if (column > indent) {
      fputc(' ', out);
      column++;
    }
    fwrite(text, 1, (size_t)word, out);
    column += word;
    text += word;
    if (*text == ' ') text++;
  }
  fputc('\n', out);
}

static void print_option(FILE *out, const on_option *option) {
  int column = option->letter ? fprintf(out, "  -%c, --%s", option->letter, option->name)
                              : fprintf(out, "      --%s", option->name);
  if (option->value) column += fprintf(out, " %s", option->value);
  if (column + 2 > HELP_COLUMN) {
    fprintf(out, "\n%*s", HELP_COLUMN, "");
  } else {
    fprintf(out, "%*s", HELP_COLUMN - column, "");
  }
  wrap(out, option->help, HELP_COLUMN, HELP_COLUMN);
}

static void print_help(const on_command *command) {
  printf("Usage: onenlp %s %s\n\n", command->name, command->operands);
  wrap(stdout, command->description, 0, 0);
  printf("\nOptions:\n");
  for (const on_option *option = command->options; option->name; option++) print_option(stdout, option);
  print_option(stdout, &(on_option){'h', "help", NULL, "Show this help."});
  printf("\nExit status: 0 when all went well, 1 when an input, a pipeline or a file failed, 2 for wrong "
         "arguments.\n");
}

static int say_usage(const on_args *args) {
  fprintf(stderr, "Try 'onenlp %s --help'.\n", args->command->name);
  return ON_EXIT_USAGE;
}

int on_args_next(on_args *args, const char **value) {
  struct option longs[MAX_OPTIONS + 2] = {{0}};
  char letters[3 + 2 * (MAX_OPTIONS + 1)] = ":h";
  size_t at = 2;
  int n = 0;
  for (; args->command->options[n].name && n < MAX_OPTIONS; n++) {
    const on_option *option = &args->command->options[n];
    longs[n] = (struct option){option->name, option->value ? required_argument : no_argument, NULL, 256 + n};
    if (!option->letter) continue;
    letters[at++] = option->letter;
    if (option->value) letters[at++] = ':';
  }
  longs[n] = (struct option){"help", no_argument, NULL, 'h'};
  letters[at] = 0;
  opterr = 0;
  int before = optind;
  int got = getopt_long(args->argc, args->argv, letters, longs, NULL);
  *value = optarg;
  if (got == -1) return ON_ARGS_END;
  if (got == 'h') {
    print_help(args->command);
    return ON_ARGS_HELP;
  }
  if (got >= 256) return got - 256;
  for (int i = 0; i < n; i++) {
    if (got == args->command->options[i].letter) return i;
  }
  // What getopt calls '?' or ':'. A letter stands in optopt, a long option is the argument just passed.
  const char *shown = args->argv[optind > before && optind > 1 ? optind - 1 : before];
  if (got == ':') {
    on_args_fail(args, "%s needs a value", shown);
  } else if (optopt > 0 && optopt < 256) {
    on_args_fail(args, "there is no option -%c", optopt);
  } else if (optopt >= 256) {
    on_args_fail(args, "%s takes no value", shown);
  } else {
    on_args_fail(args, "there is no option %s", shown);
  }
  return ON_ARGS_WRONG;
}

int on_args_exit(int result) { return result == ON_ARGS_HELP ? ON_EXIT_OK : ON_EXIT_USAGE; }

char **on_args_operands(const on_args *args, int *count) {
  *count = args->argc - optind;
  return args->argv + optind;
}

int on_args_fail(const on_args *args, const char *format, ...) {
  fprintf(stderr, "onenlp %s: ", args->command->name);
  va_list list;
  va_start(list, format);
  vfprintf(stderr, format, list);
  va_end(list);
  fputc('\n', stderr);
  return say_usage(args);
}

bool on_args_number(const on_args *args, const char *option, const char *value, int64_t min, int64_t max,
                    int64_t *out) {
  char *end;
  errno = 0;
  long long number = strtoll(value, &end, 10);
  if (errno == 0 && end != value && *end == 0 && number >= min && number <= max) {
    *out = number;
    return true;
  }
  on_args_fail(args, "--%s is '%s', want a whole number from %lld to %lld", option, value, (long long)min,
               (long long)max);
  return false;
}

int on_args_choice(const on_args *args, const char *option, const char *value, const char *const *names) {
  char list[256] = "";
  for (int i = 0; names[i]; i++) {
    if (strcmp(value, names[i]) == 0) return i;
    size_t n = strlen(list);
    snprintf(list + n, sizeof list - n, "%s%s", i ? ", " : "", names[i]);
  }
  on_args_fail(args, "--%s is '%s', want one of %s", option, value, list);
  return -1;
}
