// A loaded tokenizer: what text goes through, in order.
#ifndef ON_PIECES_PIECE_MODEL_H
#define ON_PIECES_PIECE_MODEL_H

#include "pieces/added.h"
#include "pieces/model.h"
#include "pieces/normalizer.h"
#include "pieces/pieces.h"
#include "pieces/post.h"
#include "pieces/pretokenizer.h"

struct on_piece_model {
  on_added added;
  on_normalizer normalizer;
  on_pretokenizer pretokenizer;
  on_model model;
  on_post post;
  uint32_t size;
};

#endif
