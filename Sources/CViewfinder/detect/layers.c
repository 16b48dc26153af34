#include "detect/layers.h"

#include <stdlib.h>
#include <string.h>

static int32_t padded(int32_t outputs) { return (outputs + 7) / 8 * 8; }

/// Beyond a row's margin, whole vectors read a little more.
enum { BEYOND = 32 };

/// The byte that is 0: the picture's middle grey, any other tensor's least.
static uint8_t zero_of(int32_t tensor) { return tensor == 0 ? 128 : 0; }

/// How many numbers the kernels multiply with weights that lie together.
static int32_t group_of(const eye_kernels *kernels) { return kernels->multiply_bytes ? 4 : 2; }

/// How a dense step's products are taken: pieces of rows that lie together, and their length
/// rounded up to groups (what is read too much meets weights of zero).
static int32_t segments_of(const eye_step *step, int32_t group, int32_t *length) {
  bool is_whole = step->dilation == 1;
  int32_t numbers = is_whole ? step->kernel * step->in : step->in;
  *length = (numbers + group - 1) / group * group;
  return is_whole ? step->kernel : step->kernel * step->kernel;
}

static bool has_weights(const eye_step *step) {
  return step->operation != EYE_ADD && step->operation != EYE_FLATTEN;
}

/// How many biases and multipliers it has: one for each channel, or one for all of a sum.
static int32_t channels_of(const eye_step *step) {
  return has_weights(step) ? step->out : step->operation == EYE_ADD;
}

/// How many numbers of 16 bits a step's weights take, laid out.
static int32_t room_for(const eye_step *step, const eye_kernels *kernels) {
  if (!has_weights(step))
    return 0;
  if (step->operation == EYE_DEPTHWISE)
    return (kernels->depthwise_bytes ? 6 : 9) * step->out;
  int32_t length, segments = segments_of(step, group_of(kernels), &length);
  int32_t numbers = padded(step->out) * segments * length;
  return kernels->multiply_bytes ? numbers / 2 : numbers;
}

/// Lays out a dense step's weights: those of eight outputs together, for a group of numbers each.
static void lay_out(const eye_network *network, const eye_step *step, int16_t *weights) {
  int32_t group = group_of(network->kernels), length, segments = segments_of(step, group, &length);
  int32_t numbers = step->kernel * step->kernel * step->in / segments;
  const int8_t *from = network->table.weights + step->weights;
  int8_t *bytes = (int8_t *)weights;
  for (int32_t o = 0; o < step->out; o++) {
    int32_t sum = 0;
    for (int32_t i = 0; i < segments; i++) {
      int32_t block = (o / 8 * segments + i) * length * 8 + o % 8 * group;
      for (int32_t k = 0; k < numbers; k++, from++) {
        int32_t at = block + k / group * group * 8 + k % group;
        sum += *from;
        if (network->kernels->multiply_bytes)
          bytes[at] = *from;
        else
          weights[at] = *from;
      }
    }
    if (network->kernels->multiply_bytes)
      network->biases[step->channels + o] -= zero_of(step->input) * sum;
  }
}

/// Lays out a depthwise step's weights: as they are, or for bytes.
static void lay_out_depthwise(const eye_network *network, const eye_step *step, int16_t *weights) {
  int8_t *bytes = (int8_t *)weights;
  const int8_t *from = network->table.weights + step->weights;
  for (int32_t i = 0; i < 9; i++) {
    for (int32_t c = 0; c < step->out; c++, from++) {
      if (network->kernels->depthwise_bytes) {
        bytes[4 * (i % 3 * step->out + c) + i / 3] = *from;
        network->biases[step->channels + c] -= zero_of(step->input) * *from;
      } else {
        weights[i * step->out + c] = *from;
      }
    }
  }
}

