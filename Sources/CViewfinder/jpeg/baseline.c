#include "jpeg/baseline.h"

#include <stdbool.h>
#include <stdlib.h>

#include "jpeg/samples.h"
#include "jpeg/tables.h"
#include "pixels/image.h"

/// A table as DHT has it; one of the standard's where the picture brings none.
static const uint8_t *_Nullable definition(const JHUFF_TBL *_Nullable table, unsigned class,
                                           int number) {
  _Static_assert(offsetof(JHUFF_TBL, huffval) == offsetof(JHUFF_TBL, bits) + 17,
                 "The symbols follow the numbers of codes.");
  if (table)
    return (const uint8_t *)table + offsetof(JHUFF_TBL, bits) + 1;
  return number >= 0 && number <= 1 ? vf_standard_table(class, (unsigned)number) : NULL;
}

static bool has_one_sequential_scan(j_decompress_ptr codec) {
  return !codec->progressive_mode && !codec->arith_code && codec->data_precision == 8 &&
         codec->comps_in_scan == codec->num_components &&
         codec->num_components <= VF_MOST_COMPONENTS;
}

size_t vf_baseline_describe(j_decompress_ptr codec, vf_scan *scan) {
  *scan = (vf_scan){0};
  if (!has_one_sequential_scan(codec))
    return 0;
  scan->component_count = (unsigned)codec->num_components;
  scan->restart_interval = codec->restart_interval;
  // A component alone goes block by block.
  bool alone = codec->num_components == 1;
  for (int i = 0; i < codec->num_components; i++) {
    const jpeg_component_info *component = codec->cur_comp_info[i];
    int dc = component->dc_tbl_no, ac = component->ac_tbl_no;
    const uint8_t *dc_table = NULL, *ac_table = NULL;
    if (dc >= 0 && dc < NUM_HUFF_TBLS)
      dc_table = definition(codec->dc_huff_tbl_ptrs[dc], 0, dc);
    if (ac >= 0 && ac < NUM_HUFF_TBLS)
      ac_table = definition(codec->ac_huff_tbl_ptrs[ac], 1, ac);
    if (component != &codec->comp_info[i] || !dc_table || !ac_table)
      return 0;
    unsigned blocks = (unsigned)component->h_samp_factor * (unsigned)component->v_samp_factor;
    scan->components[i] =
        (vf_scan_component){.blocks = alone ? 1 : blocks, .dc = dc_table, .ac = ac_table};
  }
  size_t across = alone ? 8 : 8 * (size_t)codec->max_h_samp_factor;
  size_t down = alone ? 8 : 8 * (size_t)codec->max_v_samp_factor;
  size_t per_row = (codec->image_width + across - 1) / across;
  scan->mcus = per_row * ((codec->image_height + down - 1) / down);
  return per_row;
}

static bool describe_samples(j_decompress_ptr codec, const vf_baseline_part *part,
                             vf_samples *samples) {
  bool alone = codec->num_components == 1;
  for (int i = 0; i < codec->num_components; i++) {
    const jpeg_component_info *component = &codec->comp_info[i];
    int number = component->quant_tbl_no;
    const JQUANT_TBL *table =
        number >= 0 && number < NUM_QUANT_TBLS ? codec->quant_tbl_ptrs[number] : NULL;
    if (!table)
      return false;
    unsigned shift_x = i ? part->shift_x : 0, shift_y = i ? part->shift_y : 0;
    vf_samples *to = &samples[i];
    *to = (vf_samples){
        .plane = &part->image->planes[i],
        .x = part->x >> shift_x,
        .y = part->y >> shift_y,
        .size = part->sizes[i],
        .across = alone ? 1 : (unsigned)component->h_samp_factor,
        .down = alone ? 1 : (unsigned)component->v_samp_factor,
    };
    vf_image_plane_size(part->image, (uint32_t)i, &to->width, &to->height);
    for (int k = 0; k < VF_BLOCK; k++)
      to->quantization[k] = (int16_t)table->quantval[k];
  }
  return true;
}

int vf_baseline_decode(j_decompress_ptr codec, const uint8_t *bytes, size_t count,
                       const vf_baseline_part *part) {
  vf_scan scan;
  vf_samples samples[3];
  size_t per_row = vf_baseline_describe(codec, &scan);
  if (!per_row || codec->num_components > 3 || !describe_samples(codec, part, samples))
    return 0;
  // Too large for a small thread's stack.
  vf_walk *walk = malloc(sizeof *walk);
  if (!walk)
    return 0;
  size_t start = (size_t)(codec->src->next_input_byte - bytes);
  int done = start <= count && vf_walk_begin(walk, &scan, bytes, start, count) &&
             vf_samples_read(walk, samples, per_row);
  free(walk);
  return done;
}
