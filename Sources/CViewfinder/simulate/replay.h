#ifndef VF_CORE_SIMULATOR_REPLAY_H
#define VF_CORE_SIMULATOR_REPLAY_H

#include "simulate/simulator.h"

#pragma clang assume_nonnull begin

typedef enum vf_sim_replay_kind {
  /// A folder of pictures, or one picture.
  VF_SIM_REPLAY_PICTURES,
  /// JPEGs one after the other.
  VF_SIM_REPLAY_MJPEG,
  VF_SIM_REPLAY_Y4M
} vf_sim_replay_kind;

/// Where a frame lies in its file.
typedef struct vf_sim_span {
  uint64_t offset, length;
  /// Pictures: the file's name in the folder, and whether it is a JPEG.
  char *_Nullable name;
  uint8_t is_jpeg;
} vf_sim_span;

struct vf_sim_replay {
  vf_sim_replay_kind kind;
  uint8_t once;
  vf_sim_replay_info info;
  /// The folder, or the file.
  int file;
  uint64_t file_size;
  vf_sim_span *_Nullable frames;
  uint64_t frame_count, frame_capacity;
  /// Streams are indexed as they play: how far, and whether to the end.
  uint64_t scanned;
  uint8_t complete;
  /// The part of the stream being looked at.
  uint8_t *_Nullable window;
  uint64_t window_start;
  size_t window_count, window_capacity;
  /// Y4M: the planes' layout and range.
  uint32_t fourcc;
  uint8_t limited_range;
  size_t frame_size;
  /// The frame converted last, and from what.
  uint8_t *_Nullable converted;
  size_t converted_count, converted_capacity;
  uint64_t converted_frame;
  uint32_t converted_fourcc, converted_revision;
  uint8_t converted_is_set;
  vf_encoder *_Nullable encoder;
};

/// Reads `count` bytes at `offset` of a file. 0, or a positive errno; `EBADMSG` when it ends early.
int vf_sim_read(int file, void *bytes, size_t count, uint64_t offset);

/// Opens a picture of the replay. Returns a descriptor, or -errno.
int vf_sim_replay_open_frame(const vf_sim_replay *replay, const vf_sim_span *frame);

/// The index of the frame to show as number `sequence`; -1 when the replay is over.
int64_t vf_sim_replay_find(vf_sim_replay *replay, uint32_t sequence);

#pragma clang assume_nonnull end

#endif
