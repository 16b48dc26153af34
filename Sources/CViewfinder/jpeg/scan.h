#ifndef VF_JPEG_SCAN_H
#define VF_JPEG_SCAN_H

#include "jpeg/header.h"
#include "jpeg/huffman.h"
#include "jpeg/rows.h"

#pragma clang assume_nonnull begin

/// Values of coefficients, from `-VF_NEAR_VALUES` to below `VF_NEAR_VALUES`, whose bits are found
/// together with their code.
enum { VF_NEAR_VALUES = 16 };

/// How one kind of component is coded, by the tables of ITU-T T.81, K.3.3.
typedef struct vf_scan_table {
  vf_codes dc, ac;
  /// By the zeros before a coefficient, up to 15, and its value: code and bits << 5 | how many.
  uint32_t near[16][2 * VF_NEAR_VALUES];
} vf_scan_table;

/// How a picture's luma and chroma are quantized and coded.
typedef struct vf_scan_tables {
  /// In natural order.
  uint16_t steps[2][VF_BLOCK];
  vf_quantizer quantizers[2];
  vf_scan_table tables[2];
} vf_scan_tables;

/// Makes the codes. Steps are still to be set.
void vf_scan_tables_begin(vf_scan_tables *tables);

/// Sets the steps of luma (0) or chroma (1), in natural order, each from 1 to 255.
void vf_scan_tables_set_steps(vf_scan_tables *tables, unsigned kind, const uint16_t *steps);

/// Appends the rest of a baseline picture, from its tables to its end: byte for byte what libjpeg
/// makes of the same rows by `JDCT_ISLOW`. MCUs between restart markers are `interval`, or 0.
///
/// The writer tells when memory was too short.
void vf_scan_append(vf_jpeg_writer *writer, const vf_scan_tables *tables, vf_rows *rows,
                    unsigned interval);

#pragma clang assume_nonnull end

#endif
