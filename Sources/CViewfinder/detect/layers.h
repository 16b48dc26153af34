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
  /// An `eye_operation`.
  uint8_t operation;
  /// Tensors: what is read (0: the picture), what is written, and what is added. −1: nothing is.
  int8_t input, output, side;
  int16_t in, out;
  uint8_t kernel, stride, dilation;
  /// Where the step's weights, and its biases and multipliers begin.
  int32_t weights;
  int16_t channels;
  /// By how many bits biases are shifted up, and what is multiplied down.
  uint8_t bias_shift, shift;
  int32_t side_multiplier;
} eye_step;

typedef struct eye_table {
  const eye_step *steps;
  int32_t count;
  const int8_t *weights;
  const int16_t *biases;
  const uint16_t *multipliers;
} eye_table;

/// A network: its table, its weights as the kernels read them, its multipliers, and its biases,
/// less what the picture's zero adds where its bytes are multiplied as they are.
typedef struct eye_network {
  eye_table table;
  const eye_kernels *kernels;
  int16_t *_Nullable weights;
  int32_t *_Nullable biases, *_Nullable multipliers;
} eye_network;

/// A row of a tensor with zeros around, as the kernels read it.
typedef union eye_row {
  int16_t numbers[EYE_ROW];
  uint8_t bytes[EYE_ROW];
} eye_row;

/// What running needs: tensors, and rows of one.
typedef struct eye_tensors {
  uint8_t tensors[EYE_TENSORS][EYE_TENSOR];
  int32_t widths[EYE_TENSORS], heights[EYE_TENSORS], depths[EYE_TENSORS];
  eye_row rows[5], zeros;
  int32_t sums[EYE_NET_SIDE / 2 * EYE_DEPTH];
} eye_tensors;

/// Lays out the weights for these kernels. False when there is no memory. `eye_network_release`
/// frees them, also then.
bool eye_network_prepare(eye_network *network, eye_table table, const eye_kernels *kernels);
void eye_network_release(eye_network *network);

/// Runs a network over a picture of 8 bits. Its answers, of −2047 to 2047, go to `answers`, row
/// by row, those of each output `stride` numbers apart. False when there is no table, or none that
/// fits the picture.
bool eye_network_run(const eye_network *network, eye_tensors *space, const uint8_t *picture,
                     int32_t width, int32_t height, int16_t *answers, int32_t stride);

#pragma clang assume_nonnull end

#endif
