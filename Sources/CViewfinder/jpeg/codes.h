#ifndef VF_JPEG_CODES_H
#define VF_JPEG_CODES_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// A component as a scan has it.
typedef struct vf_scan_component {
  /// Its blocks in an MCU.
  unsigned blocks;
  /// Its Huffman tables as DHT has them: 16 numbers of codes by length, then the symbols.
  const uint8_t *dc, *ac;
} vf_scan_component;

/// A sequential, Huffman-coded scan.
typedef struct vf_scan {
  vf_scan_component components[4];
  unsigned component_count;
  size_t mcus;
  /// MCUs between restart markers, or 0.
  unsigned restart_interval;
} vf_scan;

/// Reads the codes of a scan whose entropy-coded data is in `start` ..< `end`, without making
/// pixels of them, and counts its MCUs.
///
/// Returns the end of the last MCU's data, past which only padding is left; 0 with `*damage` when
/// the data ends before, or has codes that can't be.
size_t vf_scan_read_codes(const uint8_t *bytes, size_t start, size_t end, const vf_scan *scan,
                          const char *_Nullable *_Nonnull damage);

#pragma clang assume_nonnull end

#endif
