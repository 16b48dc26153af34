#include "detect/layers.h"

#include <stdlib.h>
#include <string.h>

static int32_t padded(int32_t outputs) { return (outputs + 7) / 8 * 8; }

/// How a dense step's products are taken: pieces of rows that lie together, and their length
/// rounded up to pairs (what is read too much meets weights of zero).
static int32_t segments_of(const eye_step *step, int32_t *length) {
  bool is_whole = step->dilation == 1;
  int32_t numbers = is_whole ? step->kernel * step->in : step->in;
  *length = (numbers + 1) / 2 * 2;
  return is_whole ? step->kernel : step->kernel * step->kernel;
}

/// How many numbers a step's weights take, laid out.
static int32_t room_for(const eye_step *step) {
  if (step->operation == EYE_ADD || step->operation == EYE_FLATTEN)
    return 0;
  if (step->operation == EYE_DEPTHWISE)
    return 9 * step->out;
  int32_t length, segments = segments_of(step, &length);
  return padded(step->out) * segments * length;
}

bool eye_network_prepare(eye_network *network, eye_table table) {
  network->table = table;
  size_t total = 1;
  for (int32_t s = 0; s < table.count; s++)
    total += (size_t)room_for(&table.steps[s]);
  int16_t *weights = calloc(total, sizeof *weights);
  if (!weights)
    return false;
  network->weights = weights;
  for (int32_t s = 0; s < table.count; s++) {
    const eye_step *step = &table.steps[s];
    const int8_t *from = table.weights + step->weights;
    if (step->operation == EYE_DEPTHWISE) {
      for (int32_t i = 0; i < 9 * step->out; i++)
        weights[i] = from[i];
    } else if (room_for(step) > 0) {
      int32_t length, segments = segments_of(step, &length);
      int32_t numbers = step->kernel * step->kernel * step->in / segments;
      for (int32_t o = 0; o < step->out; o++) {
        for (int32_t i = 0; i < segments; i++) {
          // Eight outputs by two numbers at a time.
          int16_t *block = weights + (o / 8 * segments + i) * length * 8 + o % 8 * 2;
          for (int32_t k = 0; k < numbers; k++)
            block[k / 2 * 16 + k % 2] = *from++;
        }
      }
    }
    weights += room_for(step);
  }
  return true;
}

/// Rows of a tensor as numbers of 16 bits, with margins of zeros; the last five are kept.
typedef struct row_reader {
  eye_tensors *space;
  const uint8_t *bytes;
  int32_t width, height, depth, margin;
  int32_t kept[5];
  /// 128 for the picture, else 0.
  int16_t zero;
} row_reader;

static row_reader read_rows(eye_tensors *space, const uint8_t *bytes, int32_t tensor,
                            int32_t margin) {
  row_reader reader = {.space = space,
                       .bytes = tensor == 0 ? bytes : space->tensors[tensor],
                       .width = space->widths[tensor],
                       .height = space->heights[tensor],
                       .depth = space->depths[tensor],
                       .margin = margin,
                       .kept = {-1, -1, -1, -1, -1},
                       .zero = tensor == 0 ? 128 : 0};
  return reader;
}

/// Row `y`; it begins with the margin.
static const int16_t *read_row(row_reader *reader, int32_t y) {
  if (y < 0 || y >= reader->height)
    return reader->space->zeros;
  int16_t *row = reader->space->rows[y % 5];
  if (reader->kept[y % 5] == y)
    return row;
  reader->kept[y % 5] = y;
  int32_t margin = reader->margin * reader->depth, count = reader->width * reader->depth;
  const uint8_t *bytes = reader->bytes + y * count;
  int16_t zero = reader->zero;
  memset(row, 0, (size_t)margin * sizeof *row);
  for (int32_t i = 0; i < count; i++)
    row[margin + i] = (int16_t)(bytes[i] - zero);
  // Beyond the margin, whole vectors read a little more.
  memset(row + margin + count, 0, (size_t)(margin + 32) * sizeof *row);
  return row;
}

static bool set_size(eye_tensors *space, int32_t tensor, int32_t width, int32_t height,
                     int32_t depth) {
  if (depth > EYE_DEPTH || width > EYE_NET_SIDE / 2 || width * height * depth > EYE_TENSOR)
    return false;
  space->widths[tensor] = width;
  space->heights[tensor] = height;
  space->depths[tensor] = depth;
  return true;
}

/// What a run has at hand.
typedef struct eye_run {
  const eye_table *table;
  eye_tensors *space;
  const eye_kernels *kernels;
  const uint8_t *picture;
  int16_t *answers;
  int32_t stride;
} eye_run;

