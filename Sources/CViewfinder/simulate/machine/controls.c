#include "simulate/machine/controls.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

typedef struct description {
  uint32_t id, type, flags;
  int32_t minimum, maximum, step, initial;
  const char *name;
  /// Words of a menu by value; a NULL is a value that the menu leaves out.
  const char *const *items;
  /// Inactive while this other control has this value.
  int16_t governor, governed_by;
  /// Shows in the picture.
  uint8_t visible;
} description;

static const char *const exposure_items[] = {NULL, "Manual Mode", NULL, "Aperture Priority Mode"};
static const char *const power_items[] = {"Disabled", "50 Hz", "60 Hz", "Auto"};
static const char *const flash_items[] = {"Off", "Flash", "Torch"};

#define HEADING(identifier, words)                                                                 \
  {                                                                                                \
    .id = identifier, .type = V4L2_CTRL_TYPE_CTRL_CLASS,                                           \
    .flags = V4L2_CTRL_FLAG_READ_ONLY | V4L2_CTRL_FLAG_WRITE_ONLY, .name = words, .governor = -1   \
  }
#define INTEGER(identifier, words, low, high, stride, start, ...)                                  \
  {                                                                                                \
    .id = identifier, .type = V4L2_CTRL_TYPE_INTEGER, .minimum = low, .maximum = high,             \
    .step = stride, .initial = start, .name = words, .visible = 1, __VA_ARGS__                     \
  }
#define SWITCH(identifier, words, start, shows, kind_flags)                                        \
  {                                                                                                \
    .id = identifier, .type = V4L2_CTRL_TYPE_BOOLEAN, .flags = kind_flags, .maximum = 1,           \
    .step = 1, .initial = start, .name = words, .governor = -1, .visible = shows                   \
  }
#define MENU(identifier, words, low, high, start, words_by_value, shows, kind_flags)               \
  {                                                                                                \
    .id = identifier, .type = V4L2_CTRL_TYPE_MENU, .flags = kind_flags, .minimum = low,            \
    .maximum = high, .step = 1, .initial = start, .name = words, .items = words_by_value,          \
    .governor = -1, .visible = shows                                                               \
  }
#define FREE .governor = -1
#define GOVERNED(control, value)                                                                   \
  .governor = control, .governed_by = value, .flags = V4L2_CTRL_FLAG_SLIDER

static const description table[VF_SIM_CONTROL_COUNT] = {
    [VF_SIM_USER_CLASS] = HEADING(V4L2_CID_USER_CLASS, "User Controls"),
    [VF_SIM_BRIGHTNESS] = INTEGER(V4L2_CID_BRIGHTNESS, "Brightness", -64, 64, 1, 0, FREE),
    [VF_SIM_CONTRAST] = INTEGER(V4L2_CID_CONTRAST, "Contrast", 0, 64, 1, 32, FREE),
    [VF_SIM_SATURATION] = INTEGER(V4L2_CID_SATURATION, "Saturation", 0, 128, 1, 64, FREE),
    [VF_SIM_WHITE_BALANCE_AUTO] = SWITCH(V4L2_CID_AUTO_WHITE_BALANCE, "White Balance, Automatic", 1,
                                         1, V4L2_CTRL_FLAG_UPDATE),
    [VF_SIM_GAIN] = INTEGER(V4L2_CID_GAIN, "Gain", 0, 100, 1, 0, FREE),
    [VF_SIM_HFLIP] = SWITCH(V4L2_CID_HFLIP, "Horizontal Flip", 0, 1, 0),
    [VF_SIM_VFLIP] = SWITCH(V4L2_CID_VFLIP, "Vertical Flip", 0, 1, 0),
    [VF_SIM_POWER_LINE] =
        MENU(V4L2_CID_POWER_LINE_FREQUENCY, "Power Line Frequency", 0, 3, 3, power_items, 0, 0),
    [VF_SIM_WHITE_BALANCE] =
        INTEGER(V4L2_CID_WHITE_BALANCE_TEMPERATURE, "White Balance Temperature", 2800, 6500, 10,
                4600, GOVERNED(VF_SIM_WHITE_BALANCE_AUTO, 1)),
    [VF_SIM_CAMERA_CLASS] = HEADING(V4L2_CID_CAMERA_CLASS, "Camera Controls"),
    [VF_SIM_EXPOSURE_AUTO] = MENU(V4L2_CID_EXPOSURE_AUTO, "Auto Exposure", V4L2_EXPOSURE_AUTO,
                                  V4L2_EXPOSURE_APERTURE_PRIORITY, V4L2_EXPOSURE_APERTURE_PRIORITY,
                                  exposure_items, 1, V4L2_CTRL_FLAG_UPDATE),
    [VF_SIM_EXPOSURE] =
        INTEGER(V4L2_CID_EXPOSURE_ABSOLUTE, "Exposure Time, Absolute", 3, 2047, 1, 157,
                GOVERNED(VF_SIM_EXPOSURE_AUTO, V4L2_EXPOSURE_APERTURE_PRIORITY)),
    [VF_SIM_EXPOSURE_DYNAMIC] =
        SWITCH(V4L2_CID_EXPOSURE_AUTO_PRIORITY, "Exposure, Dynamic Framerate", 0, 1, 0),
    [VF_SIM_FOCUS] = INTEGER(V4L2_CID_FOCUS_ABSOLUTE, "Focus, Absolute", 0, 250, 5, 0,
                             GOVERNED(VF_SIM_FOCUS_AUTO, 1)),
    [VF_SIM_FOCUS_AUTO] =
        SWITCH(V4L2_CID_FOCUS_AUTO, "Focus, Automatic Continuous", 1, 1, V4L2_CTRL_FLAG_UPDATE),
    [VF_SIM_ZOOM] = INTEGER(V4L2_CID_ZOOM_ABSOLUTE, "Zoom, Absolute", 100, 400, 1, 100, FREE),
    [VF_SIM_FLASH_CLASS] = HEADING(V4L2_CID_FLASH_CLASS, "Flash Controls"),
    [VF_SIM_FLASH_LED] = MENU(V4L2_CID_FLASH_LED_MODE, "LED Mode", 0, 2, 0, flash_items, 1, 0),
};

