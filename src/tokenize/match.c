#include "tokenize/match.h"

#include "base/rare.h"
#include "text/utf.h"

// Bounds of the standards for addresses, so that a failed attempt costs a constant.
enum { LONGEST_LOCAL = 64, LONGEST_HOST = 253, LONGEST_FILE = 255, LONGEST_DIGITS = 40 };

static bool alnum(const on_scan *s, size_t i) { return on_scan_is(s, i, ON_F_ALNUM); }

// 0 at the end of the text.
static uint16_t unit(const on_scan *s, size_t i) { return i < s->n ? s->t[i] : 0; }

static bool has(const on_scan *s, uint32_t option) { return (s->data->options & option) != 0; }

size_t on_match_cluster(const on_scan *s, size_t p) {
  size_t end = p + 1;
  while (!on_scan_is(s, end, ON_F_CLUSTER)) end++;
  return end;
}

size_t on_match_segment(const on_scan *s, size_t p) {
  size_t end = p + 1;
  while (!on_scan_is(s, end, ON_F_WORD) || !on_scan_is(s, end, ON_F_CLUSTER)) end++;
  return end;
}

// Takes the signs off the end that belong to the sentence and not to the address.
static size_t trim_address(const on_scan *s, size_t p, size_t end) {
  size_t open = 0, closed = 0;
  for (size_t i = p; i < end; i++) {
    open += s->t[i] == '(';
    closed += s->t[i] == ')';
  }
  while (end > p) {
    uint16_t c = s->t[end - 1];
    if (c == ')') {
      if (closed <= open) break;
      closed--;
    } else if (c == '(') {
      open--;
    } else if (c == '/' || c == '-' || c == '_' || c == '&' || c == '=' || c == '#' || c == '+' || c == '%' ||
               c == '~' || c == '$' || !on_scan_is(s, end - 1, ON_F_SIGN)) {
      break;
    }
    end--;
  }
  return end;
}

static size_t address_end(const on_scan *s, size_t p) {
  size_t end = p;
  while (end < s->chunk_end) {
    uint16_t c = s->t[end];
    if (c == '<' || c == '>' || c == '"' || c == 0x201C || c == 0x201D || c == 0xAB || c == 0xBB) break;
    end++;
  }
  return end;
}

size_t on_match_url(const on_scan *s, size_t p) {
  if (!has(s, ON_URLS)) return p;
  const on_entry *scheme = on_table_prefix(s->data, &s->data->schemes, on_scan_rest(s, p, s->chunk_end));
  if (!scheme) return p;
  size_t body = p + scheme->length;
  if (!alnum(s, body)) return p;
  size_t end = trim_address(s, body, address_end(s, body));
  return end > body ? end : p;
}

ON_RARE static size_t host_end(const on_scan *s, size_t p) {
  size_t end = p, label = p, dots = 0, limit = s->chunk_end - p > LONGEST_HOST ? p + LONGEST_HOST : s->chunk_end;
  while (end < limit) {
    if (s->t[end] == '.') {
      if (!alnum(s, end + 1) || end == label) break;
      label = end + 1;
      dots++;
    } else if (s->t[end] != '-' && !alnum(s, end)) {
      break;
    }
    end++;
  }
  while (end > p && s->t[end - 1] == '-') end--;
  if (dots == 0 || end <= label || alnum(s, end) || unit(s, end) == '@') return p;
  if (!on_table_find(s->data, &s->data->domains, on_scan_rest(s, label, end))) return p;
  if (end + 1 < s->chunk_end && s->t[end] == '/' && alnum(s, end + 1)) {
    return trim_address(s, end, address_end(s, end));
  }
  return end;
}

size_t on_match_host(const on_scan *s, size_t p) {
  return has(s, ON_HOSTS) && s->last_dot > p && alnum(s, p) ? host_end(s, p) : p;
}

static bool local_sign(uint16_t c) {
  return c == '.' || c == '_' || c == '-' || c == '%' || c == '+' || c == '=' || c == '~' || c == '#';
}

