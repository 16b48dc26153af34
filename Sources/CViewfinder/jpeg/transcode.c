#include "jpeg/transcode.h"

#include <stdlib.h>

enum {
  MOST_CATEGORIES = 16,
  /// Bytes that the codes of a block and their stuffing take at most, with those that wait.
  BLOCK_ROOM = 2 * (VF_BLOCK * 32 / 8 + 8),
};

/// The codes of a DC table by the size of what they announce (T.81, C.2). A length of 0: none.
typedef struct dc_codes {
  uint16_t code[MOST_CATEGORIES];
  uint8_t length[MOST_CATEGORIES];
} dc_codes;

static void make_codes(dc_codes *codes, const uint8_t *definition) {
  *codes = (dc_codes){0};
  const uint8_t *symbols = definition + VF_LONGEST_CODE;
  uint16_t code = 0;
  for (uint8_t length = 1; length <= VF_LONGEST_CODE; length++) {
    for (unsigned i = 0; i < definition[length - 1]; i++, symbols++, code++) {
      if (*symbols < MOST_CATEGORIES) {
        codes->code[*symbols] = code;
        codes->length[*symbols] = length;
      }
    }
    code = (uint16_t)(code << 1);
  }
}

/// Bits on their way into a picture.
typedef struct output {
  uint8_t *at;
  /// The last `count` bits, in the lowest places; fewer than 32.
  uint64_t bits;
  unsigned count;
} output;

static inline void put_byte(output *output, uint8_t byte) {
  *output->at++ = byte;
  if (byte == 0xFF)
    *output->at++ = 0;
}

/// Puts the lowest `count` bits, at most 32.
static inline void put(output *output, uint64_t bits, unsigned count) {
  output->bits = output->bits << count | bits;
  output->count += count;
  if (output->count < 32)
    return;
  output->count -= 32;
  uint32_t word = (uint32_t)(output->bits >> output->count);
  // None of the bytes is 0xFF.
  if (!((~word - 0x01010101u) & word & 0x80808080u)) {
    for (int shift = 24; shift >= 0; shift -= 8)
      *output->at++ = (uint8_t)(word >> shift);
    return;
  }
  for (int shift = 24; shift >= 0; shift -= 8)
    put_byte(output, (uint8_t)(word >> shift));
}

/// Fills the last byte up with ones (T.81, F.1.2.3).
static void put_padding(output *output) {
  unsigned rest = output->count % 8;
  if (rest)
    put(output, (1u << (8 - rest)) - 1, 8 - rest);
  for (; output->count; output->count -= 8)
    put_byte(output, (uint8_t)(output->bits >> (output->count - 8)));
  output->bits = 0;
}

static int put_difference(output *output, const dc_codes *codes, int32_t difference) {
  uint32_t size = difference ? 32 - (uint32_t)__builtin_clz((uint32_t)abs(difference)) : 0;
  if (size >= MOST_CATEGORIES || !codes->length[size])
    return VF_LACKS_CODE;
  put(output, codes->code[size], codes->length[size]);
  uint32_t value = (uint32_t)(difference < 0 ? difference - 1 : difference);
  if (size)
    put(output, value & ((1u << size) - 1), size);
  return 0;
}

