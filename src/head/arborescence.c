#include "head/arborescence.h"

#include <math.h>
#include <string.h>

// ---- the greedy answer, which is right for most sentences -----------------------------------------

enum { LANES = 8 };  // comparisons at a time: one after the other, each would wait for the one before

// The largest of scores[from..to); NaN is none, and -INFINITY where there is nothing.
static float largest(const float *scores, size_t from, size_t to) {
  float most[LANES];
  for (size_t k = 0; k < LANES; k++) most[k] = -INFINITY;
  for (; from + LANES <= to; from += LANES) {
    for (size_t k = 0; k < LANES; k++) most[k] = scores[from + k] > most[k] ? scores[from + k] : most[k];
  }
  for (; from < to; from++) most[0] = scores[from] > most[0] ? scores[from] : most[0];
  for (size_t k = 1; k < LANES; k++) most[0] = most[k] > most[0] ? most[k] : most[0];
  return most[0];
}

// The first of the heads of word i with the largest score, word i itself (the root) left out; n where there is none.
static size_t best_of_row(const float *row, size_t i, size_t n) {
  float before = largest(row, 0, i), after = largest(row, i + 1, n);
  float most = before >= after ? before : after;
  for (size_t j = 0; j < n; j++) {
    if (row[j] == most && j != i) return j;
  }
  return n;
}

