// Toy examples of JSON Lines: entities, span groups and categories, each on some of them; two without tokens.
#ifndef ONENLP_TESTS_TRAIN_TOY_LABELS_H
#define ONENLP_TESTS_TRAIN_TOY_LABELS_H

static const char toy_jsonl[] =
    "{\"text\": \"Irma saw New Turin .\", \"tokens\": [[0, 4], [5, 8], [9, 12], [13, 18], [19, 20]],"
    " \"entities\": [[0, 4, \"PER\"], [9, 18, \"LOC\"]], \"cats\": {\"travel\": 1, \"law\": 0}}\n"
    "{\"text\": \"Old Mill Lane Law Court closed\","
    " \"tokens\": [[0, 3], [4, 8], [9, 13], [14, 17], [18, 23], [24, 30]],"
    " \"entities\": [[0, 23, \"ORG\"]], \"cats\": {\"law\": true},"
    " \"spans\": {\"names\": [[0, 13, \"LOC\"], [0, 23, \"ORG\"], [4, 8, \"LOC\"]]}}\n"
    "{\"text\": \"They went home\", \"entities\": [], \"cats\": {\"travel\": 1}}\n"
    "{\"text\": \"She saw Ben Pike in New Turin\","
    " \"tokens\": [[0, 3], [4, 7], [8, 11], [12, 16], [17, 19], [20, 23], [24, 29]],"
    " \"spans\": {\"names\": [[8, 16, \"PER\"], [12, 16, \"PER\"], [20, 29, \"LOC\"]]}}\n"
    "{\"text\": \"The judge spoke\\n\\nThe court rose.\", \"cats\": {\"law\": 1}}\n";

#define TOY_LABEL_COMPONENTS                                                                              \
  "[{\"name\": \"ner\", \"type\": \"head\", \"kind\": \"ner\", \"encoder\": 0},"                              \
  " {\"name\": \"topic\", \"type\": \"head\", \"kind\": \"textcat\", \"encoder\": 0, \"config\": {\"hidden\": 6}},"  \
  " {\"name\": \"topics\", \"type\": \"head\", \"kind\": \"textcat\", \"encoder\": 0,"                        \
  "  \"config\": {\"multi_label\": true, \"classWeights\": \"balanced\"}},"                                 \
  " {\"name\": \"names\", \"type\": \"head\", \"kind\": \"spancat\", \"encoder\": 0,"                         \
  "  \"config\": {\"hidden\": 5, \"positiveWeight\": 3}},"                                                  \
  " {\"name\": \"flat\", \"type\": \"head\", \"kind\": \"spancat\", \"encoder\": 0,"                          \
  "  \"config\": {\"spans_key\": \"names\", \"sizes\": [3, 1, 5]}},"                                        \
  " {\"name\": \"tagger\", \"type\": \"head\", \"kind\": \"tagger\", \"encoder\": 0,"                         \
  "  \"config\": {\"column\": \"Pos\"}},"                                                                  \
  " {\"name\": \"senter\", \"type\": \"head\", \"kind\": \"senter\", \"encoder\": 0},"                        \
  " {\"name\": \"parser\", \"type\": \"head\", \"kind\": \"parser\", \"encoder\": 0,"                         \
  "  \"config\": {\"arcWidth\": 12, \"labelWidth\": 8}}]"

#define TOY_LABEL_RECIPE(encoder, components, training)                                                \
  "{\"pipeline\": {\"language\": \"en\", \"tokenizer\": {\"kind\": \"rule\"}, \"encoders\": [" encoder "],"  \
  " \"components\": " components "},"                                                                   \
  " \"data\": {\"train\": [\"toy.jsonl\"], \"dev\": [\"toy.jsonl\"]}, \"metadata\": {\"name\": \"toy\"},"    \
  " \"training\": " training "}"

#endif
