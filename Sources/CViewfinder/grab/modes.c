#include "failure.h"
#include "grab/calls.h"
#include "grab/grabber.h"

#include <errno.h>
#include <linux/videodev2.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/// More than any camera has; a driver that never says "no more" ends here.
#define MAX_FORMATS 128
#define MAX_SIZES 512
#define MAX_INTERVALS 128
#define MAX_MODES 8192
/// In all: one that repeats itself at each format and size must not take minutes.
#define MAX_QUESTIONS 16384

/// Sizes that drivers with a range of sizes are asked about.
static const uint16_t standard_sizes[][2] = {
    {160, 120},   {176, 144},   {320, 180},   {320, 240},   {352, 288},   {424, 240},
    {640, 360},   {640, 480},   {800, 600},   {848, 480},   {960, 540},   {1024, 576},
    {1024, 768},  {1280, 720},  {1280, 800},  {1280, 960},  {1280, 1024}, {1600, 900},
    {1600, 1200}, {1920, 1080}, {1920, 1200}, {1920, 1440}, {2048, 1536}, {2560, 1440},
    {2560, 1920}, {2592, 1944}, {3264, 2448}, {3840, 2160}, {4032, 3024}, {4096, 2160},
    {4208, 3120}, {7680, 4320},
};

typedef struct mode_list {
  vf_grabber *grabber;
  vf_mode *_Nullable rows;
  size_t count, capacity;
  /// Where the rows of the current format begin: only these can repeat.
  size_t format_start;
  /// How often the driver was asked for sizes and intervals.
  uint32_t questions;
  int out_of_memory;
  /// The call that said that the camera is gone, which cuts every list short.
  const char *_Nullable gone;
} mode_list;

static int same(const vf_mode *a, const vf_mode *b) {
  return a->fourcc == b->fourcc && a->min_width == b->min_width && a->max_width == b->max_width &&
         a->min_height == b->min_height && a->max_height == b->max_height &&
         a->width_step == b->width_step && a->height_step == b->height_step &&
         memcmp(&a->min_interval, &b->min_interval, sizeof a->min_interval) == 0 &&
         memcmp(&a->max_interval, &b->max_interval, sizeof a->max_interval) == 0 &&
         memcmp(&a->interval_step, &b->interval_step, sizeof a->interval_step) == 0;
}

static void append(mode_list *list, const vf_mode *mode) {
  if (list->count >= MAX_MODES || list->out_of_memory)
    return;
  for (size_t i = list->format_start; i < list->count; i += 1) {
    if (same(&list->rows[i], mode))
      return;
  }
  if (list->count == list->capacity) {
    size_t larger = list->capacity ? list->capacity * 2 : 64;
    vf_mode *grown = realloc(list->rows, larger * sizeof *grown);
    if (!grown) {
      list->out_of_memory = 1;
      return;
    }
    list->rows = grown;
    list->capacity = larger;
  }
  list->rows[list->count++] = *mode;
}

static vf_interval interval_of(struct v4l2_fract fraction) {
  return (vf_interval){fraction.numerator, fraction.denominator};
}

static int is_shorter(vf_interval a, vf_interval b) {
  return (uint64_t)a.numerator * b.denominator < (uint64_t)b.numerator * a.denominator;
}

/// Asks for a size or an interval. Returns false when there is none, or there were too many.
static bool ask(mode_list *list, unsigned long request, const char *name, void *answer) {
  if (list->questions == MAX_QUESTIONS || list->gone)
    return false;
  list->questions += 1;
  if (vf_ioctl(list->grabber->system, list->grabber->fd, request, answer) == 0)
    return true;
  if (errno == ENODEV)
    list->gone = name;
  return false;
}

/// Asks for the `index`th interval of a size. Returns false when there is none, or it is nonsense.
static int ask_interval(mode_list *list, uint32_t fourcc, uint32_t width, uint32_t height,
                        uint32_t index, struct v4l2_frmivalenum *answer) {
  *answer = (struct v4l2_frmivalenum){
      .index = index, .pixel_format = fourcc, .width = width, .height = height};
  if (!ask(list, VIDIOC_ENUM_FRAMEINTERVALS, "VIDIOC_ENUM_FRAMEINTERVALS", answer))
    return 0;
  if (answer->type == V4L2_FRMIVAL_TYPE_DISCRETE) {
    return answer->discrete.numerator && answer->discrete.denominator;
  }
  // The shortest may be 0: whatever the driver can do.
  return answer->stepwise.min.denominator && answer->stepwise.max.denominator &&
         answer->stepwise.max.numerator;
}