ON_RARE static size_t email_end(const on_scan *s, size_t p) {
  size_t end = p, limit = s->chunk_end - p > LONGEST_LOCAL ? p + LONGEST_LOCAL : s->chunk_end;
  while (end < limit && (alnum(s, end) || local_sign(s->t[end]))) end++;
  if (end >= limit || s->t[end] != '@' || !alnum(s, end + 1)) return p;
  size_t host = end + 1, label = host, dots = 0;
  limit = s->chunk_end - host > LONGEST_HOST ? host + LONGEST_HOST : s->chunk_end;
  for (end = host; end < limit; end++) {
    if (s->t[end] == '.') {
      if (!alnum(s, end + 1)) break;
      label = end + 1;
      dots++;
    } else if (s->t[end] != '-' && s->t[end] != '_' && !alnum(s, end)) {
      break;
    }
  }
  while (end > label && !alnum(s, end - 1)) end--;
  if (end <= label || alnum(s, end)) return p;
  if (dots > 0) return end - label >= 2 ? end : p;
  // Names of mail systems inside a firm: name@HOST.
  bool letters = on_scan_is(s, p, ON_F_LETTER) && on_scan_is(s, host, ON_F_LETTER);
  return has(s, ON_LOCAL_EMAILS) && letters ? end : p;
}

size_t on_match_email(const on_scan *s, size_t p) {
  return has(s, ON_EMAILS) && s->last_at > p + 1 && alnum(s, p) ? email_end(s, p) : p;
}

ON_RARE static size_t file_end(const on_scan *s, size_t p) {
  size_t end = p, dot = 0, limit = s->chunk_end - p > LONGEST_FILE ? p + LONGEST_FILE : s->chunk_end;
  for (; end < limit; end++) {
    uint16_t c = s->t[end];
    if (c == '.') {
      if (!alnum(s, end + 1)) break;
      dot = end + 1;
    } else if (c != '-' && c != '_' && c != '#' && c != '~' && c != '%' && !alnum(s, end)) {
      break;
    }
  }
  while (end > p && !alnum(s, end - 1)) end--;
  if (dot == 0 || end <= dot || alnum(s, end)) return p;
  return on_table_find(s->data, &s->data->extensions, on_scan_rest(s, dot, end)) ? end : p;
}

size_t on_match_file(const on_scan *s, size_t p) {
  return has(s, ON_FILES) && s->last_dot > p && (alnum(s, p) || s->t[p] == '.') ? file_end(s, p) : p;
}

ON_RARE static size_t tag_end(const on_scan *s, size_t p) {
  if ((p > s->chunk && alnum(s, p - 1)) || !on_scan_is(s, p + 1, ON_F_LETTER)) return p;
  size_t end = p + 1;
  bool hyphens = has(s, ON_HYPHENS);
  while (alnum(s, end) || unit(s, end) == '_' || (hyphens && unit(s, end) == '-' && alnum(s, end + 1))) end++;
  return end;
}

size_t on_match_tag(const on_scan *s, size_t p) {
  bool on = (s->t[p] == '#' && has(s, ON_HASHTAGS)) || (s->t[p] == '@' && has(s, ON_MENTIONS));
  return on ? tag_end(s, p) : p;
}

size_t on_match_emoticon(const on_scan *s, size_t p) {
  const on_table *table = &s->data->emoticons;
  const on_entry *entry = on_table_prefix(s->data, table, on_scan_rest(s, p, s->chunk_end));
  if (!entry) return p;
  size_t end = p + entry->length;
  if (!on_scan_is(s, end, ON_F_CLUSTER)) return p;
  bool before = p > s->chunk && alnum(s, p - 1), after = alnum(s, end);
  // A face that has letters or digits at its edge must not be part of a word, nor one between two words.
  if (alnum(s, p) && p > s->chunk) return p;
  if ((alnum(s, end - 1) || before) && after) return p;
  // After a word, what looks like a face may be a colon or a bracket that closes.
  if (before && s->t[end - 1] != ')' && s->t[end - 1] != '(') return p;
  return end;
}

