#include "simulate/pictures/replay_streams.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "failure.h"
#include "vf_jpeg.h"

#define LARGEST_WINDOW ((size_t)64 << 20)

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
  int code = vf_sim_replay_read(replay->file, replay->window, count, start);
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
    // The end marker may be what the window has no more.
    if (whole && !info.has_end && info.length + 2 > count && !at_end)
      whole = 0;
    if (!whole && !at_end && count < LARGEST_WINDOW) {
      wanted = count * 2;
      continue;
    }
    // A damaged picture is played as it was recorded, up to the next one.
    size_t length = whole ? info.length : next_start(bytes, count, 2);
    vf_sim_span span = {.offset = replay->scanned, .length = length, .is_jpeg = 1};
    replay->scanned += length;
    if (replay->info.width == 0) {
      if (!whole || !vf_sim_replay_can_show(info.width, info.height))
        return -EBADMSG;
      replay->info.width = info.width;
      replay->info.height = info.height;
    }
    if (info.width != replay->info.width || info.height != replay->info.height)
      return 1;
    if (length > replay->info.largest_jpeg)
      replay->info.largest_jpeg = (uint32_t)length;
    code = vf_sim_replay_add(replay, span);
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
  int code = vf_sim_replay_read(replay->file, head, count, replay->scanned);
  if (code)
    return -code;
  const char *end = memchr(head, '\n', count);
  if (memcmp(head, "FRAME", 5) != 0 || !end)
    return -EBADMSG;
  uint64_t start = (uint64_t)(end + 1 - head);
  if (left - start < replay->frame_size)
    return 0;
  code = vf_sim_replay_add(
      replay, (vf_sim_span){.offset = replay->scanned + start, .length = replay->frame_size});
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

int vf_sim_replay_open_y4m(vf_sim_replay *replay, vf_failure *failure) {
  char head[1024];
  size_t count = replay->file_size < sizeof head ? (size_t)replay->file_size : sizeof head;
  int code = vf_sim_replay_read(replay->file, head, count, 0);
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
  if (!vf_sim_replay_can_show(width, height))
    return vf_fail(failure, EBADMSG, "Y4M header", "size");
  replay->info.width = (uint32_t)width;
  replay->info.height = (uint32_t)height;
  replay->frame_size = vf_image_size(replay->fourcc, (uint32_t)width, (uint32_t)height, 0);
  replay->scanned = (uint64_t)(end + 1 - head);
  return 0;
}
