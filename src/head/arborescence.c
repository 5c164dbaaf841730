#include "head/arborescence.h"

#include <string.h>

// ---- the greedy answer, which is right for most sentences -----------------------------------------

// Every word takes its best head; true when that is a tree with one root.
static bool greedy(const float *score, size_t n, uint32_t *state, uint32_t *head) {
  size_t roots = 0;
  for (size_t i = 0; i < n; i++) {
    size_t best = 0;
    for (size_t j = 1; j < n; j++) {
      if (score[i * n + j] > score[i * n + best]) best = j;
    }
    head[i] = (uint32_t)best;
    roots += best == i;
  }
  if (roots != 1) return false;
  // state: 0 not seen, i + 1 seen on the walk from i, so a walk that meets itself has found a cycle
  memset(state, 0, n * sizeof *state);
  for (size_t i = 0; i < n; i++) {
    size_t at = i;
    while (state[at] == 0 && head[at] != at) {
      state[at] = (uint32_t)i + 1;
      at = head[at];
    }
    if (head[at] != at && state[at] == i + 1) return false;
  }
  return true;
}

// ---- contraction ----------------------------------------------------------------------------------

// An arc of the original graph with its reduced weight.
typedef struct arc {
  double weight;
  uint32_t dependent, head;
} arc;

typedef struct graph {
  size_t n;           // words; node n is the artificial root
  arc *in;            // in[v * (n + 1) + u]: the best arc from node u into node v
  uint32_t *active;   // nodes that are not yet contracted into another, in order
  size_t active_count;
  uint32_t *set;      // the contracted set that node v stands for now, by its number (below n: itself)
  uint32_t *parent;   // of each set: the set it was contracted into
  arc *chosen;        // of each set: the arc that enters it
  size_t sets;
} graph;

enum { NEW, ON_PATH, DONE };

static arc *arc_of(const graph *g, size_t v, size_t u) { return &g->in[v * (g->n + 1) + u]; }

static double clamp(float x) { return x > -1e30f ? (x < 1e30f ? (double)x : 1e30) : -1e30; }  // NaN: -1e30

static bool graph_init(graph *g, const float *score, size_t n, on_arena *scratch) {
  *g = (graph){.n = n, .active_count = n, .sets = n};
  g->in = ON_NEW(scratch, arc, n * (n + 1));
  g->active = ON_NEW(scratch, uint32_t, n);
  g->set = ON_NEW(scratch, uint32_t, n);
  g->parent = ON_NEW(scratch, uint32_t, 2 * n);
  g->chosen = ON_NEW(scratch, arc, 2 * n);
  if (!g->in || !g->active || !g->set || !g->parent || !g->chosen) return false;
  double least = 1e30, most = -1e30;
  for (size_t i = 0; i < n * n; i++) {
    double s = clamp(score[i]);
    if (s < least) least = s;
    if (s > most) most = s;
  }
  double root_price = (most - least + 1) * (double)(n + 1);
  for (size_t v = 0; v < n; v++) {
    for (size_t u = 0; u < n; u++) *arc_of(g, v, u) = (arc){clamp(score[v * n + u]), (uint32_t)v, (uint32_t)u};
    *arc_of(g, v, n) = (arc){clamp(score[v * n + v]) - root_price, (uint32_t)v, (uint32_t)v};
    g->active[v] = g->set[v] = (uint32_t)v;
  }
  return true;
}

static size_t best_head(const graph *g, size_t v) {
  size_t best = g->n;
  double weight = arc_of(g, v, g->n)->weight;
  bool any = false;
  for (size_t k = 0; k < g->active_count; k++) {
    size_t u = g->active[k];
    double w = arc_of(g, v, u)->weight;
    if (u != v && (w > weight || (!any && w == weight))) {
      best = u;
      weight = w;
      any = true;
    }
  }
  return best;
}

static void take_better(arc *into, const arc *from, double price) {
  double weight = from->weight - price;
  if (weight > into->weight) *into = (arc){weight, from->dependent, from->head};
}