void vf_sim_controls_reset(vf_sim_controls *controls) {
  for (int i = 0; i < VF_SIM_CONTROL_COUNT; i++)
    controls->values[i] = table[i].initial;
  controls->revision++;
}

int vf_sim_find_control(uint32_t id) {
  for (int i = 0; i < VF_SIM_CONTROL_COUNT; i++)
    if (table[i].id == id)
      return i;
  return -1;
}

static int is_inactive(const vf_sim_controls *controls, int index) {
  return table[index].governor >= 0 &&
         controls->values[table[index].governor] == table[index].governed_by;
}

static uint32_t flags_of(const vf_sim_controls *controls, int index) {
  return table[index].flags | (is_inactive(controls, index) ? V4L2_CTRL_FLAG_INACTIVE : 0u);
}

void vf_sim_control_event(const vf_sim_controls *controls, int index, uint32_t changes,
                          struct v4l2_event *event) {
  const description *row = &table[index];
  *event = (struct v4l2_event){.type = V4L2_EVENT_CTRL, .id = row->id};
  event->u.ctrl = (struct v4l2_event_ctrl){.changes = changes,
                                           .type = row->type,
                                           .value = controls->values[index],
                                           .flags = flags_of(controls, index),
                                           .minimum = row->minimum,
                                           .maximum = row->maximum,
                                           .step = row->step,
                                           .default_value = row->initial};
}

int vf_sim_control_validate(int index, int32_t *value) {
  const description *row = &table[index];
  if (row->flags & V4L2_CTRL_FLAG_READ_ONLY)
    return EACCES;
  switch (row->type) {
  case V4L2_CTRL_TYPE_BOOLEAN:
    *value = *value != 0;
    return 0;
  case V4L2_CTRL_TYPE_MENU:
    if (*value < row->minimum || *value > row->maximum)
      return ERANGE;
    return row->items[*value] ? 0 : EINVAL;
  default: {
    int64_t offset = (int64_t)*value - row->minimum;
    int64_t limit = (int64_t)row->maximum - row->minimum;
    if (offset < 0)
      offset = 0;
    offset = (offset + row->step / 2) / row->step * row->step;
    if (offset > limit)
      offset = limit / row->step * row->step;
    *value = (int32_t)(row->minimum + offset);
    return 0;
  }
  }
}

int vf_sim_control_apply(vf_sim_controls *controls, int index, int32_t value, int *changed,
                         uint32_t *governed) {
  *changed = 0;
  *governed = 0;
  if (is_inactive(controls, index))
    return EACCES;
  if (controls->values[index] == value)
    return 0;
  *changed = 1;
  controls->values[index] = value;
  if (table[index].visible)
    controls->revision++;
  for (int i = 0; i < VF_SIM_CONTROL_COUNT; i++)
    if (table[i].governor == index)
      *governed |= 1u << i;
  return 0;
}