bool eye_network_prepare(eye_network *network, eye_table table, const eye_kernels *kernels) {
  network->table = table;
  network->kernels = kernels;
  size_t total = 1, channels = 1;
  for (int32_t s = 0; s < table.count; s++) {
    total += (size_t)room_for(&table.steps[s], kernels);
    channels = (size_t)eye_max((int32_t)channels, table.steps[s].channels + table.steps[s].out);
  }
  network->weights = calloc(total, sizeof *network->weights);
  network->biases = calloc(channels, sizeof *network->biases);
  network->multipliers = calloc(channels, sizeof *network->multipliers);
  if (!network->weights || !network->biases || !network->multipliers)
    return false;
  int16_t *weights = network->weights;
  for (int32_t s = 0; s < table.count; s++) {
    const eye_step *step = &table.steps[s];
    int32_t first = step->channels, end = first + channels_of(step);
    for (int32_t c = first; c < end; c++) {
      network->biases[c] = table.biases[c] * (1 << step->bias_shift);
      network->multipliers[c] = table.multipliers[c];
    }
    if (!has_weights(step))
      continue;
    if (step->operation == EYE_DEPTHWISE)
      lay_out_depthwise(network, step, weights);
    else
      lay_out(network, step, weights);
    weights += room_for(step, kernels);
  }
  return true;
}

void eye_network_release(eye_network *network) {
  free(network->weights);
  free(network->biases);
  free(network->multipliers);
  network->weights = NULL;
  network->biases = NULL;
  network->multipliers = NULL;
}

/// Rows of a tensor as the kernels read them, with margins of zeros; the last five are kept.
typedef struct row_reader {
  eye_tensors *space;
  const uint8_t *from;
  int32_t width, height, depth, margin;
  int32_t kept[5];
  uint8_t zero;
  bool takes_bytes;
} row_reader;

static row_reader read_rows(eye_tensors *space, const uint8_t *picture, int32_t tensor,
                            int32_t margin, bool takes_bytes) {
  row_reader reader = {.space = space,
                       .from = tensor == 0 ? picture : space->tensors[tensor],
                       .width = space->widths[tensor],
                       .height = space->heights[tensor],
                       .depth = space->depths[tensor],
                       .margin = margin,
                       .kept = {-1, -1, -1, -1, -1},
                       .zero = zero_of(tensor),
                       .takes_bytes = takes_bytes};
  size_t count = (size_t)((reader.width + 2 * margin) * reader.depth + BEYOND);
  if (takes_bytes)
    memset(space->zeros.bytes, reader.zero, count);
  else
    memset(space->zeros.numbers, 0, count * sizeof *space->zeros.numbers);
  return reader;
}

/// Row `y`; it begins with the margin.
static const eye_row *read_row(row_reader *reader, int32_t y) {
  if (y < 0 || y >= reader->height)
    return &reader->space->zeros;
  eye_row *row = &reader->space->rows[y % 5];
  if (reader->kept[y % 5] == y)
    return row;
  reader->kept[y % 5] = y;
  int32_t margin = reader->margin * reader->depth, count = reader->width * reader->depth;
  const uint8_t *from = reader->from + y * count;
  size_t before = (size_t)margin, after = (size_t)(margin + BEYOND);
  uint8_t zero = reader->zero;
  if (reader->takes_bytes) {
    memset(row->bytes, zero, before);
    memcpy(row->bytes + margin, from, (size_t)count);
    memset(row->bytes + margin + count, zero, after);
    return row;
  }
  memset(row->numbers, 0, before * sizeof *row->numbers);
  for (int32_t i = 0; i < count; i++)
    row->numbers[margin + i] = (int16_t)(from[i] - zero);
  memset(row->numbers + margin + count, 0, after * sizeof *row->numbers);
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
  const eye_network *network;
  eye_tensors *space;
  const uint8_t *picture;
  int16_t *answers;
  int32_t stride;
} eye_run;

