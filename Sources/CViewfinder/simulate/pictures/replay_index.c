#include "simulate/pictures/replay_index.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "failure.h"
#include "simulate/pictures/replay_pictures.h"
#include "simulate/pictures/replay_streams.h"

void vf_sim_replay_close(vf_sim_replay *replay) {
  if (!replay)
    return;
  for (uint64_t i = 0; i < replay->frame_count; i++)
    free(replay->frames[i].name);
  free(replay->frames);
  free(replay->window);
  if (replay->file >= 0)
    close(replay->file);
  free(replay);
}

static int open_file(vf_sim_replay *replay, const char *path, vf_failure *failure) {
  uint8_t head[16] = {0};
  size_t count = replay->file_size < sizeof head ? (size_t)replay->file_size : sizeof head;
  int code = vf_sim_replay_read(replay->file, head, count, 0);
  if (code)
    return vf_fail(failure, code, "replay", NULL);
  const char *dot = strrchr(path, '.');
  if (count >= 10 && memcmp(head, "YUV4MPEG2 ", 10) == 0) {
    replay->kind = VF_SIM_REPLAY_Y4M;
    code = vf_sim_replay_open_y4m(replay, failure);
    if (code)
      return code;
  } else if (dot && (strcasecmp(dot, ".mjpeg") == 0 || strcasecmp(dot, ".mjpg") == 0)) {
    replay->kind = VF_SIM_REPLAY_MJPEG;
  } else {
    return vf_sim_replay_index_picture(replay, failure);
  }
  if (vf_sim_replay_find(replay, 0) >= 0)
    return 0;
  return vf_fail(failure, EBADMSG, "replay", "no frame");
}

vf_sim_replay *vf_sim_replay_open(const char *path, double rate, int once, vf_failure *failure) {
  if (!isfinite(rate) || rate < 0 || rate > 1000 || (rate > 0 && rate < 0.01)) {
    vf_fail(failure, EINVAL, "replay", "rate");
    return NULL;
  }
  vf_sim_replay *replay = calloc(1, sizeof *replay);
  if (!replay) {
    vf_fail(failure, ENOMEM, "replay", NULL);
    return NULL;
  }
  replay->once = once != 0;
  if (rate > 0) {
    uint32_t numerator = 1000, denominator = (uint32_t)lround(rate * 1000);
    uint32_t a = numerator, b = denominator;
    while (b) {
      uint32_t remainder = a % b;
      a = b;
      b = remainder;
    }
    replay->info.numerator = numerator / a;
    replay->info.denominator = denominator / a;
  }
  replay->file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  struct stat status;
  int code = 0;
  if (replay->file < 0 || fstat(replay->file, &status) != 0)
    code = vf_fail(failure, errno, "replay", "%.100s", path);
  else if (S_ISDIR(status.st_mode))
    code = vf_sim_replay_index_folder(replay, failure);
  else if (!S_ISREG(status.st_mode))
    code = vf_fail(failure, EBADMSG, "replay", "no ordinary file");
  else {
    replay->file_size = (uint64_t)status.st_size;
    code = open_file(replay, path, failure);
  }
  if (!replay->info.denominator) {
    replay->info.numerator = 1;
    replay->info.denominator = 30;
  }
  if (!code)
    return replay;
  vf_sim_replay_close(replay);
  return NULL;
}
