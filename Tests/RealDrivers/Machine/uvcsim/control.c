#include "uvcsim.h"

#include <stdlib.h>
#include <string.h>

// Standard requests, and those of the video class.
enum { GET_STATUS = 0, GET_DESCRIPTOR = 6, GET_CONFIGURATION = 8, GET_INTERFACE = 10 };
enum { SET_INTERFACE = 11, SET_CUR = 1, GET_CUR = 0x81, GET_MIN = 0x82, GET_MAX = 0x83 };
enum { GET_RES = 0x84, GET_LEN = 0x85, GET_INFO = 0x86, GET_DEF = 0x87 };
// Kinds of requests: direction, type and recipient.
enum { TO_DEVICE = 0x00, TO_INTERFACE = 0x01, TO_ENDPOINT = 0x02 };
enum { FROM_DEVICE = 0x80, FROM_INTERFACE = 0x81, CLASS_SET = 0x21, CLASS_GET = 0xa1 };
enum { PROBE = 1, COMMIT = 2 };

/// A camera's or processing unit's control.
typedef struct setting {
  int unit, selector, length;
  int32_t value, minimum, maximum, usual;
  /// The step, or of a menu the set of values.
  int32_t resolution;
} setting;

static setting settings[] = {
    {PROCESSING_UNIT, 2, 2, 0, -64, 64, 0, 1},  // Brightness
    {PROCESSING_UNIT, 3, 2, 32, 0, 64, 32, 1},  // Contrast
    {CAMERA_UNIT, 2, 1, 2, 0, 0, 2, 3},         // Exposure mode: manual or automatic
    {CAMERA_UNIT, 4, 4, 300, 10, 5000, 300, 1}, // Exposure time
};

uint8_t stream_parameters[34];

int stream_format(void) { return stream_parameters[2]; }

int stream_size(void) { return stream_parameters[3] - 1; }

uint32_t stream_interval(void) { return get32(stream_parameters + 4); }

/// Makes a probe block one that the camera can do.
static void correct(uint8_t *block) {
  if (block[2] < FORMAT_MJPEG || block[2] > FORMAT_YUYV)
    block[2] = FORMAT_MJPEG;
  bool is_yuyv = block[2] == FORMAT_YUYV;
  if (is_yuyv || block[3] < 1 || block[3] > SIZE_COUNT)
    block[3] = 1;
  uint32_t interval = YUYV_INTERVAL;
  if (!is_yuyv) {
    int64_t wanted = get32(block + 4);
    interval = mjpeg_intervals[0];
    for (int i = 1; i < INTERVAL_COUNT; i += 1) {
      if (llabs(mjpeg_intervals[i] - wanted) < llabs(interval - wanted))
        interval = mjpeg_intervals[i];
    }
  }
  put32(block + 4, interval);
  put16(block + 16, 0);
  size size = mjpeg_sizes[block[3] - 1];
  put32(block + 18, is_yuyv ? YUYV_BYTES : (uint32_t)size.width * size.height * 2);
  put32(block + 22, uvcsim_options.isochronous ? ISOCHRONOUS_PAYLOAD : BULK_PAYLOAD);
  put32(block + 26, 48000000);
  block[30] = 3;
  block[31] = block[32] = block[33] = 1;
}

void reset_parameters(void) { correct(stream_parameters); }

static int get_string(int index, uint8_t *answer) {
  static const char *const strings[] = {"", "Test", "Sim UVC Camera", "0001"};
  if (index < 1 || index > 3) {
    memcpy(answer, (const uint8_t[]){4, 3, 0x09, 0x04}, 4); // English
    return 4;
  }
  int length = 2;
  for (const char *c = strings[index]; *c; c += 1) {
    answer[length++] = (uint8_t)*c;
    answer[length++] = 0;
  }
  answer[0] = (uint8_t)length;
  answer[1] = 3;
  return length;
}