static bool run_layer(const eye_run *run, const eye_step *step, const int16_t *weights) {
  eye_tensors *space = run->space;
  const eye_kernels *kernels = run->network->kernels;
  int32_t margin = step->kernel / 2 * step->dilation;
  bool is_depthwise = step->operation == EYE_DEPTHWISE;
  bool takes_bytes = kernels->multiply_bytes;
  row_reader reader = read_rows(space, run->picture, step->input, margin, takes_bytes);
  int32_t width = (reader.width + step->stride - 1) / step->stride;
  int32_t height = (reader.height + step->stride - 1) / step->stride;
  int32_t outputs = padded(step->out);
  bool is_head = step->operation == EYE_HEAD;
  if (!set_size(space, step->output, width, height, is_head ? 8 : step->out))
    return false;
  int32_t biases[EYE_ANSWERS] = {0}, multipliers[EYE_ANSWERS] = {0};
  memcpy(biases, run->network->biases + step->channels, (size_t)step->out * sizeof *biases);
  memcpy(multipliers, run->network->multipliers + step->channels,
         (size_t)step->out * sizeof *multipliers);
  int32_t length, segment_count = segments_of(step, group_of(kernels), &length);
  int32_t across = segment_count / step->kernel;
  for (int32_t y = 0; y < height; y++) {
    const eye_row *rows[3];
    for (int32_t j = 0; j < step->kernel; j++)
      rows[j] = read_row(&reader, y * step->stride + j * step->dilation - margin);
    const int16_t *numbers[9];
    const uint8_t *bytes[9];
    for (int32_t i = 0; i < segment_count; i++) {
      int32_t at = i % across * step->dilation * reader.depth;
      numbers[i] = rows[i / across]->numbers + at;
      bytes[i] = rows[i / across]->bytes + at;
    }
    int32_t stride = step->stride * reader.depth;
    if (is_depthwise && takes_bytes)
      kernels->depthwise_bytes(space->sums, bytes, (const int8_t *)weights, biases, width,
                               step->out);
    else if (is_depthwise)
      kernels->depthwise_row(space->sums, numbers, weights, biases, width, step->out);
    else if (takes_bytes)
      kernels->multiply_bytes(space->sums, bytes, segment_count, length, stride,
                              (const int8_t *)weights, biases, width, outputs);
    else
      kernels->multiply(space->sums, numbers, segment_count, length, stride, weights, biases, width,
                        outputs);
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
    kernels->requantise(space->tensors[step->output] + at, space->sums,
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
    multipliers[c] = run->network->multipliers[step->channels];
  for (int32_t y = 0; y < height; y++) {
    const uint8_t *from = space->tensors[step->input] + y / 2 * half * depth;
    for (int32_t x = 0; x < width; x++) {
      for (int32_t c = 0; c < depth; c++)
        space->sums[x * depth + c] = from[x / 2 * depth + c];
    }
    int32_t at = y * width * depth;
    run->network->kernels->requantise(space->tensors[step->output] + at, space->sums,
                                      space->tensors[step->side] + at, multipliers,
                                      step->side_multiplier, step->shift, width, depth);
  }
  return true;
}

static bool flatten(eye_tensors *space, const eye_step *step) {
  int32_t *depth = &space->depths[step->input];
  *depth *= space->widths[step->input] * space->heights[step->input];
  space->widths[step->input] = space->heights[step->input] = 1;
  return *depth == step->out && *depth <= EYE_ROW - BEYOND;
}

bool eye_network_run(const eye_network *network, eye_tensors *space, const uint8_t *picture,
                     int32_t width, int32_t height, int16_t *answers, int32_t stride) {
  space->widths[0] = width;
  space->heights[0] = height;
  const eye_table *table = &network->table;
  space->depths[0] = table->count ? table->steps[0].in : 0;
  eye_run run = {network, space, picture, answers, stride};
  const int16_t *weights = network->weights;
  for (int32_t s = 0; s < table->count; s++) {
    const eye_step *step = &table->steps[s];
    bool is_run = step->operation == EYE_ADD       ? run_add(&run, step)
                  : step->operation == EYE_FLATTEN ? flatten(space, step)
                                                   : run_layer(&run, step, weights);
    if (!is_run)
      return false;
    weights += room_for(step, network->kernels);
  }
  return table->count > 0;
}
