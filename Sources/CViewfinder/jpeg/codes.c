#include "jpeg/codes.h"

#include <string.h>

#include "jpeg/markers.h"

enum {
  /// Codes of at most this many bits are found in one step.
  LOOKAHEAD = 9,
  LONGEST_CODE = 16,
  BLOCK = 64,
};

/// What a code may turn out to be instead of a symbol.
enum { CUT_SHORT = -1, IMPOSSIBLE = -2 };

/// A Huffman table to look codes up in.
typedef struct table {
  /// By the next bits: the code's length in the upper byte and its symbol in the lower; 0 for those
  /// that are longer.
  uint16_t near[1 << LOOKAHEAD];
  /// By length: the end of its codes, and what makes an index of one.
  uint32_t limits[LONGEST_CODE + 1];
  int32_t offsets[LONGEST_CODE + 1];
  const uint8_t *symbols;
} table;

typedef struct reader {
  const uint8_t *bytes;
  size_t at, end;
  /// The next bits, in the lowest `count` of them.
  uint64_t bits;
  unsigned count;
} reader;

/// Returns 0 for a table that has more codes of a length than there are.
static int build(table *table, const uint8_t *definition) {
  memset(table->near, 0, sizeof table->near);
  table->symbols = definition + LONGEST_CODE;
  uint32_t code = 0;
  int32_t index = 0;
  for (unsigned length = 1; length <= LONGEST_CODE; length++) {
    unsigned codes = definition[length - 1];
    table->offsets[length] = index - (int32_t)code;
    if (code + codes > 1u << length)
      return 0;
    for (unsigned i = 0; i < codes; i++, code++, index++) {
      if (length > LOOKAHEAD)
        continue;
      unsigned shift = LOOKAHEAD - length;
      for (unsigned fill = 0; fill < 1u << shift; fill++)
        table->near[(code << shift) + fill] = (uint16_t)(length << 8 | table->symbols[index]);
    }
    table->limits[length] = code;
    code <<= 1;
  }
  return 1;
}

/// Takes up bytes until there are 57 bits or more, or a marker or the end comes.
static void refill(reader *reader) {
  while (reader->count <= 56 && reader->at < reader->end) {
    uint8_t byte = reader->bytes[reader->at];
    if (byte == 0xFF) {
      if (reader->at + 1 == reader->end || reader->bytes[reader->at + 1] != 0)
        return;
      reader->at += 1;
    }
    reader->at += 1;
    reader->bits = reader->bits << 8 | byte;
    reader->count += 8;
  }
}

/// The next bits without taking them, with zeros past the end.
static uint32_t peek(const reader *reader, unsigned count) {
  uint32_t mask = (1u << count) - 1;
  if (reader->count >= count)
    return (uint32_t)(reader->bits >> (reader->count - count)) & mask;
  return (uint32_t)(reader->bits << (count - reader->count)) & mask;
}

/// Reads a code, and makes sure that there are bits for what follows it.
static int read_symbol(reader *reader, const table *table) {
  // A code and what it announces take 32 bits at most.
  if (reader->count < 32)
    refill(reader);
  uint16_t near = table->near[peek(reader, LOOKAHEAD)];
  unsigned length = near >> 8;
  int symbol = near & 0xFF;
  if (!near) {
    uint32_t code = peek(reader, LONGEST_CODE);
    for (length = LOOKAHEAD + 1; length <= LONGEST_CODE; length++)
      if (code >> (LONGEST_CODE - length) < table->limits[length])
        break;
    if (length > LONGEST_CODE)
      return reader->count < LONGEST_CODE ? CUT_SHORT : IMPOSSIBLE;
    int32_t index = (int32_t)(code >> (LONGEST_CODE - length)) + table->offsets[length];
    symbol = table->symbols[index];
  }
  // The lower four bits are the number of bits that follow.
  unsigned taken = length + (symbol & 15);
  if (reader->count < taken)
    return CUT_SHORT;
  reader->count -= taken;
  return symbol;
}

/// Returns 0, or what is wrong.
static int read_block(reader *reader, const table *dc, const table *ac) {
  int symbol = read_symbol(reader, dc);
  if (symbol < 0)
    return symbol;
  if (symbol > 15)
    return IMPOSSIBLE;
  for (int k = 1; k < BLOCK;) {
    symbol = read_symbol(reader, ac);
    if (symbol < 0)
      return symbol;
    int run = symbol >> 4;
    if (!(symbol & 15) && run < 15)
      return 0;
    k += run + 1;
    if (k > BLOCK)
      return IMPOSSIBLE;
  }
  return 0;
}

/// Goes on after a restart marker; 0 where there is none, or data before it that nobody reads.
static int pass_restart(reader *reader) {
  for (refill(reader); reader->count; refill(reader)) {
    // Some encoders fill up with one byte of ones too many.
    uint64_t ones = UINT64_MAX >> (64 - reader->count);
    if (reader->count >= 8 && (reader->bits & ones) != ones)
      return 0;
    reader->count = 0;
  }
  while (reader->at < reader->end && reader->bytes[reader->at] == 0xFF)
    reader->at += 1;
  uint8_t code = reader->at < reader->end ? reader->bytes[reader->at] : 0;
  if (code < VF_MARKER_RST0 || code > VF_MARKER_RST7)
    return 0;
  reader->at += 1;
  reader->bits = reader->count = 0;
  return 1;
}

/// Where the last byte of which a bit was taken ends.
static size_t position(const reader *reader) {
  size_t at = reader->at;
  for (unsigned unread = reader->count / 8; unread; unread--)
    at -= reader->bytes[at - 1] == 0 && reader->bytes[at - 2] == 0xFF ? 2 : 1;
  return at;
}

size_t vf_scan_read_codes(const uint8_t *bytes, size_t start, size_t end, const vf_scan *scan,
                          const char **damage) {
  table dc[4], ac[4];
  for (unsigned i = 0; i < scan->component_count; i++) {
    if (!build(&dc[i], scan->components[i].dc) || !build(&ac[i], scan->components[i].ac)) {
      *damage = "damaged Huffman table";
      return 0;
    }
  }
  reader reader = {.bytes = bytes, .at = start, .end = end};
  for (size_t mcu = 0; mcu < scan->mcus; mcu++) {
    if (mcu && scan->restart_interval && mcu % scan->restart_interval == 0 &&
        !pass_restart(&reader)) {
      *damage = "a restart marker isn't where it must be";
      return 0;
    }
    for (unsigned i = 0; i < scan->component_count; i++) {
      for (unsigned block = 0; block < scan->components[i].blocks; block++) {
        int code = read_block(&reader, &dc[i], &ac[i]);
        if (!code)
          continue;
        *damage = code == CUT_SHORT ? "the scan is cut short" : "impossible codes in the scan";
        return 0;
      }
    }
  }
  return position(&reader);
}
