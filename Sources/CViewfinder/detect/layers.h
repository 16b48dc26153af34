#ifndef VF_CORE_DETECT_LAYERS_H
#define VF_CORE_DETECT_LAYERS_H

#include <stdbool.h>
#include <stdint.h>

#include "detect/kernels/kernels.h"

#pragma clang assume_nonnull begin

// Small networks in integers: bytes as activations and weights, sums of 32 bits, and one
// multiplication back to bytes. Scripts/train-card-eye makes their tables.

enum {
  /// The longest side of a picture.
  EYE_NET_SIDE = 256,
  /// Room for the largest tensor, and how many there are.
  EYE_TENSOR = 128 * 128 * 16,
  EYE_TENSORS = 16,
  /// The most channels of a tensor, the most answers, and the room for a row with its margins.
  EYE_DEPTH = 96,
  EYE_ANSWERS = 176,
  EYE_ROW = (EYE_NET_SIDE / 2 + 8) * EYE_DEPTH,
};

/// `EYE_FLATTEN` makes all numbers of a tensor one place's; `EYE_HEAD` gives the answers.
typedef enum eye_operation {
  EYE_CONV,
  EYE_DEPTHWISE,
  EYE_ADD,
  EYE_FLATTEN,
  EYE_HEAD
} eye_operation;

/// One step of a network.
typedef struct eye_step {
  eye_operation operation;
  /// Tensors: what is read (0: the picture), what is written, and what is added. −1: nothing is.
  int32_t input, output, side;
  int32_t in, out, kernel, stride, dilation;
  /// Where the step's weights, and its biases and multipliers begin.
  int32_t weights, channels;
  int32_t shift, side_multiplier;
} eye_step;

typedef struct eye_table {
  const eye_step *steps;
  int32_t count;
  const int8_t *weights;
  const int32_t *biases, *multipliers;
} eye_table;

/// A network: its table, and its weights, laid out for the kernels.
typedef struct eye_network {
  eye_table table;
  int16_t *_Nullable weights;
} eye_network;

/// What running needs: tensors, and rows of one as numbers of 16 bits with zeros around.
typedef struct eye_tensors {
  uint8_t tensors[EYE_TENSORS][EYE_TENSOR];
  int32_t widths[EYE_TENSORS], heights[EYE_TENSORS], depths[EYE_TENSORS];
  int16_t rows[5][EYE_ROW], zeros[EYE_ROW];
  int32_t sums[EYE_NET_SIDE / 2 * EYE_DEPTH];
} eye_tensors;

/// Lays out the weights. False when there is no memory. The caller frees `weights`.
bool eye_network_prepare(eye_network *network, eye_table table);

/// Runs a network over a picture of 8 bits. Its answers, of −2047 to 2047, go to `answers`, row
/// by row, those of each output `stride` numbers apart. False when there is no table, or none that
/// fits the picture.
bool eye_network_run(const eye_network *network, eye_tensors *space, const eye_kernels *kernels,
                     const uint8_t *picture, int32_t width, int32_t height, int16_t *answers,
                     int32_t stride);

#pragma clang assume_nonnull end

#endif
