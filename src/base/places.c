#include "base/places.h"

ON_RARE void on_places_move(on_place *to, uint32_t to_count, const on_place *from, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    if (!from[i].number) continue;
    uint32_t at = on_place_first(from[i].tag, to_count);
    while (to[at].number) at = (at + 1) & (to_count - 1);
    to[at] = from[i];
  }
}