// The control that a query means, which may ask for the next one after an id.
static int find_queried(uint32_t id) {
  uint32_t next = id & (V4L2_CTRL_FLAG_NEXT_CTRL | V4L2_CTRL_FLAG_NEXT_COMPOUND);
  uint32_t plain = id & ~(V4L2_CTRL_FLAG_NEXT_CTRL | V4L2_CTRL_FLAG_NEXT_COMPOUND);
  if (!next)
    return vf_sim_find_control(plain);
  // There are no compound controls: asked for them alone, the list is empty.
  if (!(next & V4L2_CTRL_FLAG_NEXT_CTRL))
    return -1;
  for (int i = 0; i < VF_SIM_CONTROL_COUNT; i++)
    if (table[i].id > plain)
      return i;
  return -1;
}

static int query(const vf_sim_controls *controls, struct v4l2_queryctrl *result) {
  int index = find_queried(result->id);
  if (index < 0)
    return EINVAL;
  const description *row = &table[index];
  *result = (struct v4l2_queryctrl){.id = row->id,
                                    .type = row->type,
                                    .minimum = row->minimum,
                                    .maximum = row->maximum,
                                    .step = row->step,
                                    .default_value = row->initial,
                                    .flags = flags_of(controls, index)};
  snprintf((char *)result->name, sizeof result->name, "%s", row->name);
  return 0;
}

static int query_extended(const vf_sim_controls *controls, struct v4l2_query_ext_ctrl *result) {
  int index = find_queried(result->id);
  if (index < 0)
    return EINVAL;
  const description *row = &table[index];
  *result = (struct v4l2_query_ext_ctrl){.id = row->id,
                                         .type = row->type,
                                         .minimum = row->minimum,
                                         .maximum = row->maximum,
                                         .step = (uint64_t)row->step,
                                         .default_value = row->initial,
                                         .flags = flags_of(controls, index),
                                         .elem_size = sizeof(int32_t),
                                         .elems = 1};
  snprintf(result->name, sizeof result->name, "%s", row->name);
  return 0;
}

static int query_menu(struct v4l2_querymenu *result) {
  uint32_t id = result->id, item = result->index;
  int index = vf_sim_find_control(id);
  if (index < 0 || table[index].type != V4L2_CTRL_TYPE_MENU)
    return EINVAL;
  if (item > (uint32_t)table[index].maximum || !table[index].items[item])
    return EINVAL;
  *result = (struct v4l2_querymenu){.id = id, .index = item};
  snprintf((char *)result->name, sizeof result->name, "%s", table[index].items[item]);
  return 0;
}

int vf_sim_control_query(const vf_sim_controls *controls, unsigned long request, void *argument) {
  switch (request) {
  case VIDIOC_QUERYCTRL:
    return query(controls, argument);
  case VIDIOC_QUERY_EXT_CTRL:
    return query_extended(controls, argument);
  default:
    return query_menu(argument);
  }
}

int vf_sim_control_get(const vf_sim_controls *controls, int index, int initial, int32_t *value) {
  if (table[index].flags & V4L2_CTRL_FLAG_WRITE_ONLY)
    return EACCES;
  *value = initial ? table[index].initial : controls->values[index];
  return 0;
}

vf_sim_look vf_sim_controls_look(const vf_sim_controls *controls, int64_t interval) {
  const int32_t *values = controls->values;
  int exposes_manually = values[VF_SIM_EXPOSURE_AUTO] == V4L2_EXPOSURE_MANUAL;
  // Exposure in units of 100 µs stretches the frame where the user lets it.
  int64_t exposure = (int64_t)values[VF_SIM_EXPOSURE] * 100000;
  int stretches = exposes_manually && values[VF_SIM_EXPOSURE_DYNAMIC] && exposure > interval;
  return (vf_sim_look){
      .brightness = values[VF_SIM_BRIGHTNESS],
      .contrast = values[VF_SIM_CONTRAST],
      .saturation = values[VF_SIM_SATURATION],
      .gain = values[VF_SIM_GAIN],
      .exposure = values[VF_SIM_EXPOSURE],
      .white_balance = values[VF_SIM_WHITE_BALANCE],
      .focus = values[VF_SIM_FOCUS],
      .zoom = values[VF_SIM_ZOOM],
      .exposes_manually = exposes_manually != 0,
      .balances_automatically = values[VF_SIM_WHITE_BALANCE_AUTO] != 0,
      .focuses_automatically = values[VF_SIM_FOCUS_AUTO] != 0,
      .hflip = values[VF_SIM_HFLIP] != 0,
      .vflip = values[VF_SIM_VFLIP] != 0,
      .flash = values[VF_SIM_FLASH_LED] != V4L2_FLASH_LED_MODE_NONE,
      .revision = controls->revision,
      .frame_time = stretches ? exposure : interval,
  };
}
