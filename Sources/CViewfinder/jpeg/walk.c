#include "jpeg/walk.h"

#include <string.h>

#include "jpeg/markers.h"

static const vf_huffman *_Nullable make_table(vf_walk *walk, const uint8_t *definition, int is_dc) {
  // Most components share tables.
  size_t i = 0;
  for (; walk->definitions[i]; i++)
    if (walk->definitions[i] == definition)
      return &walk->tables[i];
  if (!vf_huffman_make(&walk->tables[i], definition, is_dc))
    return NULL;
  walk->definitions[i] = definition;
  return &walk->tables[i];
}

int vf_walk_begin(vf_walk *walk, const vf_scan *scan, const uint8_t *bytes, size_t start,
                  size_t end) {
  walk->scan = *scan;
  vf_window_begin(&walk->window, bytes, start, end);
  walk->mcu = walk->restarts = 0;
  walk->damage = NULL;
  walk->can_pass = 0;
  memset(walk->last_dc, 0, sizeof walk->last_dc);
  memset(walk->definitions, 0, sizeof walk->definitions);
  for (unsigned i = 0; i < scan->component_count; i++) {
    const vf_huffman *dc = make_table(walk, scan->components[i].dc, 1);
    const vf_huffman *ac = make_table(walk, scan->components[i].ac, 0);
    if (!dc || !ac) {
      walk->damage = "damaged Huffman table";
      return 0;
    }
    walk->dc[i] = dc;
    walk->ac[i] = ac;
  }
  return 1;
}

void vf_walk_prepare_to_pass(vf_walk *walk) {
  if (walk->can_pass)
    return;
  for (unsigned i = 0; i < walk->scan.component_count; i++) {
    unsigned first = 0;
    while (walk->ac[first] != walk->ac[i])
      first++;
    if (first == i)
      vf_huffman_make_passed(&walk->tables[walk->ac[i] - walk->tables]);
  }
  walk->can_pass = 1;
}

int vf_walk_fail(vf_walk *walk, int code) {
  walk->damage = code == VF_CUT_SHORT ? "the scan is cut short" : "impossible codes in the scan";
  return 0;
}

size_t vf_walk_end(vf_walk *walk) {
  if (!vf_window_is_ready(&walk->window))
    return (size_t)vf_walk_fail(walk, VF_CUT_SHORT);
  return vf_window_position(&walk->window);
}

static int fail_at_restart(vf_walk *walk) {
  walk->damage = "a restart marker isn't where it must be";
  return 0;
}

int vf_walk_restart(vf_walk *walk) {
  unsigned interval = walk->scan.restart_interval, number;
  if (!interval || walk->mcu / interval == walk->restarts)
    return 1;
  if (!vf_window_pass_restart(&walk->window, &number) || number != walk->restarts % 8)
    return fail_at_restart(walk);
  walk->restarts++;
  memset(walk->last_dc, 0, sizeof walk->last_dc);
  return 1;
}

/// Returns 0, or what is wrong.
static inline int pass_block(vf_bits *reader, const vf_huffman *dc, const vf_huffman *ac,
                             int32_t *last_dc) {
  int32_t value;
  vf_bits_refill(reader);
  int step = vf_huffman_read(reader, dc, &value);
  if (step < 0)
    return step;
  *last_dc = vf_dc_after(*last_dc, value);
  for (unsigned k = 1; k < VF_BLOCK;) {
    vf_bits_refill(reader);
    uint16_t passed = ac->passed[vf_bits_peek(reader, VF_PASSED_BITS)];
    unsigned after = k + (passed >> VF_PASSED_COUNT & 127);
    // Where they reach beyond the block, some belong to the next.
    if (passed && after <= VF_BLOCK) {
      vf_bits_take(reader, passed & VF_PASSED_TAKEN);
      if (passed & VF_PASSED_ENDS)
        return 0;
      k = after;
      continue;
    }
    step = vf_huffman_read(reader, ac, &value);
    if (step <= 0)
      return step;
    k += (unsigned)step;
    if (k > VF_BLOCK)
      return VF_IMPOSSIBLE;
  }
  return 0;
}

int vf_walk_pass_block(vf_walk *walk, unsigned component) {
  if (!vf_window_is_ready(&walk->window))
    return vf_walk_fail(walk, VF_CUT_SHORT);
  vf_walk_prepare_to_pass(walk);
  vf_bits reader = walk->window.reader;
  int code =
      pass_block(&reader, walk->dc[component], walk->ac[component], &walk->last_dc[component]);
  walk->window.reader = reader;
  return code < 0 ? vf_walk_fail(walk, code) : 1;
}

int vf_walk_pass_mcu(vf_walk *walk) {
  if (!vf_walk_restart(walk))
    return 0;
  for (unsigned i = 0; i < walk->scan.component_count; i++)
    for (unsigned block = 0; block < walk->scan.components[i].blocks; block++)
      if (!vf_walk_pass_block(walk, i))
        return 0;
  walk->mcu++;
  return 1;
}

/// Goes over the next restart markers, up to number `last`, without looking at what is between
/// them.
static int pass_restarts(vf_walk *walk, size_t last) {
  for (; walk->restarts < last; walk->restarts++) {
    unsigned number;
    if (!vf_window_find_restart(&walk->window, &number) || number != walk->restarts % 8)
      return fail_at_restart(walk);
  }
  walk->mcu = last * walk->scan.restart_interval;
  memset(walk->last_dc, 0, sizeof walk->last_dc);
  return 1;
}

int vf_walk_pass_interval(vf_walk *walk, size_t number, size_t *start, size_t *end) {
  size_t interval = walk->scan.restart_interval;
  if (!pass_restarts(walk, number))
    return 0;
  *start = walk->window.start;
  if ((number + 1) * interval >= walk->scan.mcus) {
    *end = vf_window_find_end(&walk->window);
    walk->mcu = walk->scan.mcus;
    return 1;
  }
  if (!pass_restarts(walk, number + 1))
    return 0;
  // The marker before, which may have fill bytes.
  *end = walk->window.start - 1;
  while (*end > *start && walk->window.bytes[*end - 1] == 0xFF)
    (*end)--;
  return 1;
}

int vf_walk_to(vf_walk *walk, size_t mcu) {
  unsigned interval = walk->scan.restart_interval;
  if (!vf_walk_restart(walk))
    return 0;
  if (interval && mcu / interval > walk->restarts && !pass_restarts(walk, mcu / interval))
    return 0;
  while (walk->mcu < mcu)
    if (!vf_walk_pass_mcu(walk))
      return 0;
  return 1;
}