static int get_descriptor(int type, int index, uint8_t *answer) {
  static const uint8_t qualifier[10] = {10, 6, 0, 2, 0xef, 2, 1, 64, 1, 0};
  switch (type) {
  case 1:
    memcpy(answer, device_descriptor, sizeof device_descriptor);
    return sizeof device_descriptor;
  case 2:
    memcpy(answer, configuration, (size_t)configuration_length);
    return configuration_length;
  case 3:
    return get_string(index, answer);
  case 6:
    memcpy(answer, qualifier, sizeof qualifier);
    return sizeof qualifier;
  default:
    return -1;
  }
}

static int handle_standard(int kind, int request, int value, int index, uint8_t *answer) {
  switch (kind << 8 | request) {
  case FROM_DEVICE << 8 | GET_DESCRIPTOR:
    return get_descriptor(value >> 8, value & 255, answer);
  case FROM_DEVICE << 8 | GET_STATUS:
  case FROM_INTERFACE << 8 | GET_STATUS:
    answer[0] = answer[1] = 0;
    return 2;
  case FROM_DEVICE << 8 | GET_CONFIGURATION:
    answer[0] = 1;
    return 1;
  case FROM_INTERFACE << 8 | GET_INTERFACE:
    answer[0] = 0;
    return 1;
  case TO_INTERFACE << 8 | SET_INTERFACE:
    // An isochronous stream begins when it is given bandwidth.
    if (index == 1 && value == 1)
      start_video();
    return 0;
  default:
    return kind == TO_DEVICE || kind == TO_INTERFACE || kind == TO_ENDPOINT ? 0 : -1;
  }
}

/// Probe and commit.
static int negotiate(int kind, int request, int selector, const uint8_t *data, int length,
                     uint8_t *answer) {
  if (selector != PROBE && selector != COMMIT)
    return -1;
  if (kind == CLASS_SET) {
    if (request != SET_CUR)
      return -1;
    size_t count = length < 34 ? (size_t)length : 34;
    memcpy(stream_parameters, data, count);
    correct(stream_parameters);
    // A bulk stream begins with the commit.
    if (selector == COMMIT && !uvcsim_options.isochronous)
      start_video();
    return 0;
  }
  switch (request) {
  case GET_INFO:
    answer[0] = 3;
    return 1;
  case GET_LEN:
    put16(answer, 34);
    return 2;
  default:
    memcpy(answer, stream_parameters, 34);
    if (request == GET_DEF)
      memset(answer, 0, 34);
    correct(answer);
    return 34;
  }
}

static int handle_setting(setting *setting, int kind, int request, const uint8_t *data, int length,
                          uint8_t *answer) {
  if (kind == CLASS_SET) {
    uint8_t bytes[4] = {0};
    memcpy(bytes, data, (size_t)(length < setting->length ? length : setting->length));
    uint32_t value = get32(bytes);
    setting->value = setting->length == 2 ? (int16_t)value : (int32_t)value;
    return 0;
  }
  int32_t value;
  switch (request) {
  case GET_INFO:
    answer[0] = 3;
    return 1;
  case GET_LEN:
    put16(answer, (unsigned)setting->length);
    return 2;
  case GET_CUR:
    value = setting->value;
    break;
  case GET_MIN:
    value = setting->minimum;
    break;
  case GET_MAX:
    value = setting->maximum;
    break;
  case GET_RES:
    value = setting->resolution;
    break;
  case GET_DEF:
    value = setting->usual;
    break;
  default:
    return -1;
  }
  put32(answer, (uint32_t)value);
  return setting->length;
}

int handle_control(const uint8_t *setup, const uint8_t *data, int length, uint8_t answer[1024]) {
  int kind = setup[0], request = setup[1];
  int value = setup[2] | setup[3] << 8, index = setup[4] | setup[5] << 8;
  if (kind != CLASS_SET && kind != CLASS_GET)
    return handle_standard(kind, request, value, index, answer);
  int interface = index & 255, unit = index >> 8, selector = value >> 8;
  if (interface == 1)
    return negotiate(kind, request, selector, data, length, answer);
  for (size_t i = 0; i < sizeof settings / sizeof *settings; i += 1) {
    if (settings[i].unit == unit && settings[i].selector == selector)
      return handle_setting(&settings[i], kind, request, data, length, answer);
  }
  return -1;
}