/// Copies a block, with another difference. Returns 0, or what is wrong.
static inline int copy_block(vf_bits *reader, output *output, const vf_huffman *dc,
                             const vf_huffman *ac, const dc_codes *codes, int32_t *last_dc,
                             int32_t *written_dc) {
  int32_t value;
  vf_bits_refill(reader);
  int step = vf_huffman_read(reader, dc, &value);
  if (step < 0)
    return step;
  *last_dc = vf_dc_after(*last_dc, value);
  // What no picture has would overflow.
  if (*last_dc < -(1 << 20) || *last_dc > 1 << 20)
    return VF_IMPOSSIBLE;
  int lacks = put_difference(output, codes, *last_dc - *written_dc);
  if (lacks)
    return lacks;
  *written_dc = *last_dc;
  for (unsigned k = 1; k < VF_BLOCK;) {
    vf_bits_refill(reader);
    uint64_t bits = reader->bits;
    uint16_t passed = ac->passed[vf_bits_peek(reader, VF_PASSED_BITS)];
    unsigned after = k + (passed >> VF_PASSED_COUNT & 127), taken = passed & VF_PASSED_TAKEN;
    int ends = passed & VF_PASSED_ENDS;
    if (passed && after <= VF_BLOCK) {
      vf_bits_take(reader, taken);
    } else {
      unsigned count = reader->count;
      step = vf_huffman_read(reader, ac, &value);
      if (step < 0)
        return step;
      taken = count - reader->count;
      ends = !step;
      after = k + (unsigned)step;
      if (after > VF_BLOCK)
        return VF_IMPOSSIBLE;
    }
    put(output, bits >> (64 - taken), taken);
    if (ends)
      return 0;
    k = after;
  }
  return 0;
}

typedef struct copier {
  vf_jpeg_writer *writer;
  vf_walk *walk;
  output output;
  dc_codes codes[VF_MOST_COMPONENTS];
  int32_t written_dc[VF_MOST_COMPONENTS];
} copier;

/// Makes room for a block, after what is written already. Returns 0 where there is none.
static int begin_writing(copier *copier, size_t room) {
  copier->output.at = vf_writer_reserve(copier->writer, room);
  return copier->output.at != NULL;
}

static void end_writing(copier *copier) {
  copier->writer->buffer.count = (size_t)(copier->output.at - copier->writer->buffer.bytes);
}

static int copy_mcu(copier *copier) {
  vf_walk *walk = copier->walk;
  if (!vf_walk_restart(walk))
    return VF_IMPOSSIBLE;
  for (unsigned i = 0; i < walk->scan.component_count; i++) {
    for (unsigned block = 0; block < walk->scan.components[i].blocks; block++) {
      if (!vf_window_is_ready(&walk->window))
        return vf_walk_fail(walk, VF_CUT_SHORT), VF_IMPOSSIBLE;
      // The writer tells that memory is too short, at the end.
      if (!begin_writing(copier, BLOCK_ROOM))
        return 0;
      vf_bits reader = walk->window.reader;
      int code = copy_block(&reader, &copier->output, walk->dc[i], walk->ac[i], &copier->codes[i],
                            &walk->last_dc[i], &copier->written_dc[i]);
      walk->window.reader = reader;
      end_writing(copier);
      if (code == VF_LACKS_CODE)
        return code;
      if (code < 0)
        return vf_walk_fail(walk, code), VF_IMPOSSIBLE;
    }
  }
  walk->mcu++;
  return 0;
}

static void end_interval(copier *copier) {
  if (!begin_writing(copier, BLOCK_ROOM))
    return;
  put_padding(&copier->output);
  end_writing(copier);
  for (unsigned i = 0; i < VF_MOST_COMPONENTS; i++)
    copier->written_dc[i] = 0;
}

int vf_scan_transcode(vf_jpeg_writer *writer, vf_walk *walk, size_t mcus_per_row,
                      const vf_mcu_part *part, unsigned interval) {
  copier copier = {.writer = writer, .walk = walk};
  for (unsigned i = 0; i < walk->scan.component_count; i++)
    make_codes(&copier.codes[i], walk->scan.components[i].dc);
  size_t written = 0;
  for (size_t row = part->top; row < part->bottom; row++) {
    if (!vf_walk_to(walk, row * mcus_per_row + part->left))
      return VF_IMPOSSIBLE;
    for (size_t column = part->left; column < part->right; column++, written++) {
      if (interval && written && written % interval == 0) {
        end_interval(&copier);
        vf_writer_append_marker(writer, (uint8_t)(VF_MARKER_RST0 + (written / interval - 1) % 8));
      }
      int code = copy_mcu(&copier);
      if (code || writer->failed)
        return code;
    }
  }
  // Whether the last block took more than there is.
  if (!vf_walk_end(walk))
    return VF_IMPOSSIBLE;
  end_interval(&copier);
  return 0;
}
