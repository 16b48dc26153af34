#include "simulate/replay.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "failure.h"
#include "vf_png.h"

// How much of a picture is read to learn its size: past the largest Exif and a colour profile.
#define HEAD ((size_t)1 << 18)
// Limits that keep memory in bounds whatever a file says.
#define LARGEST_PICTURE ((uint64_t)256 << 20)
#define LARGEST_AREA ((uint64_t)200000000)
#define MOST_FRAMES ((uint64_t)4 << 20)
#define LARGEST_WINDOW ((size_t)64 << 20)

int vf_sim_read(int file, void *bytes, size_t count, uint64_t offset) {
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

static int add_frame(vf_sim_replay *replay, vf_sim_span span) {
  if (replay->frame_count == MOST_FRAMES)
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

static int is_possible(uint64_t width, uint64_t height) {
  return width >= 2 && height >= 2 && width <= 65500 && height <= 65500 &&
         width * height <= LARGEST_AREA;
}

static uint32_t big_endian(const uint8_t *bytes) {
  uint32_t value = 0;
  for (int i = 0; i < 4; i++)
    value = value << 8 | bytes[i];
  return value;
}

// What a picture's first bytes tell of it: 0 when it is neither JPEG nor PNG of a possible size.
static int measure(const uint8_t *bytes, size_t count, uint32_t *width, uint32_t *height,
                   uint8_t *is_jpeg) {
  *is_jpeg = 0;
  if (vf_png_matches(bytes, count) && count >= 24) {
    *width = big_endian(bytes + 16);
    *height = big_endian(bytes + 20);
  } else {
    if (count < 4 || bytes[0] != 0xFF || bytes[1] != 0xD8)
      return 0;
    vf_jpeg_info info = {0};
    vf_failure ignored;
    // The head has no end, which counts as damage; the size is told all the same.
    vf_jpeg_inspect(bytes, count, &info, &ignored);
    *width = info.width;
    *height = info.height;
    *is_jpeg = 1;
  }
  return is_possible(*width, *height);
}

int vf_sim_replay_open_frame(const vf_sim_replay *replay, const vf_sim_span *frame) {
  // A pipe among the pictures must not block.
  int file = frame->name ? openat(replay->file, frame->name, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
                         : fcntl(replay->file, F_DUPFD_CLOEXEC, 0);
  return file < 0 ? -errno : file;
}

// Takes a picture into the replay when it is one, and of the same size as the first. `name` is
// owned by the replay then. 1 when taken, 0 when not, or -errno.
static int take_picture(vf_sim_replay *replay, char *name, uint8_t *head) {
  vf_sim_span span = {.name = name};
  int file = vf_sim_replay_open_frame(replay, &span);
  if (file < 0)
    return 0;
  struct stat status;
  uint32_t width = 0, height = 0;
  int usable = fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0 &&
               (uint64_t)status.st_size <= LARGEST_PICTURE;
  if (usable) {
    span.length = (uint64_t)status.st_size;
    size_t count = span.length < HEAD ? (size_t)span.length : HEAD;
    usable = vf_sim_read(file, head, count, 0) == 0 &&
             measure(head, count, &width, &height, &span.is_jpeg);
  }
  close(file);
  if (usable && replay->frame_count == 0) {
    replay->info.width = width;
    replay->info.height = height;
  }
  if (!usable || width != replay->info.width || height != replay->info.height)
    return 0;
  if (span.is_jpeg && span.length > replay->info.largest_jpeg)
    replay->info.largest_jpeg = (uint32_t)span.length;
  int code = add_frame(replay, span);
  return code ? -code : 1;
}

static int by_name(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

static void free_names(char **names, size_t count) {
  for (size_t i = 0; i < count; i++)
    free(names[i]);
  free(names);
}

// The names in a folder, sorted.
static int list(int folder, char ***result, size_t *result_count) {
  int copy = fcntl(folder, F_DUPFD_CLOEXEC, 0);
  DIR *directory = copy < 0 ? NULL : fdopendir(copy);
  if (!directory) {
    int code = errno;
    if (copy >= 0)
      close(copy);
    return code;
  }
  char **names = NULL;
  size_t count = 0, capacity = 0;
  int code = 0;
  for (const struct dirent *entry; !code && (entry = readdir(directory));) {
    if (entry->d_name[0] == '.')
      continue;
    if (count == MOST_FRAMES)
      break;
    if (count == capacity) {
      capacity = capacity * 2 + 64;
      char **grown = realloc(names, capacity * sizeof *grown);
      if (!grown) {
        code = ENOMEM;
        break;
      }
      names = grown;
    }
    names[count] = strdup(entry->d_name);
    if (names[count])
      count++;
    else
      code = ENOMEM;
  }
  closedir(directory);
  if (code) {
    free_names(names, count);
    return code;
  }
  if (count)
    qsort(names, count, sizeof *names, by_name);
  *result = names;
  *result_count = count;
  return 0;
}

static int open_folder(vf_sim_replay *replay, vf_failure *failure) {
  char **names = NULL;
  size_t count = 0;
  uint8_t *head = malloc(HEAD);
  int code = head ? list(replay->file, &names, &count) : ENOMEM;
  for (size_t i = 0; i < count && !code; i++) {
    int taken = take_picture(replay, names[i], head);
    if (taken > 0)
      names[i] = NULL;
    else
      code = -taken;
  }
  free_names(names, count);
  free(head);
  replay->complete = 1;
  if (code)
    return vf_fail(failure, code, "replay", NULL);
  return replay->frame_count ? 0
                             : vf_fail(failure, EBADMSG, "replay", "no JPEG or PNG in the folder");
}

// Makes the window hold at least `wanted` bytes at `start`, or all to the file's end.
static int look_at(vf_sim_replay *replay, uint64_t start, size_t wanted) {
  uint64_t left = replay->file_size - start;
  if (left < wanted)
    wanted = (size_t)left;
  if (start >= replay->window_start &&
      start + wanted <= replay->window_start + replay->window_count)
    return 0;
  if (replay->window_capacity < wanted) {
    uint8_t *grown = realloc(replay->window, wanted);
    if (!grown)
      return ENOMEM;
    replay->window = grown;
    replay->window_capacity = wanted;
  }
  size_t count = left < replay->window_capacity ? (size_t)left : replay->window_capacity;
  replay->window_count = 0;
  int code = vf_sim_read(replay->file, replay->window, count, start);
  if (code)
    return code;
  replay->window_start = start;
  replay->window_count = count;
  return 0;
}

// The distance from `from` to the next picture's start in the window, or `count`.
static size_t next_start(const uint8_t *bytes, size_t count, size_t from) {
  for (size_t i = from; i + 2 < count; i++) {
    const uint8_t *found = memchr(bytes + i, 0xFF, count - 2 - i);
    if (!found)
      break;
    i = (size_t)(found - bytes);
    if (bytes[i + 1] == 0xD8 && bytes[i + 2] == 0xFF)
      return i;
  }
  return count;
}

// Indexes the next JPEG of a stream. 1 when there was one (it may be of another size and left out),
// 0 at the end, or -errno.
static int scan_jpeg(vf_sim_replay *replay) {
  size_t wanted = (size_t)1 << 20;
  for (;;) {
    if (replay->scanned >= replay->file_size)
      return 0;
    int code = look_at(replay, replay->scanned, wanted);
    if (code)
      return -code;
    const uint8_t *bytes = replay->window + (replay->scanned - replay->window_start);
    size_t count = (size_t)(replay->window_start + replay->window_count - replay->scanned);
    int at_end = replay->scanned + count == replay->file_size;
    size_t padding = next_start(bytes, count, 0);
    if (padding > 0) {
      // The last two bytes may be the first of a marker.
      replay->scanned += padding == count && !at_end ? count - 2 : padding;
      continue;
    }
    vf_jpeg_info info = {0};
    vf_failure ignored;
    int whole = vf_jpeg_inspect(bytes, count, &info, &ignored) == 0 && info.length > 0;
    if (!whole && !at_end && count < LARGEST_WINDOW) {
      wanted = count * 2;
      continue;
    }
    // A damaged picture is played as it was recorded, up to the next one.
    size_t length = whole ? info.length : next_start(bytes, count, 2);
    vf_sim_span span = {.offset = replay->scanned, .length = length, .is_jpeg = 1};
    replay->scanned += length;
    if (replay->info.width == 0) {
      if (!whole || !is_possible(info.width, info.height))
        return -EBADMSG;
      replay->info.width = info.width;
      replay->info.height = info.height;
    }
    if (info.width != replay->info.width || info.height != replay->info.height)
      return 1;
    if (length > replay->info.largest_jpeg)
      replay->info.largest_jpeg = (uint32_t)length;
    code = add_frame(replay, span);
    return code ? -code : 1;
  }
}

// Indexes the next frame of a Y4M file, likewise.
static int scan_y4m(vf_sim_replay *replay) {
  char head[256];
  uint64_t left = replay->file_size - replay->scanned;
  size_t count = left < sizeof head ? (size_t)left : sizeof head;
  if (count < 6)
    return 0;
  int code = vf_sim_read(replay->file, head, count, replay->scanned);
  if (code)
    return -code;
  const char *end = memchr(head, '\n', count);
  if (memcmp(head, "FRAME", 5) != 0 || !end)
    return -EBADMSG;
  uint64_t start = (uint64_t)(end + 1 - head);
  if (left - start < replay->frame_size)
    return 0;
  code = add_frame(replay,
                   (vf_sim_span){.offset = replay->scanned + start, .length = replay->frame_size});
  replay->scanned += start + replay->frame_size;
  return code ? -code : 1;
}

int64_t vf_sim_replay_find(vf_sim_replay *replay, uint32_t sequence) {
  while (!replay->complete && replay->frame_count <= sequence) {
    int found = replay->kind == VF_SIM_REPLAY_Y4M ? scan_y4m(replay) : scan_jpeg(replay);
    if (found <= 0)
      replay->complete = 1;
  }
  if (sequence < replay->frame_count)
    return sequence;
  return replay->once || !replay->frame_count ? -1 : (int64_t)(sequence % replay->frame_count);
}

static uint32_t chroma_fourcc(const char *word, size_t length) {
  static const struct {
    const char *word;
    uint32_t fourcc;
  } known[] = {{"420", VF_I420}, {"420jpeg", VF_I420}, {"420paldv", VF_I420}, {"420mpeg2", VF_I420},
               {"422", VF_I422}, {"444", VF_I444},     {"411", VF_I411},      {"mono", VF_GREY}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (strlen(known[i].word) == length && memcmp(word, known[i].word, length) == 0)
      return known[i].fourcc;
  return 0;
}

// Reads digits up to `end`; 0 when there are none or too many.
static uint32_t digits(const char *at, const char *end, const char **rest) {
  uint64_t value = 0;
  const char *start = at;
  for (; at < end && *at >= '0' && *at <= '9' && at - start < 10; at++)
    value = value * 10 + (uint64_t)(*at - '0');
  *rest = at;
  return value > UINT32_MAX ? 0 : (uint32_t)value;
}

static int open_y4m(vf_sim_replay *replay, vf_failure *failure) {
  char head[1024];
  size_t count = replay->file_size < sizeof head ? (size_t)replay->file_size : sizeof head;
  int code = vf_sim_read(replay->file, head, count, 0);
  if (code)
    return vf_fail(failure, code, "Y4M header", NULL);
  const char *end = memchr(head, '\n', count), *rest;
  if (!end)
    return vf_fail(failure, EBADMSG, "Y4M header", "no end");
  uint64_t width = 0, height = 0;
  replay->fourcc = VF_I420;
  replay->limited_range = 1;
  for (const char *at = head + 9; at < end;) {
    if (*at == ' ') {
      at++;
      continue;
    }
    const char *space = memchr(at, ' ', (size_t)(end - at));
    const char *stop = space ? space : end;
    size_t length = (size_t)(stop - at - 1);
    switch (*at) {
    case 'W':
      width = digits(at + 1, stop, &rest);
      break;
    case 'H':
      height = digits(at + 1, stop, &rest);
      break;
    case 'F': {
      uint32_t rate = digits(at + 1, stop, &rest);
      uint32_t per = rest < stop && *rest == ':' ? digits(rest + 1, stop, &rest) : 0;
      if (rate && per && !replay->info.denominator) {
        replay->info.numerator = per;
        replay->info.denominator = rate;
      }
      break;
    }
    case 'C':
      replay->fourcc = chroma_fourcc(at + 1, length);
      if (!replay->fourcc)
        return vf_fail(failure, ENOTSUP, "Y4M header", "chroma \"%.*s\"",
                       length > 40 ? 40 : (int)length, at + 1);
      break;
    case 'X':
      if (length == 15 && memcmp(at + 1, "COLORRANGE=FULL", 15) == 0)
        replay->limited_range = 0;
      break;
    default:
      break;
    }
    at = stop;
  }
  if (!is_possible(width, height))
    return vf_fail(failure, EBADMSG, "Y4M header", "size");
  replay->info.width = (uint32_t)width;
  replay->info.height = (uint32_t)height;
  replay->frame_size = vf_image_size(replay->fourcc, (uint32_t)width, (uint32_t)height, 0);
  replay->scanned = (uint64_t)(end + 1 - head);
  return 0;
}

static int open_file(vf_sim_replay *replay, const char *path, vf_failure *failure) {
  uint8_t head[16] = {0};
  size_t count = replay->file_size < sizeof head ? (size_t)replay->file_size : sizeof head;
  int code = vf_sim_read(replay->file, head, count, 0);
  if (code)
    return vf_fail(failure, code, "replay", NULL);
  const char *dot = strrchr(path, '.');
  if (count >= 10 && memcmp(head, "YUV4MPEG2 ", 10) == 0) {
    replay->kind = VF_SIM_REPLAY_Y4M;
    code = open_y4m(replay, failure);
    if (code)
      return code;
  } else if (dot && (strcasecmp(dot, ".mjpeg") == 0 || strcasecmp(dot, ".mjpg") == 0)) {
    replay->kind = VF_SIM_REPLAY_MJPEG;
  } else {
    uint8_t *bytes = malloc(HEAD);
    if (!bytes)
      return vf_fail(failure, ENOMEM, "replay", NULL);
    int taken = take_picture(replay, NULL, bytes);
    free(bytes);
    replay->complete = 1;
    if (taken < 0)
      return vf_fail(failure, -taken, "replay", NULL);
    return taken ? 0 : vf_fail(failure, EBADMSG, "replay", "no JPEG, PNG, MJPEG or Y4M");
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
    code = open_folder(replay, failure);
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
