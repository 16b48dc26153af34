#ifndef VF_JPEG_WALK_H
#define VF_JPEG_WALK_H

#include "jpeg/huffman.h"

#pragma clang assume_nonnull begin

enum { VF_MOST_COMPONENTS = 4 };

/// A component as a scan has it.
typedef struct vf_scan_component {
  /// Its blocks in an MCU.
  unsigned blocks;
  /// Its Huffman tables as DHT has them: 16 numbers of codes by length, then the symbols.
  const uint8_t *dc, *ac;
} vf_scan_component;

/// A sequential, Huffman-coded scan.
typedef struct vf_scan {
  vf_scan_component components[VF_MOST_COMPONENTS];
  unsigned component_count;
  size_t mcus;
  /// MCUs between restart markers, or 0.
  unsigned restart_interval;
} vf_scan;

/// A way through the MCUs of a scan, from one to the next or to one that is farther on.
///
/// Whatever it has to read on the way must be as it must be: damage ends it, and is told by words.
typedef struct vf_walk {
  vf_scan scan;
  /// The MCU that comes next, and how many restart markers lie behind.
  size_t mcu, restarts;
  /// By component: its tables, and the DC coefficient of its last block.
  const vf_huffman *_Nonnull dc[VF_MOST_COMPONENTS], *_Nonnull ac[VF_MOST_COMPONENTS];
  int32_t last_dc[VF_MOST_COMPONENTS];
  /// What is wrong with the data, or NULL.
  const char *_Nullable damage;
  /// Whether the tables can pass over codes.
  int can_pass;
  /// Tables that were made, and what of.
  vf_huffman tables[2 * VF_MOST_COMPONENTS];
  const uint8_t *_Nullable definitions[2 * VF_MOST_COMPONENTS];
  vf_window window;
} vf_walk;

/// Begins a walk through the entropy-coded data in `start` ..< `end`. Returns 0 with `damage` set
/// when the Huffman tables can't be.
int vf_walk_begin(vf_walk *walk, const vf_scan *scan, const uint8_t *bytes, size_t start,
                  size_t end);

/// Makes `mcu`, which doesn't lie behind, the one that comes next: over restart markers where they
/// are on the way, else by passing over the codes. Returns 0 when there is damage.
int vf_walk_to(vf_walk *walk, size_t mcu);

/// Passes over restart interval `number`, from 0, which doesn't lie behind: its data are in
/// `*start`
/// ..< `*end`. Returns 0 when there is damage.
int vf_walk_pass_interval(vf_walk *walk, size_t number, size_t *start, size_t *end);

/// Reads the restart marker that is due before the next MCU, where one is; its blocks are read
/// after that. Returns 0 when there is damage.
int vf_walk_restart(vf_walk *walk);

/// A DC coefficient by its difference from the last one; damaged ones may be anything.
static inline int32_t vf_dc_after(int32_t last, int32_t difference) {
  return (int32_t)((uint32_t)last + (uint32_t)difference);
}

/// Makes the tables ready to pass over codes: for a small picture that is a good part of the work,
/// so it is left to those who do.
void vf_walk_prepare_to_pass(vf_walk *walk);

/// Passes over a block of a component, keeping its DC coefficient. Returns 0 when there is damage.
int vf_walk_pass_block(vf_walk *walk, unsigned component);

/// Passes over the next MCU, with the restart marker before it where one is due. Returns 0 when
/// there is damage.
int vf_walk_pass_mcu(vf_walk *walk);

/// Where the data of the last MCU that was read end. Returns 0 when there are fewer than were read.
size_t vf_walk_end(vf_walk *walk);

/// Notes what a reading of codes gave, below 0; returns 0.
int vf_walk_fail(vf_walk *walk, int code);

#pragma clang assume_nonnull end

#endif
