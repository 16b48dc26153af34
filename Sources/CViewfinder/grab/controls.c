#include "failure.h"
#include "grab/calls.h"
#include "grab/grabber.h"

#include <errno.h>
#include <linux/videodev2.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/// More than any driver has; a driver that never says "no more" ends here.
#define MAX_CONTROLS 2048
#define MAX_MENU_ITEMS 4096

/// The name in v4l2-ctl's form: lower case, whatever isn't a letter or digit collapsed to one '_'
/// between words.
static void make_identifier(char identifier[32], const char name[32]) {
  size_t length = 0;
  int separated = 0;
  for (size_t i = 0; i < 31 && name[i]; i += 1) {
    char c = name[i];
    if (c >= 'A' && c <= 'Z')
      c = (char)(c - 'A' + 'a');
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) {
      if (separated && length)
        identifier[length++] = '_';
      separated = 0;
      identifier[length++] = c;
    } else {
      separated = 1;
    }
  }
  memset(identifier + length, 0, 32 - length);
}

/// Asks for a control, by id and perhaps `V4L2_CTRL_FLAG_NEXT_…`. Returns 0 or -1 with `errno`.
static int query(vf_grabber *grabber, uint32_t id, vf_control *control) {
  struct v4l2_query_ext_ctrl extended = {.id = id};
  if (vf_ioctl(grabber->system, grabber->fd, VIDIOC_QUERY_EXT_CTRL, &extended) == 0) {
    *control = (vf_control){
        .id = extended.id,
        .type = extended.type,
        .flags = extended.flags,
        .minimum = extended.minimum,
        .maximum = extended.maximum,
        .step = extended.step > INT64_MAX ? INT64_MAX : (int64_t)extended.step,
        .default_value = extended.default_value,
    };
    vf_copy_words(control->name, sizeof control->name, extended.name, sizeof extended.name);
  } else {
    if (errno != ENOTTY)
      return -1;
    struct v4l2_queryctrl plain = {.id = id & ~(uint32_t)V4L2_CTRL_FLAG_NEXT_COMPOUND};
    if (vf_ioctl(grabber->system, grabber->fd, VIDIOC_QUERYCTRL, &plain) != 0)
      return -1;
    *control = (vf_control){
        .id = plain.id,
        .type = plain.type,
        .flags = plain.flags,
        .minimum = plain.minimum,
        .maximum = plain.maximum,
        .step = plain.step,
        .default_value = plain.default_value,
    };
    if (plain.type == V4L2_CTRL_TYPE_BITMASK) {
      control->maximum = (uint32_t)plain.maximum;
      control->default_value = (uint32_t)plain.default_value;
    }
    vf_copy_words(control->name, sizeof control->name, plain.name, sizeof plain.name);
  }
  make_identifier(control->identifier, control->name);
  return 0;
}

/// Whether a control's value is one integer.
static int is_scalar(const vf_control *control) {
  return control->type < V4L2_CTRL_COMPOUND_TYPES && control->type != V4L2_CTRL_TYPE_STRING &&
         control->type != V4L2_CTRL_TYPE_CTRL_CLASS &&
         !(control->flags & V4L2_CTRL_FLAG_HAS_PAYLOAD);
}

/// Reads a scalar control's value. Returns 0 or -1 with `errno`.
static int get_value(vf_grabber *grabber, const vf_control *control, int64_t *value) {
  struct v4l2_ext_control item = {.id = control->id};
  struct v4l2_ext_controls items = {
      .which = V4L2_CTRL_WHICH_CUR_VAL, .count = 1, .controls = &item};
  if (vf_ioctl(grabber->system, grabber->fd, VIDIOC_G_EXT_CTRLS, &items) != 0) {
    int code = errno;
    if (code != ENOTTY && code != EINVAL)
      return -1;
    // Old drivers, and the controls that libv4l2 adds, know only this call.
    struct v4l2_control plain = {.id = control->id};
    if (vf_ioctl(grabber->system, grabber->fd, VIDIOC_G_CTRL, &plain) != 0) {
      errno = code == ENOTTY ? errno : code;
      return -1;
    }
    item.value = plain.value;
    if (control->type == V4L2_CTRL_TYPE_INTEGER64)
      item.value64 = plain.value;
  }
  if (control->type == V4L2_CTRL_TYPE_INTEGER64)
    *value = item.value64;
  else if (control->type == V4L2_CTRL_TYPE_BITMASK)
    *value = (uint32_t)item.value;
  else
    *value = item.value;
  return 0;
}

