#ifndef VF_JPEG_MARKERS_H
#define VF_JPEG_MARKERS_H

#include <stddef.h>
#include <stdint.h>

#include "vf_jpeg.h"

#pragma clang assume_nonnull begin

/// The low bytes of the markers that we tell apart (ITU-T T.81, table B.1).
enum {
  VF_MARKER_TEM = 0x01,
  VF_MARKER_SOF0 = 0xC0,
  VF_MARKER_DHT = 0xC4,
  VF_MARKER_JPG = 0xC8,
  VF_MARKER_DAC = 0xCC,
  VF_MARKER_RST0 = 0xD0,
  VF_MARKER_RST7 = 0xD7,
  VF_MARKER_SOI = 0xD8,
  VF_MARKER_EOI = 0xD9,
  VF_MARKER_SOS = 0xDA,
  VF_MARKER_DQT = 0xDB,
  VF_MARKER_DRI = 0xDD,
  VF_MARKER_APP0 = 0xE0,
  VF_MARKER_APP1 = 0xE1,
  VF_MARKER_APP15 = 0xEF,
  VF_MARKER_COM = 0xFE,
};

/// What a segment holds at most.
enum { VF_MAXIMUM_PAYLOAD = 65533 };

/// Whether a marker's segment says something about the picture that decoding it doesn't need.
static inline int vf_jpeg_is_metadata(uint8_t code) {
  return (code >= VF_MARKER_APP0 && code <= VF_MARKER_APP15) || code == VF_MARKER_COM;
}

/// Whether a marker begins a frame header (SOFn).
static inline int vf_jpeg_is_frame_header(uint8_t code) {
  return code >= VF_MARKER_SOF0 && code <= 0xCF && code != VF_MARKER_DHT && code != VF_MARKER_JPG &&
         code != VF_MARKER_DAC;
}

/// A marker found in a picture, with its segment where it has one.
typedef struct vf_jpeg_marker {
  /// The low byte.
  uint8_t code;
  /// Whether other bytes than fill bytes (0xFF) were skipped on the way.
  uint8_t skipped;
  /// Whether the segment's length is impossible. It has no payload then.
  uint8_t damaged;
  /// Where the marker's last 0xFF is.
  size_t start;
  /// The payload past the length field; its count is 0 for markers that have none.
  size_t payload, payload_count;
  /// The first byte after marker and payload.
  size_t end;
} vf_jpeg_marker;

/// Finds the first marker at or after `position`. Returns 0 when the data ends before one.
int vf_jpeg_next_marker(const uint8_t *bytes, size_t count, size_t position,
                        vf_jpeg_marker *marker);

/// Finds the next 0xFF at or after `at` that isn't stuffed with a zero and has a byte after it.
/// Returns `count` when there is none.
size_t vf_jpeg_find_unstuffed(const uint8_t *bytes, size_t at, size_t count);

/// Whether segments can be given to a picture: APPn or COM, with no more than a segment holds.
/// Returns 0, or reports `EINVAL`.
int vf_jpeg_check_segments(const vf_jpeg_segment *_Nullable segments, size_t count,
                           vf_failure *failure);

#pragma clang assume_nonnull end

#endif
