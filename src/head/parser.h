// The `parser` head: deep biaffine arcs and labels (Dozat and Manning 2017), decoded to the maximum
// spanning tree with one root per sentence, into the columns HEAD and DEPREL of the Doc.
//
//   d = relu(arc_dep h), e = relu(arc_head h)        [arcWidth]
//   arc(i, j) = (arc d_i + arc bias) . e_j           j = i: . arc_root, word i is the root
//   p = relu(label_dep h), q = relu(label_head h)    [labelWidth]
//   label(i, j, l) = p_i^T B_l q_j + label_linear [p_i; q_j] + bias     B only with labelBilinear
//
// or, with labelSum, at a quarter of the products:
//
//   label(i, j, l) = label_linear relu(label_dep h_i + label_head h_j) + bias
//
// Memory: a sentence of n words takes about 24 n^2 bytes of scratch; one of more than
// ON_PARSER_SENTENCE words is parsed in pieces of that length, and the roots of the later pieces hang on
// the root of the first.
#ifndef ON_HEAD_PARSER_H
#define ON_HEAD_PARSER_H

#include "head/head.h"
#include "head/labels.h"

enum { ON_PARSER_SENTENCE = 1024, ON_PARSER_MAX_WIDTH = 2048, ON_PARSER_MAX_LABELS = 4096 };

// A Linear layer of the parser: weight [rows, cols], bias [rows].
typedef struct on_parser_layer {
  const on_param *weight, *bias;
  on_packed packed;
  const float *b;
} on_parser_layer;

typedef struct on_parser {
  on_labels labels;
  uint32_t arc_width, label_width;
  bool label_bilinear, label_sum;  // not both
  int32_t root_label;  // index of "root", which root words get and no other word, or -1
  on_parser_layer arc_dep, arc_head, arc, label_dep, label_head, label_linear;
  const on_param *arc_root;    // [arcWidth]
  const on_param *label_root;  // [labelWidth]: q of the artificial root
  const on_param *bilinear;    // [labels * labelWidth, labelWidth]: rows l * labelWidth + k of B_l^T; or NULL
  const float *arc_root_b, *label_root_b;
  const on_packed *by_head;    // [labelWidth]: rows l * labelWidth + k of `bilinear` for each k, [labels, labelWidth]
} on_parser;

extern const on_head_kind on_parser_kind;

#endif