/// Writes a scalar control's value. Returns 0 or -1 with `errno`.
static int set_value(vf_grabber *grabber, const vf_control *control, int64_t value) {
  struct v4l2_ext_control item = {.id = control->id};
  if (control->type == V4L2_CTRL_TYPE_INTEGER64)
    item.value64 = value;
  else
    item.value = (int32_t)(uint32_t)value;
  struct v4l2_ext_controls items = {
      .which = V4L2_CTRL_WHICH_CUR_VAL, .count = 1, .controls = &item};
  if (vf_ioctl(grabber->system, grabber->fd, VIDIOC_S_EXT_CTRLS, &items) == 0)
    return 0;
  int code = errno;
  if ((code != ENOTTY && code != EINVAL) || control->type == V4L2_CTRL_TYPE_INTEGER64)
    return -1;
  struct v4l2_control plain = {.id = control->id, .value = (int32_t)(uint32_t)value};
  if (vf_ioctl(grabber->system, grabber->fd, VIDIOC_S_CTRL, &plain) == 0)
    return 0;
  errno = code == ENOTTY ? errno : code;
  return -1;
}

/// Adds a control to a growing array. Returns 0 or -1 without memory.
static int append(vf_control **controls, int *count, int *capacity, const vf_control *control) {
  if (*count == *capacity) {
    int larger = *capacity ? *capacity * 2 : 32;
    vf_control *grown = realloc(*controls, (size_t)larger * sizeof *grown);
    if (!grown)
      return -1;
    *controls = grown;
    *capacity = larger;
  }
  (*controls)[(*count)++] = *control;
  return 0;
}

static int is_listed(const vf_control *control) {
  return !(control->flags & V4L2_CTRL_FLAG_DISABLED) && control->type != V4L2_CTRL_TYPE_CTRL_CLASS;
}

/// Reads the current value, where there is one. Returns false when the camera is gone.
static bool read_current(vf_grabber *grabber, vf_control *control) {
  control->value = 0;
  bool has_value = is_scalar(control) && control->type != V4L2_CTRL_TYPE_BUTTON &&
                   !(control->flags & V4L2_CTRL_FLAG_WRITE_ONLY);
  return !has_value || get_value(grabber, control, &control->value) == 0 || errno != ENODEV;
}

int vf_grabber_controls(vf_grabber *grabber, vf_control **controls, vf_failure *failure) {
  const uint32_t next = V4L2_CTRL_FLAG_NEXT_CTRL | V4L2_CTRL_FLAG_NEXT_COMPOUND;
  *controls = NULL;
  int count = 0, capacity = 0, code = 0;
  const char *step = "VIDIOC_QUERY_EXT_CTRL";
  uint32_t last = 0;
  vf_control control;
  pthread_rwlock_rdlock(&grabber->fd_lock);
  for (int round = 0; round < MAX_CONTROLS; round += 1) {
    if (query(grabber, last | next, &control) != 0) {
      // ENOTTY: a camera without controls.
      if (errno != EINVAL && errno != ENOTTY)
        code = errno;
      break;
    }
    // A driver that goes backwards would never end.
    if (control.id <= last || (control.id & next))
      break;
    last = control.id;
    if (!is_listed(&control))
      continue;
    if (!read_current(grabber, &control)) {
      code = ENODEV;
      step = "VIDIOC_G_EXT_CTRLS";
      break;
    }
    if (append(controls, &count, &capacity, &control) != 0) {
      code = ENOMEM;
      step = "malloc";
      break;
    }
  }
  // Drivers from before V4L2_CTRL_FLAG_NEXT_CTRL: ask for each of the user class.
  if (!last && !code) {
    for (uint32_t id = V4L2_CID_BASE; id < V4L2_CID_LASTP1 && !code; id += 1) {
      if (query(grabber, id, &control) != 0) {
        if (errno == ENOTTY)
          break;
        if (errno == ENODEV)
          code = ENODEV;
        continue;
      }
      if (control.id != id || !is_listed(&control))
        continue;
      if (!read_current(grabber, &control)) {
        code = ENODEV;
        step = "VIDIOC_G_EXT_CTRLS";
      } else if (append(controls, &count, &capacity, &control) != 0) {
        code = ENOMEM;
        step = "malloc";
      }
    }
  }
  pthread_rwlock_unlock(&grabber->fd_lock);
  if (!code)
    return count;
  free(*controls);
  *controls = NULL;
  return vf_fail(failure, code, step, NULL);
}

