// onenlp: the command-line program.
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "onenlp.h"

static const on_command *const commands[] = {&on_command_annotate, &on_command_evaluate, &on_command_inspect,
                                             &on_command_convert,  &on_command_train};
enum { COMMANDS = sizeof commands / sizeof *commands };

static void print_help(FILE *out) {
  fprintf(out, "Usage: onenlp COMMAND [OPTION...] [FILE...]\n\nText in, CoNLL-U out: tokens, sentences, tags, "
               "features, lemmas and more, by trained pipelines.\n\nCommands:\n");
  for (size_t i = 0; i < COMMANDS; i++) fprintf(out, "  %-10s %s\n", commands[i]->name, commands[i]->summary);
  fprintf(out, "\n'onenlp COMMAND --help' says more. 'onenlp --version' shows the version.\n");
}

// Without random bits the tables keep the seed that they have.
static void seed_hashes(void) {
  FILE *file = fopen("/dev/urandom", "rb");
  if (!file) return;
  uint32_t bits[2];
  setvbuf(file, NULL, _IONBF, 0);
  if (fread(bits, sizeof bits, 1, file) == 1) onenlp_seed_hashes(bits[0], bits[1]);
  fclose(file);
}

int main(int argc, char **argv) {
  seed_hashes();
  signal(SIGPIPE, SIG_IGN);  // a reader that goes away shows as EPIPE (files.h)
  if (argc < 2) {
    print_help(stderr);
    return ON_EXIT_USAGE;
  }
  if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "help") == 0) {
    print_help(stdout);
    return ON_EXIT_OK;
  }
  if (strcmp(argv[1], "--version") == 0) {
    printf("onenlp %s\n", onenlp_version());
    return ON_EXIT_OK;
  }
  for (size_t i = 0; i < COMMANDS; i++) {
    if (strcmp(argv[1], commands[i]->name) == 0) return commands[i]->run(argc - 1, argv + 1);
  }
  fprintf(stderr, "onenlp: there is no command '%s'. Try 'onenlp --help'.\n", argv[1]);
  return ON_EXIT_USAGE;
}
