// A toy treebank for the training tests: sentences of our own, enough to overfit.
#ifndef ONENLP_TESTS_TRAIN_TOY_H
#define ONENLP_TESTS_TRAIN_TOY_H

#include "train/corpus.h"

static const char toy_conllu[] =
    "# newpar\n"
    "1\tThe\tthe\tDET\tDT\tDefinite=Def\t2\tdet\t_\t_\n"
    "2\tdogs\tdog\tNOUN\tNNS\tNumber=Plur\t3\tnsubj\t_\t_\n"
    "3\tbarked\tbark\tVERB\tVBD\tTense=Past\t0\troot\t_\tSpaceAfter=No\n"
    "4\t.\t.\tPUNCT\t.\t_\t3\tpunct\t_\t_\n"
    "\n"
    "1\tA\ta\tDET\tDT\tDefinite=Ind\t2\tdet\t_\t_\n"
    "2\tcat\tcat\tNOUN\tNN\tNumber=Sing\t3\tnsubj\t_\t_\n"
    "3\tsleeps\tsleep\tVERB\tVBZ\tTense=Pres\t0\troot\t_\tSpaceAfter=No\n"
    "4\t.\t.\tPUNCT\t.\t_\t3\tpunct\t_\t_\n"
    "\n"
    "# newpar\n"
    "1\tBirds\tbird\tNOUN\tNNS\tNumber=Plur\t2\tnsubj\t_\t_\n"
    "2\tsang\tsing\tVERB\tVBD\tTense=Past\t0\troot\t_\t_\n"
    "3\tin\tin\tADP\tIN\t_\t5\tcase\t_\t_\n"
    "4\tthe\tthe\tDET\tDT\tDefinite=Def\t5\tdet\t_\t_\n"
    "5\ttrees\ttree\tNOUN\tNNS\tNumber=Plur\t2\tobl\t_\tSpaceAfter=No\n"
    "6\t!\t!\tPUNCT\t.\t_\t2\tpunct\t_\t_\n"
    "\n"
    "1\tDo\tdo\tAUX\tVBP\tTense=Pres\t3\taux\t_\t_\n"
    "2\tyou\tyou\tPRON\tPRP\tPerson=2\t3\tnsubj\t_\t_\n"
    "3\tknow\tknow\tVERB\tVB\tVerbForm=Inf\t0\troot\t_\t_\n"
    "4\tIrma\tIrma\tPROPN\tNNP\tNumber=Sing\t3\tobj\t_\tSpaceAfter=No\n"
    "5\t?\t?\tPUNCT\t.\t_\t3\tpunct\t_\t_\n"
    "\n";

#define TOY_COMPONENTS                                                                                    \
  "[{\"name\": \"senter\", \"type\": \"head\", \"kind\": \"senter\", \"encoder\": 0},"                        \
  " {\"name\": \"tagger\", \"type\": \"head\", \"kind\": \"tagger\", \"encoder\": 0,"                         \
  "  \"config\": {\"column\": \"Tag\"}},"                                                                   \
  " {\"name\": \"morphologizer\", \"type\": \"head\", \"kind\": \"morphologizer\", \"encoder\": 0,"           \
  "  \"config\": {\"headClasses\": 4}},"                                                                    \
  " {\"name\": \"lemmatizer\", \"type\": \"head\", \"kind\": \"lemmatizer\", \"encoder\": 0},"                \
  " {\"name\": \"parser\", \"type\": \"head\", \"kind\": \"parser\", \"encoder\": 0,"                         \
  "  \"config\": {\"arcWidth\": 12, \"labelWidth\": 8}}]"

#define TOY_FAST                                                                                       \
  "{\"kind\": \"fast\", \"settings\": {\"width\": 16, \"embedWidth\": 8, \"depth\": 1, \"seed\": 3,"         \
  " \"normRows\": 200, \"prefixRows\": 50, \"suffixRows\": 100, \"shapeRows\": 20, \"neighbourRows\": 60,"   \
  " \"bigramRows\": 40, \"recurrentLayers\": 2, \"recurrentSize\": 6}}"

#define TOY_RECIPE(encoder, training)                                                                  \
  "{\"pipeline\": {\"language\": \"en\", \"tokenizer\": {\"kind\": \"rule\"}, \"encoders\": [" encoder "],"  \
  " \"components\": " TOY_COMPONENTS "},"                                                               \
  " \"data\": {\"train\": [\"toy\"], \"dev\": [\"toy\"]}, \"metadata\": {\"name\": \"toy\"},"                \
  " \"training\": " training "}"

#endif
