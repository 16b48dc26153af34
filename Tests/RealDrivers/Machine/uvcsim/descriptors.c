#include "uvcsim.h"

#include <string.h>

// Descriptor types, and subtypes of class-specific ones (USB Video Class 1.1, appendix A).
enum { CONFIGURATION = 2, INTERFACE = 4, ENDPOINT = 5, ASSOCIATION = 11, CLASS_INTERFACE = 0x24 };
enum { VC_HEADER = 1, VC_INPUT_TERMINAL = 2, VC_OUTPUT_TERMINAL = 3, VC_PROCESSING_UNIT = 5 };
enum { VS_INPUT_HEADER = 1, VS_FORMAT_UNCOMPRESSED = 4, VS_FRAME_UNCOMPRESSED = 5 };
enum { VS_FORMAT_MJPEG = 6, VS_FRAME_MJPEG = 7, VS_COLORFORMAT = 13 };
enum { VIDEO_CLASS = 14, CONTROL_SUBCLASS = 1, STREAMING_SUBCLASS = 2 };

const size mjpeg_sizes[SIZE_COUNT] = {{640, 480}, {1280, 720}, {1920, 1080}};
const uint32_t mjpeg_intervals[INTERVAL_COUNT] = {333333, 666666, 2000000};

// USB 2.0, several interfaces in one function, vendor 1209 (for open projects), product 0001.
const uint8_t device_descriptor[18] = {18,   1,    0x00, 0x02, 0xef, 2, 1, 64, 0x09,
                                       0x12, 0x01, 0x00, 0x00, 0x01, 1, 2, 3,  1};

uint8_t configuration[1024];
int configuration_length;

/// Appends a descriptor with zeros for the rest.
static uint8_t *add(int length, int type, int subtype) {
  uint8_t *descriptor = configuration + configuration_length;
  memset(descriptor, 0, (size_t)length);
  descriptor[0] = (uint8_t)length;
  descriptor[1] = (uint8_t)type;
  descriptor[2] = (uint8_t)subtype;
  configuration_length += length;
  return descriptor;
}

static void add_interface(int number, int alternate, int endpoints, int subclass) {
  uint8_t *interface = add(9, INTERFACE, number);
  interface[3] = (uint8_t)alternate;
  interface[4] = (uint8_t)endpoints;
  interface[5] = VIDEO_CLASS;
  interface[6] = (uint8_t)subclass;
}

static void add_control_interface(void) {
  add_interface(0, 0, 0, CONTROL_SUBCLASS);
  int start = configuration_length;
  uint8_t *header = add(13, CLASS_INTERFACE, VC_HEADER);
  put16(header + 3, 0x0110);
  put32(header + 7, 48000000);
  header[11] = 1;
  header[12] = 1;

  uint8_t *camera = add(18, CLASS_INTERFACE, VC_INPUT_TERMINAL);
  camera[3] = CAMERA_UNIT;
  put16(camera + 4, 0x0201);
  camera[14] = 3;
  camera[15] = 0x0a; // Exposure: mode, absolute time.

  uint8_t *processing = add(12, CLASS_INTERFACE, VC_PROCESSING_UNIT);
  processing[3] = PROCESSING_UNIT;
  processing[4] = CAMERA_UNIT;
  processing[7] = 2;
  processing[8] = 0x03; // Brightness, contrast.

  uint8_t *output = add(9, CLASS_INTERFACE, VC_OUTPUT_TERMINAL);
  output[3] = OUTPUT_UNIT;
  put16(output + 4, 0x0101);
  output[7] = PROCESSING_UNIT;
  put16(header + 5, (unsigned)(configuration_length - start));
}

static void add_colours(void) {
  uint8_t *colours = add(6, CLASS_INTERFACE, VS_COLORFORMAT);
  colours[3] = 1;
  colours[4] = 1;
  colours[5] = 4;
}

static void add_frame(int subtype, int index, size size, int interval_count,
                      const uint32_t *intervals) {
  uint32_t pixels = (uint32_t)size.width * size.height;
  uint8_t *frame = add(26 + 4 * interval_count, CLASS_INTERFACE, subtype);
  frame[3] = (uint8_t)index;
  put16(frame + 5, size.width);
  put16(frame + 7, size.height);
  put32(frame + 9, pixels * 16);
  put32(frame + 13, pixels * 16 * 30);
  put32(frame + 17, pixels * 2);
  put32(frame + 21, intervals[0]);
  frame[25] = (uint8_t)interval_count;
  for (int i = 0; i < interval_count; i += 1)
    put32(frame + 26 + 4 * i, intervals[i]);
}

static void add_streaming_interface(void) {
  add_interface(1, 0, uvcsim_options.isochronous ? 0 : 1, STREAMING_SUBCLASS);
  int start = configuration_length;
  uint8_t *header = add(15, CLASS_INTERFACE, VS_INPUT_HEADER);
  header[3] = 2;
  header[6] = 0x81;
  header[8] = OUTPUT_UNIT;
  header[12] = 1;

  uint8_t *mjpeg = add(11, CLASS_INTERFACE, VS_FORMAT_MJPEG);
  mjpeg[3] = FORMAT_MJPEG;
  mjpeg[4] = SIZE_COUNT;
  mjpeg[5] = 1;
  mjpeg[6] = 1;
  for (int i = 0; i < SIZE_COUNT; i += 1)
    add_frame(VS_FRAME_MJPEG, i + 1, mjpeg_sizes[i], INTERVAL_COUNT, mjpeg_intervals);
  add_colours();

  static const uint8_t yuy2[16] = {'Y',  'U', 'Y', '2',  0, 0,    0x10, 0,
                                   0x80, 0,   0,   0xaa, 0, 0x38, 0x9b, 0x71};
  uint8_t *yuyv = add(27, CLASS_INTERFACE, VS_FORMAT_UNCOMPRESSED);
  yuyv[3] = FORMAT_YUYV;
  yuyv[4] = 1;
  memcpy(yuyv + 5, yuy2, sizeof yuy2);
  yuyv[21] = 16;
  yuyv[22] = 1;
  add_frame(VS_FRAME_UNCOMPRESSED, 1, (size){YUYV_WIDTH, YUYV_HEIGHT}, 1,
            &(const uint32_t){YUYV_INTERVAL});
  add_colours();
  put16(header + 4, (unsigned)(configuration_length - start));

  // Isochronous video has bandwidth in the alternate setting 1 only.
  if (uvcsim_options.isochronous)
    add_interface(1, 1, 1, STREAMING_SUBCLASS);
  uint8_t *endpoint = add(7, ENDPOINT, 0x81);
  endpoint[3] = uvcsim_options.isochronous ? 5 : 2;
  put16(endpoint + 4, uvcsim_options.isochronous ? 0x1400 : 512);
  endpoint[6] = uvcsim_options.isochronous ? 1 : 0;
}

void make_descriptors(void) {
  uint8_t *whole = add(9, CONFIGURATION, 0);
  whole[4] = 2;
  whole[5] = 1;
  whole[7] = 0x80;
  whole[8] = 250;
  uint8_t *function = add(8, ASSOCIATION, 0);
  function[3] = 2;
  function[4] = VIDEO_CLASS;
  function[5] = 3;
  add_control_interface();
  add_streaming_interface();
  put16(whole + 2, (unsigned)configuration_length);
}
