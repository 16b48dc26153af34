#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "detect/workspace.h"

// The small network, in integers: bytes as activations and weights, sums of 32 bits, and one
// multiplication back to bytes. It marks cards' faces, borders, corners, and the way to the nearest
// side, at a quarter of its input's size.

typedef enum eye_operation { EYE_CONV, EYE_DEPTHWISE, EYE_ADD, EYE_HEAD } eye_operation;

/// One step of the network; Scripts/train-card-eye makes the table.
typedef struct eye_step {
  eye_operation operation;
  /// Tensors: what is read, what is written, and what is added. −1: nothing is.
  int32_t input, output, side;
  int32_t in, out, kernel, stride, dilation;
  /// Where the step's weights, and its biases and multipliers begin.
  int32_t weights, channels;
  int32_t shift, side_multiplier;
} eye_step;

#if __has_include("detect/tables/network.inc")
#include "detect/tables/network.inc"
enum { STEPS = sizeof eye_steps / sizeof *eye_steps };
#else
static const int8_t eye_weights[] = {0};
static const int32_t eye_biases[] = {0}, eye_multipliers[] = {0};
static const eye_step eye_steps[] = {{.operation = EYE_ADD}};
enum { STEPS = 0 };
#endif

static int32_t padded(int32_t outputs) { return (outputs + 7) / 8 * 8; }

/// How a dense step's products are taken: pieces of rows that lie together, and their length
/// rounded up to pairs (what is read too much meets weights of zero).
static int32_t segments_of(const eye_step *step, int32_t *length) {
  bool is_whole = step->dilation == 1;
  int32_t numbers = is_whole ? step->kernel * step->in : step->in;
  *length = (numbers + 1) / 2 * 2;
  return is_whole ? step->kernel : step->kernel * step->kernel;
}

bool eye_prepare_network(vf_eye *eye) {
  size_t total = 1;
  for (int32_t s = 0; s < STEPS; s++) {
    const eye_step *step = &eye_steps[s];
    int32_t length, segments = segments_of(step, &length);
    if (step->operation == EYE_CONV || step->operation == EYE_HEAD)
      total += (size_t)(padded(step->out) * segments * length);
    else if (step->operation == EYE_DEPTHWISE)
      total += (size_t)(9 * step->out);
  }
  int16_t *weights = calloc(total, sizeof *weights);
  if (!weights)
    return false;
  eye->network.weights = weights;
  for (int32_t s = 0; s < STEPS; s++) {
    const eye_step *step = &eye_steps[s];
    const int8_t *from = eye_weights + step->weights;
    if (step->operation == EYE_DEPTHWISE) {
      for (int32_t i = 0; i < 9 * step->out; i++)
        *weights++ = from[i];
    } else if (step->operation != EYE_ADD) {
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
      weights += padded(step->out) * segments * length;
    }
  }
  return true;
}

/// Rows of a tensor as numbers of 16 bits, with margins of zeros; the last five are kept.
typedef struct row_reader {
  eye_network_space *space;
  const uint8_t *bytes;
  int32_t width, height, depth, margin;
  int32_t kept[5];
  /// 128 for the picture, else 0.
  int16_t zero;
} row_reader;

