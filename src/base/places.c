#include "base/places.h"

ON_RARE void on_places_move(on_place *to, uint32_t to_count, const on_place *from, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    if (from[i].number) *on_place_free(to, to_count, from[i].tag) = from[i];
  }
}
