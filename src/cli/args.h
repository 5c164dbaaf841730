// Command-line arguments: tables of options, read with getopt_long, and the help made from them.
#ifndef ON_CLI_ARGS_H
#define ON_CLI_ARGS_H

#include <stdbool.h>
#include <stdint.h>

// Exit codes, as every command's help says.
enum { ON_EXIT_OK = 0, ON_EXIT_FAILED = 1, ON_EXIT_USAGE = 2 };

typedef struct on_option {
  char letter;        // or 0
  const char *name;   // without the dashes
  const char *value;  // what its value is called in the help; NULL: a flag
  const char *help;   // one sentence; lines are wrapped
} on_option;

typedef struct on_command {
  const char *name;
  const char *summary;             // one line for `onenlp --help`
  const char *operands;            // "[FILE...]"
  const char *description;         // paragraphs for `onenlp <name> --help`
  const on_option *options;        // the last one has no name; --help is added
  int (*run)(int argc, char **argv);  // argv[0] is the command's name; returns the exit code
} on_command;

typedef struct on_args {
  const on_command *command;
  int argc;
  char **argv;
} on_args;

enum { ON_ARGS_END = -1, ON_ARGS_HELP = -2, ON_ARGS_WRONG = -3 };

// The index of the next option in the command's table, with its value (NULL for a flag); ON_ARGS_END when only
// operands are left; ON_ARGS_HELP after printing the help; ON_ARGS_WRONG after saying on standard error what
// is wrong. Options may stand among operands; "--" ends them.
int on_args_next(on_args *args, const char **value);
// The exit code for ON_ARGS_HELP and ON_ARGS_WRONG.
int on_args_exit(int result);
// The operands, once on_args_next returned ON_ARGS_END.
char **on_args_operands(const on_args *args, int *count);

// Says "onenlp <command>: <message>" and where the help is; returns ON_EXIT_USAGE.
int on_args_fail(const on_args *args, const char *format, ...) __attribute__((format(printf, 2, 3)));
// A whole number in [min, max]; false after on_args_fail.
bool on_args_number(const on_args *args, const char *option, const char *value, int64_t min, int64_t max,
                    int64_t *out);
// The index of `value` in `names` (NULL at the end), or -1 after on_args_fail, which lists them.
int on_args_choice(const on_args *args, const char *option, const char *value, const char *const *names);

#endif