/// Fills in a row's intervals from the driver's range.
static void set_range(vf_mode *mode, const struct v4l2_frmivalenum *answer) {
  mode->min_interval = interval_of(answer->stepwise.min);
  mode->max_interval = interval_of(answer->stepwise.max);
  if (!mode->min_interval.numerator)
    mode->min_interval = (vf_interval){1, 1000};
  if (is_shorter(mode->max_interval, mode->min_interval))
    mode->max_interval = mode->min_interval;
  mode->interval_step = (vf_interval){0, 0};
  if (answer->type == V4L2_FRMIVAL_TYPE_STEPWISE && answer->stepwise.step.numerator &&
      answer->stepwise.step.denominator) {
    mode->interval_step = interval_of(answer->stepwise.step);
  }
}

/// Adds the rows of one size.
static void add_size(mode_list *list, vf_mode mode, uint32_t width, uint32_t height) {
  if (!width || !height)
    return;
  mode.min_width = mode.max_width = width;
  mode.min_height = mode.max_height = height;
  mode.width_step = mode.height_step = 1;
  struct v4l2_frmivalenum answer;
  uint32_t found = 0;
  for (uint32_t i = 0; i < MAX_INTERVALS; i += 1) {
    if (!ask_interval(list, mode.fourcc, width, height, i, &answer))
      break;
    found += 1;
    if (answer.type == V4L2_FRMIVAL_TYPE_DISCRETE) {
      mode.min_interval = mode.max_interval = interval_of(answer.discrete);
      append(list, &mode);
    } else {
      set_range(&mode, &answer);
      append(list, &mode);
      break;
    }
  }
  // Of what wasn't asked nothing is known, not that there is none.
  if (!found && list->questions < MAX_QUESTIONS)
    append(list, &mode);
}

/// Widens a row's intervals to what one size offers.
static void widen(mode_list *list, vf_mode *mode, uint32_t width, uint32_t height) {
  struct v4l2_frmivalenum answer;
  for (uint32_t i = 0; i < MAX_INTERVALS; i += 1) {
    if (!ask_interval(list, mode->fourcc, width, height, i, &answer))
      return;
    vf_mode one = {0};
    if (answer.type == V4L2_FRMIVAL_TYPE_DISCRETE) {
      one.min_interval = one.max_interval = interval_of(answer.discrete);
    } else {
      set_range(&one, &answer);
    }
    if (!mode->min_interval.denominator || is_shorter(one.min_interval, mode->min_interval)) {
      mode->min_interval = one.min_interval;
    }
    if (!mode->max_interval.denominator || is_shorter(mode->max_interval, one.max_interval)) {
      mode->max_interval = one.max_interval;
    }
    if (answer.type != V4L2_FRMIVAL_TYPE_DISCRETE)
      return;
  }
}

/// Adds a range of sizes and the standard sizes in it. Intervals depend on the size, so the range
/// spans those of its ends, and the standard sizes have their own.
static void add_sizes(mode_list *list, vf_mode mode, const struct v4l2_frmsize_stepwise *range) {
  if (!range->min_width || !range->min_height || range->min_width > range->max_width ||
      range->min_height > range->max_height) {
    return;
  }
  mode.min_width = range->min_width;
  mode.max_width = range->max_width;
  mode.width_step = range->step_width ? range->step_width : 1;
  mode.min_height = range->min_height;
  mode.max_height = range->max_height;
  mode.height_step = range->step_height ? range->step_height : 1;
  vf_mode row = mode;
  widen(list, &row, row.min_width, row.min_height);
  widen(list, &row, row.max_width, row.max_height);
  append(list, &row);
  for (size_t i = 0; i < sizeof standard_sizes / sizeof *standard_sizes; i += 1) {
    uint32_t width = standard_sizes[i][0], height = standard_sizes[i][1];
    if (width < mode.min_width || width > mode.max_width || height < mode.min_height ||
        height > mode.max_height || (width - mode.min_width) % mode.width_step ||
        (height - mode.min_height) % mode.height_step) {
      continue;
    }
    add_size(list, mode, width, height);
  }
  add_size(list, mode, mode.max_width, mode.max_height);
}