static bool run_layer(const eye_run *run, const eye_step *step, const int16_t *weights) {
  eye_tensors *space = run->space;
  int32_t margin = step->kernel / 2 * step->dilation;
  row_reader reader = read_rows(space, run->picture, step->input, margin);
  int32_t width = (reader.width + step->stride - 1) / step->stride;
  int32_t height = (reader.height + step->stride - 1) / step->stride;
  int32_t outputs = padded(step->out);
  bool is_head = step->operation == EYE_HEAD;
  if (!set_size(space, step->output, width, height, is_head ? 8 : step->out))
    return false;
  int32_t biases[EYE_ANSWERS] = {0}, multipliers[EYE_ANSWERS] = {0};
  memcpy(biases, run->table->biases + step->channels, (size_t)step->out * sizeof *biases);
  memcpy(multipliers, run->table->multipliers + step->channels,
         (size_t)step->out * sizeof *multipliers);
  int32_t length, segment_count = segments_of(step, &length);
  for (int32_t y = 0; y < height; y++) {
    const int16_t *rows[3];
    for (int32_t j = 0; j < step->kernel; j++)
      rows[j] = read_row(&reader, y * step->stride + j * step->dilation - margin);
    if (step->operation == EYE_DEPTHWISE) {
      run->kernels->depthwise_row(space->sums, rows, weights, biases, width, step->out);
    } else {
      const int16_t *segments[9];
      int32_t across = segment_count / step->kernel;
      for (int32_t i = 0; i < segment_count; i++)
        segments[i] = rows[i / across] + i % across * step->dilation * reader.depth;
      run->kernels->multiply(space->sums, segments, segment_count, length,
                             step->stride * reader.depth, weights, biases, width, outputs);
    }
    if (is_head) {
      for (int32_t x = 0; x < width; x++) {
        for (int32_t o = 0; o < step->out; o++) {
          int64_t value = (int64_t)space->sums[x * outputs + o] * multipliers[o];
          value = (value + ((int64_t)1 << (step->shift - 1))) >> step->shift;
          run->answers[o * run->stride + y * width + x] = (int16_t)(value < -2047  ? -2047
                                                                    : value > 2047 ? 2047
                                                                                   : value);
        }
      }
      continue;
    }
    int32_t at = y * width * step->out;
    run->kernels->requantise(space->tensors[step->output] + at, space->sums,
                             step->side < 0 ? NULL : space->tensors[step->side] + at, multipliers,
                             step->side_multiplier, step->shift, width, step->out);
  }
  return true;
}

/// The sum of a tensor enlarged twice, and another.
static bool run_add(const eye_run *run, const eye_step *step) {
  eye_tensors *space = run->space;
  int32_t width = space->widths[step->side], height = space->heights[step->side];
  int32_t depth = space->depths[step->side], half = space->widths[step->input];
  if (depth != space->depths[step->input] || 2 * half != width ||
      2 * space->heights[step->input] != height ||
      !set_size(space, step->output, width, height, depth))
    return false;
  int32_t multipliers[EYE_DEPTH];
  for (int32_t c = 0; c < depth; c++)
    multipliers[c] = run->table->multipliers[step->channels];
  for (int32_t y = 0; y < height; y++) {
    const uint8_t *from = space->tensors[step->input] + y / 2 * half * depth;
    for (int32_t x = 0; x < width; x++) {
      for (int32_t c = 0; c < depth; c++)
        space->sums[x * depth + c] = from[x / 2 * depth + c];
    }
    int32_t at = y * width * depth;
    run->kernels->requantise(space->tensors[step->output] + at, space->sums,
                             space->tensors[step->side] + at, multipliers, step->side_multiplier,
                             step->shift, width, depth);
  }
  return true;
}

static bool flatten(eye_tensors *space, const eye_step *step) {
  int32_t *depth = &space->depths[step->input];
  *depth *= space->widths[step->input] * space->heights[step->input];
  space->widths[step->input] = space->heights[step->input] = 1;
  return *depth == step->out && *depth <= EYE_ROW - 32;
}

bool eye_network_run(const eye_network *network, eye_tensors *space, const eye_kernels *kernels,
                     const uint8_t *picture, int32_t width, int32_t height, int16_t *answers,
                     int32_t stride) {
  space->widths[0] = width;
  space->heights[0] = height;
  space->depths[0] = network->table.count ? network->table.steps[0].in : 0;
  const eye_table *table = &network->table;
  eye_run run = {table, space, kernels, picture, answers, stride};
  const int16_t *weights = network->weights;
  for (int32_t s = 0; s < table->count; s++) {
    const eye_step *step = &table->steps[s];
    bool is_run = step->operation == EYE_ADD       ? run_add(&run, step)
                  : step->operation == EYE_FLATTEN ? flatten(space, step)
                                                   : run_layer(&run, step, weights);
    if (!is_run)
      return false;
    weights += room_for(step);
  }
  return table->count > 0;
}
