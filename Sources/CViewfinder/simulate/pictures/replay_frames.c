#include "simulate/pictures/replay_frames.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#define LARGEST_AREA ((uint64_t)200000000)

int vf_sim_replay_read(int file, void *bytes, size_t count, uint64_t offset) {
  uint8_t *at = bytes;
  while (count > 0) {
    ssize_t got = pread(file, at, count, (off_t)offset);
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      return errno;
    if (got == 0)
      return EBADMSG;
    at += got;
    offset += (uint64_t)got;
    count -= (size_t)got;
  }
  return 0;
}

int vf_sim_replay_add(vf_sim_replay *replay, vf_sim_span span) {
  if (replay->frame_count == VF_SIM_MOST_FRAMES)
    return EFBIG;
  if (replay->frame_count == replay->frame_capacity) {
    uint64_t capacity = replay->frame_capacity * 2 + 64;
    vf_sim_span *grown = realloc(replay->frames, capacity * sizeof *grown);
    if (!grown)
      return ENOMEM;
    replay->frames = grown;
    replay->frame_capacity = capacity;
  }
  replay->frames[replay->frame_count++] = span;
  return 0;
}

int vf_sim_replay_can_show(uint64_t width, uint64_t height) {
  return width >= 2 && height >= 2 && width <= 65500 && height <= 65500 &&
         width * height <= LARGEST_AREA;
}

int vf_sim_replay_open_frame(const vf_sim_replay *replay, const vf_sim_span *frame) {
  // A pipe among the pictures must not block.
  int file = frame->name ? openat(replay->file, frame->name, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
                         : fcntl(replay->file, F_DUPFD_CLOEXEC, 0);
  return file < 0 ? -errno : file;
}