/// Adds the size that a driver without a list of sizes would stream.
static void add_current_size(mode_list *list, const vf_mode *mode) {
  vf_grabber *grabber = list->grabber;
  struct v4l2_format format = {.type = grabber->type};
  if (vf_ioctl(grabber->system, grabber->fd, VIDIOC_G_FMT, &format) != 0)
    return;
  bool is_multiplanar = grabber->type == V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE;
  uint32_t fourcc = is_multiplanar ? format.fmt.pix_mp.pixelformat : format.fmt.pix.pixelformat;
  if (fourcc != mode->fourcc) {
    if (is_multiplanar)
      format.fmt.pix_mp.pixelformat = mode->fourcc;
    else
      format.fmt.pix.pixelformat = mode->fourcc;
    // Not every driver tries; the size stays likely then.
    vf_ioctl(grabber->system, grabber->fd, VIDIOC_TRY_FMT, &format);
  }
  if (is_multiplanar) {
    add_size(list, *mode, format.fmt.pix_mp.width, format.fmt.pix_mp.height);
  } else {
    add_size(list, *mode, format.fmt.pix.width, format.fmt.pix.height);
  }
}

static bool is_listed(const mode_list *list, uint32_t fourcc) {
  for (size_t i = 0; i < list->count; i += 1) {
    if (list->rows[i].fourcc == fourcc)
      return true;
  }
  return false;
}

static void add_format(mode_list *list, const struct v4l2_fmtdesc *format) {
  vf_mode mode = {.fourcc = format->pixelformat};
  vf_copy_words(mode.description, sizeof mode.description, format->description,
                sizeof format->description);
  mode.flags = format->flags & (V4L2_FMT_FLAG_COMPRESSED | V4L2_FMT_FLAG_EMULATED);
  list->format_start = list->count;
  uint32_t found = 0;
  for (uint32_t i = 0; i < MAX_SIZES; i += 1) {
    struct v4l2_frmsizeenum size = {.index = i, .pixel_format = mode.fourcc};
    if (!ask(list, VIDIOC_ENUM_FRAMESIZES, "VIDIOC_ENUM_FRAMESIZES", &size))
      break;
    found += 1;
    if (size.type == V4L2_FRMSIZE_TYPE_DISCRETE) {
      add_size(list, mode, size.discrete.width, size.discrete.height);
    } else {
      add_sizes(list, mode, &size.stepwise);
      break;
    }
  }
  if (!found && list->questions < MAX_QUESTIONS)
    add_current_size(list, &mode);
}

int vf_grabber_modes(vf_grabber *grabber, vf_mode **modes, vf_failure *failure) {
  *modes = NULL;
  mode_list list = {.grabber = grabber};
  int code = 0;
  pthread_rwlock_rdlock(&grabber->fd_lock);
  vf_follow_timings(grabber->system, grabber->fd);
  for (uint32_t i = 0; i < MAX_FORMATS && !list.gone; i += 1) {
    struct v4l2_fmtdesc format = {.index = i, .type = grabber->type};
    if (vf_ioctl(grabber->system, grabber->fd, VIDIOC_ENUM_FMT, &format) != 0) {
      if (errno != EINVAL || i == 0)
        code = errno;
      break;
    }
    if (!is_listed(&list, format.pixelformat))
      add_format(&list, &format);
  }
  pthread_rwlock_unlock(&grabber->fd_lock);
  const char *step = "VIDIOC_ENUM_FMT";
  if (list.gone) {
    code = ENODEV;
    step = list.gone;
  }
  if (list.out_of_memory) {
    code = ENOMEM;
    step = "malloc";
  }
  if (code) {
    free(list.rows);
    return vf_fail(failure, code, step, NULL);
  }
  *modes = list.rows;
  return (int)list.count;
}