static row_reader read_rows(eye_network_space *space, const uint8_t *bytes, int32_t tensor,
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

static bool set_size(eye_network_space *space, int32_t tensor, int32_t width, int32_t height,
                     int32_t depth) {
  if (depth > EYE_DEPTH || width > EYE_NET_SIDE / 2 || width * height * depth > EYE_TENSOR)
    return false;
  space->widths[tensor] = width;
  space->heights[tensor] = height;
  space->depths[tensor] = depth;
  return true;
}

static bool run_layer(vf_eye *eye, const eye_step *step, const uint8_t *picture,
                      const int16_t *weights) {
  eye_network_space *space = &eye->network;
  int32_t margin = step->kernel / 2 * step->dilation;
  row_reader reader = read_rows(space, picture, step->input, margin);
  int32_t width = (reader.width + step->stride - 1) / step->stride;
  int32_t height = (reader.height + step->stride - 1) / step->stride;
  int32_t outputs = padded(step->out);
  bool is_head = step->operation == EYE_HEAD;
  if (!set_size(space, step->output, width, height, is_head ? 8 : step->out))
    return false;
  int32_t biases[EYE_DEPTH] = {0}, multipliers[EYE_DEPTH] = {0};
  memcpy(biases, eye_biases + step->channels, (size_t)step->out * sizeof *biases);
  memcpy(multipliers, eye_multipliers + step->channels, (size_t)step->out * sizeof *multipliers);
  int32_t length, segment_count = segments_of(step, &length);
  for (int32_t y = 0; y < height; y++) {
    const int16_t *rows[3];
    for (int32_t j = 0; j < step->kernel; j++)
      rows[j] = read_row(&reader, y * step->stride + j * step->dilation - margin);
    if (step->operation == EYE_DEPTHWISE) {
      eye->kernels->depthwise_row(space->sums, rows, weights, biases, width, step->out);
    } else {
      const int16_t *segments[9];
      int32_t across = segment_count / step->kernel;
      for (int32_t i = 0; i < segment_count; i++)
        segments[i] = rows[i / across] + i % across * step->dilation * reader.depth;
      eye->kernels->multiply(space->sums, segments, segment_count, length,
                             step->stride * reader.depth, weights, biases, width, outputs);
    }
    if (is_head) {
      for (int32_t x = 0; x < width; x++) {
        for (int32_t o = 0; o < EYE_MAPS; o++) {
          int64_t value = (int64_t)space->sums[x * outputs + o] * multipliers[o];
          value = (value + ((int64_t)1 << (step->shift - 1))) >> step->shift;
          eye->maps[o][y * width + x] = (int16_t)(value < -2047  ? -2047
                                                  : value > 2047 ? 2047
                                                                 : value);
        }
      }
      continue;
    }
    int32_t at = y * width * step->out;
    eye->kernels->requantise(space->tensors[step->output] + at, space->sums,
                             step->side < 0 ? NULL : space->tensors[step->side] + at, multipliers,
                             step->side_multiplier, step->shift, width, step->out);
  }
  return true;
}

/// The sum of a tensor enlarged twice, and another.
static bool run_add(vf_eye *eye, const eye_step *step) {
  eye_network_space *space = &eye->network;
  int32_t width = space->widths[step->side], height = space->heights[step->side];
  int32_t depth = space->depths[step->side], half = space->widths[step->input];
  if (depth != space->depths[step->input] || 2 * half != width ||
      2 * space->heights[step->input] != height ||
      !set_size(space, step->output, width, height, depth))
    return false;
  int32_t multipliers[EYE_DEPTH];
  for (int32_t c = 0; c < depth; c++)
    multipliers[c] = eye_multipliers[step->channels];
  for (int32_t y = 0; y < height; y++) {
    const uint8_t *from = space->tensors[step->input] + y / 2 * half * depth;
    for (int32_t x = 0; x < width; x++) {
      for (int32_t c = 0; c < depth; c++)
        space->sums[x * depth + c] = from[x / 2 * depth + c];
    }
    int32_t at = y * width * depth;
    eye->kernels->requantise(space->tensors[step->output] + at, space->sums,
                             space->tensors[step->side] + at, multipliers, step->side_multiplier,
                             step->shift, width, depth);
  }
  return true;
}

static bool run(vf_eye *eye, const uint8_t *picture, int32_t width, int32_t height) {
  eye_network_space *space = &eye->network;
  space->widths[0] = width;
  space->heights[0] = height;
  space->depths[0] = 3;
  eye->map_width = width / 4;
  eye->map_height = height / 4;
  const int16_t *weights = space->weights;
  for (int32_t s = 0; s < STEPS; s++) {
    const eye_step *step = &eye_steps[s];
    if (step->operation == EYE_ADD) {
      if (!run_add(eye, step))
        return false;
      continue;
    }
    if (!run_layer(eye, step, picture, weights))
      return false;
    int32_t length, segments = segments_of(step, &length);
    weights +=
        step->operation == EYE_DEPTHWISE ? 9 * step->out : padded(step->out) * segments * length;
  }
  return true;
}

void eye_run_network(vf_eye *eye) {
  if (STEPS == 0 || !run(eye, eye->small, eye->small_width, eye->small_height)) {
    eye->map_width = eye->small_width / 4;
    eye->map_height = eye->small_height / 4;
    memset(eye->maps, 0, sizeof eye->maps);
  }
  for (int i = 0; i < 3; i++) {
    for (int32_t k = 0; k < eye->map_width * eye->map_height; k++)
      eye->chances[i][k] = (uint8_t)((vf_eye_logistic(eye->maps[i][k] * 16) * 255 + 16384) / 32767);
  }
}

int vf_eye_run_network(vf_eye *eye, const uint8_t *bgr, uint32_t width, uint32_t height,
                       int16_t *maps) {
  if (width % 32 || height % 32 || !width || !height || width > EYE_NET_SIDE ||
      height > EYE_NET_SIDE || STEPS == 0 || !run(eye, bgr, (int32_t)width, (int32_t)height))
    return -EINVAL;
  vf_eye_maps(eye, maps);
  return 0;
}
