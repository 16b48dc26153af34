#ifndef VF_CORE_COLOUR_H
#define VF_CORE_COLOUR_H

#include <stdint.h>

#pragma clang assume_nonnull begin

// ITU-R BT.601 at full range as JFIF has it, in 16-bit fixed point, rounded as libjpeg rounds.

static inline uint8_t vf_clamp_byte(int32_t value) {
  return (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value);
}

static inline uint8_t vf_luma(int32_t red, int32_t green, int32_t blue) {
  return (uint8_t)((19595 * red + 38470 * green + 7471 * blue + 32768) >> 16);
}

static inline uint8_t vf_cb(int32_t red, int32_t green, int32_t blue) {
  return (uint8_t)((-11059 * red - 21709 * green + 32768 * blue + (128 << 16) + 32767) >> 16);
}

static inline uint8_t vf_cr(int32_t red, int32_t green, int32_t blue) {
  return (uint8_t)((32768 * red - 27439 * green - 5329 * blue + (128 << 16) + 32767) >> 16);
}

static inline uint8_t vf_red(int32_t luma, int32_t cr) {
  return vf_clamp_byte(luma + ((91881 * (cr - 128) + 32768) >> 16));
}

static inline uint8_t vf_green(int32_t luma, int32_t cb, int32_t cr) {
  return vf_clamp_byte(luma + ((-22554 * (cb - 128) - 46802 * (cr - 128) + 32768) >> 16));
}

static inline uint8_t vf_blue(int32_t luma, int32_t cb) {
  return vf_clamp_byte(luma + ((116130 * (cb - 128) + 32768) >> 16));
}

/// Luma of 16…235 at full range.
static inline uint8_t vf_full_luma(int32_t luma) {
  return vf_clamp_byte(((luma - 16) * 510 + 219) / 438);
}

/// Chroma of 16…240 at full range; the middle stays 128.
static inline uint8_t vf_full_chroma(int32_t chroma) {
  return vf_clamp_byte((((chroma - 128) * 255 + (128 * 224) + 112) / 224));
}

#pragma clang assume_nonnull end

#endif
