#include "uvcsim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The payload header's bits (USB Video Class 1.1, 2.4.3.3).
enum { HEADER_LENGTH = 12, FRAME_ID = 0x01, END_OF_FRAME = 0x02, HAS_PTS = 0x04, HAS_SCR = 0x08 };
enum { PAYLOAD_ERROR = 0x40, END_OF_HEADER = 0x80 };

enum { MAX_PICTURES = 256 };

/// A JPEG file.
static struct picture {
  uint8_t *bytes;
  size_t length;
  int width;
} pictures[MAX_PICTURES];
static int picture_count;

static uint8_t yuyv[YUYV_BYTES];

/// What is being sent; NULL between frames.
static const uint8_t *frame;
static size_t frame_length, frame_position;
static int frame_number;
static uint8_t frame_id;
static bool frame_is_bad;
static int64_t next_frame_time;

/// The width in a JPEG file's header, or 0.
static int jpeg_width(const uint8_t *bytes, size_t count) {
  for (size_t i = 2; i + 9 < count && bytes[i] == 0xff;) {
    int marker = bytes[i + 1];
    if (marker >= 0xc0 && marker <= 0xc2)
      return bytes[i + 7] << 8 | bytes[i + 8];
    i += 2u + (size_t)(bytes[i + 2] << 8 | bytes[i + 3]);
  }
  return 0;
}

bool add_picture(const char *path) {
  if (picture_count == MAX_PICTURES)
    return true;
  struct picture *picture = &pictures[picture_count];
  FILE *file = fopen(path, "rb");
  bool good = file && fseek(file, 0, SEEK_END) == 0;
  if (good) {
    long length = ftell(file);
    rewind(file);
    picture->length = length > 0 ? (size_t)length : 0;
    picture->bytes = malloc(picture->length);
    good = picture->bytes && fread(picture->bytes, 1, picture->length, file) == picture->length;
  }
  if (!good)
    perror(path);
  if (file)
    fclose(file);
  if (!good)
    return false;
  picture->width = jpeg_width(picture->bytes, picture->length);
  picture_count += 1;
  return true;
}

/// The nth picture of a width, in turn; of any width where there is none of it.
static const struct picture *choose_picture(int width, int number) {
  int fitting = 0;
  for (int i = 0; i < picture_count; i += 1)
    fitting += pictures[i].width == width;
  if (!fitting)
    return &pictures[number % picture_count];
  int left = number % fitting;
  for (int i = 0;; i += 1) {
    if (pictures[i].width == width && left-- == 0)
      return &pictures[i];
  }
}

void start_video(void) {
  frame = NULL;
  next_frame_time = now();
}

/// Whether the rest of the current frame never comes.
static bool is_stuck(void) {
  return frame && stream_format() == FORMAT_MJPEG && frame_position >= frame_length / 2 &&
         mjpeg_sizes[stream_size()].width == uvcsim_options.stuck_width;
}

int64_t video_due(void) { return is_stuck() ? INT64_MAX : next_frame_time; }

static void begin_frame(void) {
  frame_id ^= FRAME_ID;
  frame_number += 1;
  frame_position = 0;
  if (uvcsim_options.unplug_after && frame_number > uvcsim_options.unplug_after) {
    fprintf(stderr, "uvcsim: unplugged after %d frames\n", uvcsim_options.unplug_after);
    exit(0);
  }
  if (stream_format() == FORMAT_YUYV) {
    // A ramp that moves, without colour.
    for (size_t i = 0; i < sizeof yuyv; i += 2) {
      yuyv[i] = (uint8_t)((size_t)frame_number * 4 + i / 2 % YUYV_WIDTH / 2);
      yuyv[i + 1] = 0x80;
    }
    frame = yuyv;
    frame_length = sizeof yuyv;
  } else {
    const struct picture *picture = choose_picture(mjpeg_sizes[stream_size()].width, frame_number);
    frame = picture->bytes;
    frame_length = picture->length;
  }
  if (uvcsim_options.truncate_every && frame_number % uvcsim_options.truncate_every == 0)
    frame_length /= 2;
  frame_is_bad = uvcsim_options.error_every && frame_number % uvcsim_options.error_every == 0;
}

bool has_frame(void) {
  if (frame)
    return !is_stuck();
  int64_t time = now();
  if (time < next_frame_time)
    return false;
  int64_t interval = stream_interval() / 10;
  next_frame_time += interval;
  if (next_frame_time < time)
    next_frame_time = time + interval;
  begin_frame();
  return true;
}

int make_payload(uint8_t *payload, int capacity) {
  int64_t time = now();
  uint32_t clock = (uint32_t)time * 48;
  payload[0] = HEADER_LENGTH;
  payload[1] = (uint8_t)(END_OF_HEADER | HAS_PTS | HAS_SCR | frame_id);
  put32(payload + 2, clock);
  put32(payload + 6, clock);
  put16(payload + 10, (unsigned)(time / 1000) & 0x7ff);

  size_t count = (size_t)(capacity - HEADER_LENGTH);
  if (count > frame_length - frame_position)
    count = frame_length - frame_position;
  memcpy(payload + HEADER_LENGTH, frame + frame_position, count);
  frame_position += count;
  if (frame_position == frame_length) {
    payload[1] |= END_OF_FRAME;
    frame = NULL;
  }
  if (frame_is_bad)
    payload[1] |= PAYLOAD_ERROR;
  return HEADER_LENGTH + (int)count;
}
