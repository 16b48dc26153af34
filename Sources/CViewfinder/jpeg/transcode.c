#include "jpeg/transcode.h"

#include "jpeg/output.h"

enum { MOST_CATEGORIES = 16 };

static int put_difference(vf_output *output, const vf_codes *codes, int32_t difference) {
  unsigned size = vf_output_size(difference);
  if (size >= MOST_CATEGORIES || !codes->length[size])
    return VF_LACKS_CODE;
  vf_output_append_value(output, codes, size, difference, size);
  vf_output_flush(output);
  return 0;
}

/// Copies a block, with another difference. Returns 0, or what is wrong.
static inline int copy_block(vf_bits *reader, vf_output *output, const vf_huffman *dc,
                             const vf_huffman *ac, const vf_codes *codes, int32_t *last_dc,
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
    vf_output_put(output, bits >> (64 - taken), taken);
    if (ends)
      return 0;
    k = after;
  }
  return 0;
}

typedef struct copier {
  vf_jpeg_writer *writer;
  vf_walk *walk;
  vf_output output;
  vf_output_room room;
  vf_codes codes[VF_MOST_COMPONENTS];
  int32_t written_dc[VF_MOST_COMPONENTS];
} copier;

static int copy_mcu(copier *copier) {
  vf_walk *walk = copier->walk;
  if (!vf_walk_restart(walk))
    return VF_IMPOSSIBLE;
  for (unsigned i = 0; i < walk->scan.component_count; i++) {
    for (unsigned block = 0; block < walk->scan.components[i].blocks; block++) {
      if (!vf_window_is_ready(&walk->window))
        return vf_walk_fail(walk, VF_CUT_SHORT), VF_IMPOSSIBLE;
      vf_bits reader = walk->window.reader;
      int code = copy_block(&reader, &copier->output, walk->dc[i], walk->ac[i], &copier->codes[i],
                            &walk->last_dc[i], &copier->written_dc[i]);
      walk->window.reader = reader;
      if (code == VF_LACKS_CODE)
        return code;
      if (code < 0)
        return vf_walk_fail(walk, code), VF_IMPOSSIBLE;
    }
  }
  walk->mcu++;
  // The writer tells that memory is too short, at the end.
  if (vf_output_is_full(&copier->output, &copier->room))
    vf_output_empty(&copier->output, &copier->room, copier->writer);
  return 0;
}

static void end_interval(copier *copier) {
  vf_output_pad(&copier->output);
  vf_output_empty(&copier->output, &copier->room, copier->writer);
  for (unsigned i = 0; i < VF_MOST_COMPONENTS; i++)
    copier->written_dc[i] = 0;
}

int vf_scan_transcode(vf_jpeg_writer *writer, vf_walk *walk, size_t mcus_per_row,
                      const vf_mcu_part *part, unsigned interval) {
  copier copier = {.writer = writer, .walk = walk};
  copier.output.at = copier.room.bytes;
  vf_walk_prepare_to_pass(walk);
  for (unsigned i = 0; i < walk->scan.component_count; i++)
    vf_codes_make(&copier.codes[i], walk->scan.components[i].dc);
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