// best[i]: see best_of_row. Every word takes its best head, or is the root; true when that is a tree with one root.
static bool greedy(const float *score, size_t n, uint32_t *best, uint32_t *state, uint32_t *head) {
  size_t roots = 0;
  for (size_t i = 0; i < n; i++) {
    const float *row = score + i * n;
    size_t b = best_of_row(row, i, n);
    best[i] = (uint32_t)b;
    bool root = b == n || row[i] > row[b] || (row[i] == row[b] && i < b);
    head[i] = root ? (uint32_t)i : (uint32_t)b;
    roots += root;
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

// The arcs that enter a contracted set: of each word outside it (and of the root, the last), the best one.
typedef struct entering {
  double *weight;       // [n + 1]; -INFINITY for the words of the set
  uint32_t *dependent;  // [n + 1], the word of the set that the arc enters
} entering;

// A node is a word or a contracted set of words, named by one of them. Node n is the artificial root.
typedef struct graph {
  size_t n;
  const float *score;
  double root_price;
  const uint32_t *best;  // best head of each word as long as it is alone
  entering *rows;        // of each node that is a set; without memory for a word that is alone
  uint32_t *node;        // the node that word u is in now
  uint32_t *next;        // ring of the words of a node
  uint32_t *set;         // the number of the set that node v stands for now (below n: the word alone)
  uint32_t *parent;      // of each set: the set it was contracted into
  arc *chosen;           // of each set: the arc that enters it
  size_t sets;
  on_arena *scratch;
} graph;

enum { NEW, ON_PATH, DONE };

static double clamp(float x) { return x > -1e30f ? (x < 1e30f ? (double)x : 1e30) : -1e30; }  // NaN: -1e30

static double root_weight(const graph *g, size_t v) { return clamp(g->score[v * g->n + v]) - g->root_price; }

static float least(const float *scores, size_t n) {
  float least[LANES];
  for (size_t k = 0; k < LANES; k++) least[k] = INFINITY;
  size_t i = 0;
  for (; i + LANES <= n; i += LANES) {
    for (size_t k = 0; k < LANES; k++) least[k] = scores[i + k] < least[k] ? scores[i + k] : least[k];
  }
  for (; i < n; i++) least[0] = scores[i] < least[0] ? scores[i] : least[0];
  for (size_t k = 1; k < LANES; k++) least[0] = least[k] < least[0] ? least[k] : least[0];
  return least[0];
}

static bool graph_init(graph *g, const float *score, size_t n, const uint32_t *best, on_arena *scratch) {
  *g = (graph){.n = n, .score = score, .best = best, .sets = n, .scratch = scratch};
  g->rows = ON_NEW0(scratch, entering, n);
  g->node = ON_NEW(scratch, uint32_t, n);
  g->next = ON_NEW(scratch, uint32_t, n);
  g->set = ON_NEW(scratch, uint32_t, n);
  g->parent = ON_NEW(scratch, uint32_t, 2 * n);
  g->chosen = ON_NEW(scratch, arc, 2 * n);
  if (!g->rows || !g->node || !g->next || !g->set || !g->parent || !g->chosen) return false;
  g->root_price = (clamp(largest(score, 0, n * n)) - clamp(least(score, n * n)) + 1) * (double)(n + 1);
  for (size_t v = 0; v < n; v++) g->node[v] = g->next[v] = g->set[v] = (uint32_t)v;
  return true;
}

// The best arc into node v. Ties go to the smaller head, the root is the last.
static arc best_arc(const graph *g, uint32_t v) {
  const entering *row = &g->rows[v];
  if (!row->weight) {
    uint32_t u = g->best[v];
    double root = root_weight(g, v);
    double weight = u < g->n ? clamp(g->score[v * g->n + u]) : -INFINITY;
    return weight >= root ? (arc){weight, v, u} : (arc){root, v, (uint32_t)g->n};
  }
  double most = -INFINITY;
  double lane[LANES];
  size_t u = 0, count = g->n + 1;
  for (size_t k = 0; k < LANES; k++) lane[k] = -INFINITY;
  for (; u + LANES <= count; u += LANES) {
    for (size_t k = 0; k < LANES; k++) lane[k] = row->weight[u + k] > lane[k] ? row->weight[u + k] : lane[k];
  }
  for (; u < count; u++) most = row->weight[u] > most ? row->weight[u] : most;
  for (size_t k = 0; k < LANES; k++) most = lane[k] > most ? lane[k] : most;
  for (u = 0; row->weight[u] != most;) u++;
  return (arc){most, row->dependent[u], (uint32_t)u};
}

static void take_better(entering *into, size_t u, double weight, uint32_t dependent) {
  if (weight > into->weight[u]) {
    into->weight[u] = weight;
    into->dependent[u] = dependent;
  }
}

// The arcs that enter `node` enter the set as well, less the price of the arc that they replace.
static void merge_row(const graph *g, entering *into, uint32_t node, double price) {
  const entering *row = &g->rows[node];
  if (row->weight) {
    for (size_t u = 0; u <= g->n; u++) take_better(into, u, row->weight[u] - price, row->dependent[u]);
    return;
  }
  const float *score = g->score + node * g->n;
  for (size_t u = 0; u < g->n; u++) take_better(into, u, clamp(score[u]) - price, node);
  take_better(into, g->n, root_weight(g, node) - price, node);
}

// Makes the row of `node`, the first of a cycle, the row of the whole cycle: so far with its own arcs alone.
static bool begin_set(graph *g, uint32_t node) {
  entering *row = &g->rows[node];
  double price = g->chosen[g->set[node]].weight;
  if (row->weight) {
    for (size_t u = 0; u <= g->n; u++) row->weight[u] -= price;
    return true;
  }
  entering made = {ON_NEW(g->scratch, double, g->n + 1), ON_NEW(g->scratch, uint32_t, g->n + 1)};
  if (!made.weight || !made.dependent) return false;
  for (size_t u = 0; u <= g->n; u++) made.weight[u] = -INFINITY;
  memset(made.dependent, 0, (g->n + 1) * sizeof *made.dependent);
  merge_row(g, &made, node, price);
  *row = made;
  return true;
}

// Contracts cycle[count] (nodes, each entered by its chosen arc) into cycle[0].
static bool contract(graph *g, const uint32_t *cycle, size_t count) {
  uint32_t into = cycle[0], number = (uint32_t)g->sets++;
  if (!begin_set(g, into)) return false;
  g->parent[g->set[into]] = number;
  for (size_t k = 1; k < count; k++) {
    uint32_t node = cycle[k];
    merge_row(g, &g->rows[into], node, g->chosen[g->set[node]].weight);
    g->parent[g->set[node]] = number;
    // two rings become one
    uint32_t after = g->next[into];
    g->next[into] = g->next[node];
    g->next[node] = after;
  }
  uint32_t word = into;
  do {
    g->node[word] = into;
    g->rows[into].weight[word] = -INFINITY;
    word = g->next[word];
  } while (word != into);
  g->set[into] = number;
  return true;
}

// From the last contraction to the first: the arc that enters a set enters one of its members, whose own
// arc of the cycle it replaces.
static void expand(graph *g, uint32_t *head) {
  for (size_t s = g->sets; s-- > g->n;) {
    uint32_t member = g->chosen[s].dependent;
    while (g->parent[member] != s) member = g->parent[member];
    g->chosen[member] = g->chosen[s];
  }
  for (size_t v = 0; v < g->n; v++) {
    const arc *in = &g->chosen[v];
    head[in->dependent] = in->head < g->n ? in->head : in->dependent;
  }
}

// Grows a path backwards over best arcs until it reaches the root or a finished node; a path that meets
// itself has closed a cycle, which is contracted.
static bool grow_all(graph *g, uint32_t *path, uint8_t *state) {
  for (uint32_t start = 0; start < g->n; start++) {
    size_t length = 0;
    if (state[start] != NEW) continue;
    path[length++] = start;
    state[start] = ON_PATH;
    while (length > 0) {
      uint32_t v = path[length - 1];
      arc best = best_arc(g, v);
      g->chosen[g->set[v]] = best;
      uint32_t u = best.head < g->n ? g->node[best.head] : best.head;
      if (u == g->n || state[u] == DONE) {
        for (size_t k = 0; k < length; k++) state[path[k]] = DONE;
        length = 0;
      } else if (state[u] == ON_PATH) {
        size_t from = length;
        while (path[--from] != u) {}
        if (!contract(g, path + from, length - from)) return false;
        length = from + 1;
      } else {
        path[length++] = u;
        state[u] = ON_PATH;
      }
    }
  }
  return true;
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
  uint32_t *best = ON_NEW(scratch, uint32_t, n);
  if (!path || !best) return false;
  if (greedy(score, n, best, path, head)) return true;
  graph g;
  uint8_t *state = ON_NEW0(scratch, uint8_t, n + 1);
  if (!state || !graph_init(&g, score, n, best, scratch) || !grow_all(&g, path, state)) return false;
  expand(&g, head);
  keep_one_root(head, n);
  return true;
}