// Contracts cycle[count] (active nodes, each entered by its chosen arc) into cycle[0].
static void contract(graph *g, const uint32_t *cycle, size_t count, uint8_t *in_cycle) {
  uint32_t into = cycle[0], number = (uint32_t)g->sets++;
  double price = g->chosen[g->set[into]].weight;
  for (size_t u = 0; u <= g->n; u++) arc_of(g, into, u)->weight -= price;
  for (size_t k = 0; k < count; k++) {
    in_cycle[cycle[k]] = 1;
    g->parent[g->set[cycle[k]]] = number;
  }
  for (size_t k = 1; k < count; k++) {
    uint32_t node = cycle[k];
    price = g->chosen[g->set[node]].weight;
    for (size_t u = 0; u <= g->n; u++) take_better(arc_of(g, into, u), arc_of(g, node, u), price);
    for (size_t a = 0; a < g->active_count; a++) {
      uint32_t v = g->active[a];
      take_better(arc_of(g, v, into), arc_of(g, v, node), 0);
    }
  }
  size_t kept = 0;
  for (size_t a = 0; a < g->active_count; a++) {
    uint32_t v = g->active[a];
    if (!in_cycle[v] || v == into) g->active[kept++] = v;
  }
  g->active_count = kept;
  for (size_t k = 0; k < count; k++) in_cycle[cycle[k]] = 0;
  g->set[into] = number;
}

// From the last contraction to the first: the arc that enters a set enters one of its members, whose own
// arc of the cycle it replaces.
static void expand(graph *g, uint32_t *head) {
  for (size_t s = g->sets; s-- > g->n;) {
    uint32_t member = g->chosen[s].dependent;
    while (g->parent[member] != s) member = g->parent[member];
    g->chosen[member] = g->chosen[s];
  }
  for (size_t v = 0; v < g->n; v++) head[g->chosen[v].dependent] = g->chosen[v].head;
}

// Grows a path backwards over best arcs until it reaches the root or a finished node; a path that meets
// itself has closed a cycle, which is contracted.
static void grow_all(graph *g, uint32_t *path, uint8_t *state, uint8_t *in_cycle) {
  for (uint32_t start = 0; start < g->n; start++) {
    size_t length = 0;
    if (state[start] != NEW) continue;
    path[length++] = start;
    state[start] = ON_PATH;
    while (length > 0) {
      uint32_t v = path[length - 1];
      size_t u = best_head(g, v);
      g->chosen[g->set[v]] = *arc_of(g, v, u);
      if (u == g->n || state[u] == DONE) {
        for (size_t k = 0; k < length; k++) state[path[k]] = DONE;
        length = 0;
      } else if (state[u] == ON_PATH) {
        size_t from = length;
        while (path[--from] != u) {}
        contract(g, path + from, length - from, in_cycle);
        length = from + 1;
      } else {
        path[length++] = (uint32_t)u;
        state[u] = ON_PATH;
      }
    }
  }
}

// Rounding may leave a second root only when the scores span more than a double can hold: mend it.
static void keep_one_root(uint32_t *head, size_t n) {
  size_t root = n;
  for (size_t i = 0; i < n; i++) {
    if (head[i] != i) continue;
    if (root == n) root = i;
    else head[i] = (uint32_t)root;
  }
}

bool on_arborescence(const float *score, size_t n, on_arena *scratch, uint32_t *head) {
  if (n == 0) return true;
  uint32_t *path = ON_NEW(scratch, uint32_t, n);
  if (!path) return false;
  if (greedy(score, n, path, head)) return true;
  graph g;
  uint8_t *state = ON_NEW0(scratch, uint8_t, n + 1);
  uint8_t *in_cycle = ON_NEW0(scratch, uint8_t, n + 1);
  if (!state || !in_cycle || !graph_init(&g, score, n, scratch)) return false;
  grow_all(&g, path, state, in_cycle);
  expand(&g, head);
  keep_one_root(head, n);
  return true;
}