ON_APART static size_t pattern_end(const on_scan *s, size_t p, uint16_t first) {
  size_t best = p;
  bool digit = first >= '0' && first <= '9';
  for (uint32_t k = 0; k < s->data->n_patterns; k++) {
    const on_pattern *pattern = &s->data->patterns[k];
    if (pattern->items[0].max == 0 ? first != pattern->items[0].unit : !digit) continue;
    size_t i = p;
    uint32_t item = 0;
    for (; item < pattern->n; item++) {
      const on_pattern_item *want = &pattern->items[item];
      if (want->max == 0) {
        if (i >= s->chunk_end || on_fold_unit(s->data, s->t[i]) != want->unit) break;
        i++;
        continue;
      }
      size_t start = i;
      uint32_t value = 0;
      while (i < s->chunk_end && s->t[i] >= '0' && s->t[i] <= '9' && i - start < LONGEST_DIGITS) {
        if (value < 10000) value = value * 10 + (uint32_t)(s->t[i] - '0');
        i++;
      }
      size_t digits = i - start;
      if (digits < want->min || (want->max != 255 && digits > want->max)) break;
      if (want->unit != 0 && (value == 0 || value > want->unit)) break;
    }
    if (item < pattern->n || i <= best) continue;
    // Not a part of a longer number; a unit may follow.
    if (on_scan_is(s, i, ON_F_DIGIT)) continue;
    if (alnum(s, i)) {
      const on_entry *unit = on_table_prefix(s->data, &s->data->units, on_scan_rest(s, i, s->chunk_end));
      if (!unit || alnum(s, i + unit->length)) continue;
    } else if (i + 1 < s->chunk_end && on_scan_is(s, i + 1, ON_F_DIGIT) &&
               (s->t[i] == '/' || s->t[i] == '.' || s->t[i] == ',')) {
      continue;
    }
    best = i;
  }
  return best;
}

size_t on_match_pattern(const on_scan *s, size_t p) {
  if (p > s->chunk && alnum(s, p - 1)) return p;
  uint16_t first = on_fold_unit(s->data, s->t[p]);
  return first < 0x80 && on_in_set(s->data->pattern_first, first) ? pattern_end(s, p, first) : p;
}

// A pictograph of Unicode's symbol blocks begins at p.
static bool is_pictograph(const on_scan *s, size_t p) {
  if (!on_scan_is(s, p, ON_F_SIGN)) return false;
  uint32_t c = on_utf16_next(on_scan_rest(s, 0, s->n), &p);
  return c >= 0x2600 && (c < 0x27C0 || (c >= 0x2B00 && c < 0x2C00) || (c >= 0x1F000 && c < 0x20000));
}

static size_t match_emoji(const on_scan *s, size_t p) {
  size_t end = p;
  while (end < s->chunk_end && is_pictograph(s, end)) end = on_match_cluster(s, end);
  return end;
}

size_t on_match_run(const on_scan *s, size_t p) {
  if (has(s, ON_EMOJI_RUNS)) {
    size_t emoji = match_emoji(s, p);
    if (emoji > p) return emoji;
  }
  on_str16 chunk = on_scan_rest(s, 0, s->chunk_end);
  size_t next = p;
  uint32_t first = on_utf16_next(chunk, &next);
  // A sign that something extends is left alone, and ends the run before it.
  if (!on_scan_is(s, next, ON_F_CLUSTER)) return p;
  size_t end = next;
  if (on_characters_have(&s->data->repeats, first)) {
    while (end < s->chunk_end) {
      size_t after = end;
      if (on_utf16_next(chunk, &after) != first || !on_scan_is(s, after, ON_F_CLUSTER)) break;
      end = after;
    }
  }
  // An ellipsis is a token of its own; other full stops mix with what else ends a sentence.
  if (first == '.' && end > next) return end;
  uint32_t run = on_run_of(s->data, first);
  while (run != 0 && end < s->chunk_end) {
    size_t after = end;
    uint32_t c = on_utf16_next(chunk, &after);
    bool ellipsis = c == '.' && after < s->chunk_end && s->t[after] == '.';
    if (on_run_of(s->data, c) != run || ellipsis || !on_scan_is(s, after, ON_F_CLUSTER)) break;
    end = after;
  }
  return end > next ? end : p;
}

size_t on_match_acronym(const on_scan *s, size_t p) {
  size_t i = p, letters = 0;
  while (on_scan_is(s, i, ON_F_LETTER)) {
    size_t next = i + 1;
    while (next < s->n && !on_scan_is(s, next, ON_F_CLUSTER)) next++;
    if (alnum(s, next)) break;  // a longer word, which is no part
    letters++;
    i = next;
    if (next >= s->chunk_end || s->t[next] != '.') break;
    i = next + 1;
  }
  // i is behind a letter, or behind the full stop after one.
  if (letters == 0) return p;
  size_t end = i > p && s->t[i - 1] == '.' ? i - 1 : i;
  return letters >= 2 ? end : p;
}
