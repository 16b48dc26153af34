// A program that feeds a v4l2loopback node with JPEG files in turn, and lies about their times:
// readers get the time stamps that the writer of a buffer gives.

#include <errno.h>
#include <fcntl.h>
#include <linux/videodev2.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

// No more than a reader asks for: the driver goes round the fewest that anybody asked for.
enum { BUFFERS = 6 };

static int fail(const char *what) {
  fprintf(stderr, "oddwriter: %s: %s\n", what, strerror(errno));
  return 1;
}

/// A frame's time stamp.
static struct timeval stamp(const char *lie, long number) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  struct timeval time = {now.tv_sec, now.tv_nsec / 1000};
  if (strcmp(lie, "past") == 0)
    time.tv_sec = 1;
  else if (strcmp(lie, "future") == 0)
    time.tv_sec += 3600;
  else if (strcmp(lie, "backwards") == 0)
    time.tv_sec = 1000000 - number;
  else if (strcmp(lie, "same") == 0)
    time = (struct timeval){12345, 678};
  else if (strcmp(lie, "negative") == 0)
    time = (struct timeval){-5 - number, -1};
  return time;
}

static int usage(void) {
  fprintf(stderr, "usage: oddwriter NODE WIDTH HEIGHT MILLISECONDS LIE JPEG ...\n"
                  "Writes a frame every so many milliseconds until it is killed.\n"
                  "LIE: past, future, backwards, same, negative, or none.\n");
  return 64;
}

int main(int count, char **arguments) {
  if (count < 7)
    return usage();
  int node = open(arguments[1], O_RDWR);
  if (node < 0)
    return fail(arguments[1]);
  useconds_t pause = (useconds_t)atoi(arguments[4]) * 1000;
  const char *lie = arguments[5];
  char **files = arguments + 6;
  int file_count = count - 6;

  struct v4l2_format format = {.type = V4L2_BUF_TYPE_VIDEO_OUTPUT};
  format.fmt.pix.width = (uint32_t)atoi(arguments[2]);
  format.fmt.pix.height = (uint32_t)atoi(arguments[3]);
  format.fmt.pix.pixelformat = V4L2_PIX_FMT_MJPEG;
  format.fmt.pix.field = V4L2_FIELD_NONE;
  struct v4l2_requestbuffers request = {
      .count = BUFFERS, .type = V4L2_BUF_TYPE_VIDEO_OUTPUT, .memory = V4L2_MEMORY_MMAP};
  if (ioctl(node, VIDIOC_S_FMT, &format) || ioctl(node, VIDIOC_REQBUFS, &request))
    return fail("format");
  uint8_t *memory[BUFFERS];
  size_t lengths[BUFFERS];
  for (uint32_t i = 0; i < request.count; i += 1) {
    struct v4l2_buffer buffer = {
        .index = i, .type = V4L2_BUF_TYPE_VIDEO_OUTPUT, .memory = V4L2_MEMORY_MMAP};
    if (ioctl(node, VIDIOC_QUERYBUF, &buffer))
      return fail("buffers");
    lengths[i] = buffer.length;
    memory[i] =
        mmap(NULL, buffer.length, PROT_READ | PROT_WRITE, MAP_SHARED, node, (off_t)buffer.m.offset);
    if (memory[i] == MAP_FAILED)
      return fail("buffers");
  }
  if (ioctl(node, VIDIOC_STREAMON, &(int){V4L2_BUF_TYPE_VIDEO_OUTPUT}))
    return fail("start");

  for (long number = 0;; number += 1) {
    uint32_t index = (uint32_t)(number % request.count);
    int file = open(files[number % file_count], O_RDONLY);
    ssize_t length = file < 0 ? -1 : read(file, memory[index], lengths[index]);
    if (length < 0)
      return fail(files[number % file_count]);
    close(file);
    struct v4l2_buffer buffer = {.index = index,
                                 .type = V4L2_BUF_TYPE_VIDEO_OUTPUT,
                                 .memory = V4L2_MEMORY_MMAP,
                                 .bytesused = (uint32_t)length,
                                 .flags = V4L2_BUF_FLAG_TIMESTAMP_COPY,
                                 .timestamp = stamp(lie, number)};
    if (ioctl(node, VIDIOC_QBUF, &buffer))
      return fail("write");
    usleep(pause);
  }
}