int vf_grabber_menu(vf_grabber *grabber, const vf_control *control, vf_menu_item **items,
                    vf_failure *failure) {
  *items = NULL;
  if (control->type != V4L2_CTRL_TYPE_MENU && control->type != V4L2_CTRL_TYPE_INTEGER_MENU) {
    return vf_fail(failure, EINVAL, "VIDIOC_QUERYMENU", "\"%.31s\" is no menu", control->name);
  }
  int64_t first = control->minimum < 0 ? 0 : control->minimum;
  int64_t last = control->maximum;
  if (last < first)
    return 0;
  if (last > UINT32_MAX)
    last = UINT32_MAX;
  if (last - first >= MAX_MENU_ITEMS)
    last = first + MAX_MENU_ITEMS - 1;
  vf_menu_item *list = calloc((size_t)(last - first + 1), sizeof *list);
  if (!list)
    return vf_fail(failure, ENOMEM, "malloc", NULL);
  int count = 0;
  bool is_gone = false;
  pthread_rwlock_rdlock(&grabber->fd_lock);
  for (int64_t index = first; index <= last && !is_gone; index += 1) {
    struct v4l2_querymenu entry = {.id = control->id, .index = (uint32_t)index};
    // EINVAL marks a hole in the menu.
    if (vf_ioctl(grabber->system, grabber->fd, VIDIOC_QUERYMENU, &entry) != 0) {
      is_gone = errno == ENODEV;
      continue;
    }
    vf_menu_item *item = &list[count++];
    item->index = index;
    if (control->type == V4L2_CTRL_TYPE_MENU) {
      vf_copy_words(item->name, sizeof item->name, entry.name, sizeof entry.name);
    } else {
      item->value = entry.value;
    }
  }
  pthread_rwlock_unlock(&grabber->fd_lock);
  if (is_gone) {
    free(list);
    return vf_fail(failure, ENODEV, "VIDIOC_QUERYMENU", NULL);
  }
  *items = list;
  return count;
}

int vf_grabber_get_control(vf_grabber *grabber, uint32_t id, int64_t *value, vf_failure *failure) {
  vf_control control;
  int code = 0;
  const char *step = "VIDIOC_G_EXT_CTRLS";
  pthread_rwlock_rdlock(&grabber->fd_lock);
  if (query(grabber, id, &control) != 0) {
    code = errno;
    step = "VIDIOC_QUERY_EXT_CTRL";
  } else if (!is_scalar(&control)) {
    code = ENOTSUP;
  } else if (get_value(grabber, &control, value) != 0) {
    code = errno;
  }
  pthread_rwlock_unlock(&grabber->fd_lock);
  return code ? vf_fail(failure, code, step, NULL) : 0;
}

/// Why a control doesn't take a value, as an `errno`, or 0. Drivers differ: many clamp silently.
static int refusal(const vf_control *control, int64_t value) {
  if (!is_scalar(control))
    return ENOTSUP;
  if (control->flags & V4L2_CTRL_FLAG_READ_ONLY)
    return EACCES;
  if (control->flags & V4L2_CTRL_FLAG_DISABLED)
    return EINVAL;
  if (control->flags & V4L2_CTRL_FLAG_GRABBED)
    return EBUSY;
  switch (control->type) {
  case V4L2_CTRL_TYPE_BUTTON:
    return 0;
  case V4L2_CTRL_TYPE_BITMASK:
    return value < 0 || value > UINT32_MAX || (value & ~control->maximum) ? ERANGE : 0;
  default:
    break;
  }
  if (control->type != V4L2_CTRL_TYPE_INTEGER64 && (value < INT32_MIN || value > INT32_MAX)) {
    return ERANGE;
  }
  // Some cameras report nonsense limits; then the driver shall judge.
  if (control->minimum > control->maximum)
    return 0;
  return value < control->minimum || value > control->maximum ? ERANGE : 0;
}

int vf_grabber_set_control(vf_grabber *grabber, uint32_t id, int64_t *value, vf_failure *failure) {
  vf_control control;
  int code = 0;
  const char *step = "VIDIOC_S_EXT_CTRLS";
  pthread_rwlock_rdlock(&grabber->fd_lock);
  if (query(grabber, id, &control) != 0) {
    code = errno;
    step = "VIDIOC_QUERY_EXT_CTRL";
  } else {
    code = refusal(&control, *value);
    if (!code && set_value(grabber, &control, *value) != 0)
      code = errno;
    // What can't be read back keeps the value that was set.
    int64_t now;
    if (!code && control.type != V4L2_CTRL_TYPE_BUTTON &&
        !(control.flags & V4L2_CTRL_FLAG_WRITE_ONLY) && get_value(grabber, &control, &now) == 0) {
      *value = now;
    }
  }
  pthread_rwlock_unlock(&grabber->fd_lock);
  if (!code)
    return 0;
  if (code == ERANGE) {
    return vf_fail(failure, code, step, "\"%.31s\" takes %lld to %lld, not %lld", control.name,
                   (long long)control.minimum, (long long)control.maximum, (long long)*value);
  }
  return vf_fail(failure, code, step, NULL);
}
