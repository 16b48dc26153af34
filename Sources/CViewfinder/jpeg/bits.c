#include "jpeg/bits.h"

#include "jpeg/markers.h"

/// Copies data up to the window's end or a marker, without stuffed zeros.
static void fill(vf_window *window, uint8_t *to) {
  uint8_t *limit = window->data + VF_WINDOW;
  const uint8_t *bytes = window->bytes;
  while (to < limit && !window->is_last) {
    size_t count = window->end - window->next, room = (size_t)(limit - to);
    if (count > room)
      count = room;
    const uint8_t *found = count ? memchr(bytes + window->next, 0xFF, count) : NULL;
    size_t plain = found ? (size_t)(found - bytes) - window->next : count;
    memcpy(to, bytes + window->next, plain);
    to += plain;
    window->next += plain;
    if (window->next == window->end) {
      window->is_last = 1;
    } else if (found) {
      if (window->next + 1 < window->end && bytes[window->next + 1] == 0) {
        *to++ = 0xFF;
        window->next += 2;
      } else {
        window->is_last = 1;
      }
    }
  }
  window->filled = to;
  memset(to, 0, (size_t)(window->data + sizeof window->data - to));
}

static void begin_segment(vf_window *window, size_t start) {
  window->start = window->next = start;
  window->is_last = 0;
  window->reader = (vf_bits){.at = window->data};
  fill(window, window->data);
}

void vf_window_begin(vf_window *window, const uint8_t *bytes, size_t start, size_t end) {
  window->bytes = bytes;
  window->end = end;
  begin_segment(window, start);
}

void vf_window_move(vf_window *window) {
  const uint8_t *at = window->reader.at;
  size_t rest = at < window->filled ? (size_t)(window->filled - at) : 0;
  memmove(window->data, at, rest);
  window->reader.at = window->data;
  fill(window, window->data + rest);
}

/// Whole bytes that nobody has taken a bit of, in the window and in the reader.
static size_t unread(const vf_window *window) {
  const uint8_t *at = window->reader.at - window->reader.count / 8;
  return at < window->filled ? (size_t)(window->filled - at) : 0;
}

size_t vf_window_position(const vf_window *window) {
  size_t at = window->next;
  for (size_t count = unread(window); count; count--)
    at -= window->bytes[at - 1] == 0 && window->bytes[at - 2] == 0xFF ? 2 : 1;
  return at;
}

int vf_window_pass_restart(vf_window *window, unsigned *number) {
  if (!vf_window_is_ready(window) || !window->is_last)
    return 0;
  // Some encoders fill up with bytes of ones too many.
  for (size_t count = unread(window); count; count--)
    if (window->filled[-(ptrdiff_t)count] != 0xFF)
      return 0;
  size_t at = window->next;
  while (at < window->end && window->bytes[at] == 0xFF)
    at++;
  uint8_t code = at < window->end ? window->bytes[at] : 0;
  if (at == window->next || code < VF_MARKER_RST0 || code > VF_MARKER_RST7)
    return 0;
  *number = code - VF_MARKER_RST0;
  begin_segment(window, at + 1);
  return 1;
}

/// The next marker's last byte at or after `at`; NULL where the data end before.
static const uint8_t *_Nullable find_marker(const vf_window *window, size_t at) {
  const uint8_t *end = window->bytes + window->end, *next = window->bytes + at;
  while (next + 1 < end && (next = memchr(next, 0xFF, (size_t)(end - next - 1)))) {
    next++;
    // Neither the zero that is stuffed, nor a fill byte before a marker.
    if (*next != 0 && *next != 0xFF)
      return next;
  }
  return NULL;
}

int vf_window_find_restart(vf_window *window, unsigned *number) {
  const uint8_t *found = find_marker(window, window->next);
  if (!found || *found < VF_MARKER_RST0 || *found > VF_MARKER_RST7)
    return 0;
  *number = *found - VF_MARKER_RST0;
  // What is passed over needn't be copied: the window is filled when somebody reads.
  window->start = window->next = (size_t)(found - window->bytes) + 1;
  window->is_last = 0;
  window->reader = (vf_bits){.at = window->data};
  window->filled = window->data;
  return 1;
}

size_t vf_window_find_end(const vf_window *window) {
  const uint8_t *found = find_marker(window, window->next);
  if (!found)
    return window->end;
  while (found[-1] == 0xFF)
    found--;
  return (size_t)(found - window->bytes);
}
