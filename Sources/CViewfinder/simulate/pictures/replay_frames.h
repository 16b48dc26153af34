#ifndef VF_SIM_REPLAY_FRAMES_H
#define VF_SIM_REPLAY_FRAMES_H

#include "simulate/pictures/source.h"

#pragma clang assume_nonnull begin

/// A limit that keeps memory in bounds whatever a file says.
#define VF_SIM_MOST_FRAMES ((uint64_t)4 << 20)

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

/// A recording: its files, and what is known of its frames.
typedef struct vf_sim_replay {
  vf_sim_replay_kind kind;
  uint8_t once;
  vf_sim_source_info info;
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
} vf_sim_replay;

/// Reads `count` bytes at `offset` of a file. `EBADMSG` when it ends early.
int vf_sim_replay_read(int file, void *bytes, size_t count, uint64_t offset);

/// Adds a frame at the end.
int vf_sim_replay_add(vf_sim_replay *replay, vf_sim_span span);

/// Whether frames of this size can be shown.
int vf_sim_replay_can_show(uint64_t width, uint64_t height);

/// Opens a picture of the replay. Returns a descriptor, or -errno.
int vf_sim_replay_open_frame(const vf_sim_replay *replay, const vf_sim_span *frame);

#pragma clang assume_nonnull end

#endif
