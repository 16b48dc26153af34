// A simulated USB camera (USB Video Class 1.1), plugged into the kernel's own virtual USB host
// controller. The kernel's uvcvideo driver binds to it as to a real one.
//
//   main.c         options, the connection to the controller, the queue of requests
//   descriptors.c  what the camera says it is
//   control.c      answers to control requests: descriptors, stream negotiation, controls
//   video.c        frames, cut into payloads

#ifndef UVCSIM_H
#define UVCSIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// What the command line said.
typedef struct options {
  /// Whether video comes over an isochronous endpoint; else over a bulk endpoint.
  bool isochronous;
  /// The controller's port to plug into.
  int port;
  /// Unplug after this many frames; 0: never.
  int unplug_after;
  /// Cut every nth frame short; 0: none.
  int truncate_every;
  /// Set the error bit in every nth frame; 0: none.
  int error_every;
  /// Get stuck in the middle of a JPEG frame of this width; 0: never.
  int stuck_width;
} options;

extern options uvcsim_options;

/// The largest payload: of a bulk transfer, and of an isochronous packet.
enum { BULK_PAYLOAD = 16384, ISOCHRONOUS_PAYLOAD = 3072 };

/// Numbers of the formats and units in the descriptors.
enum { FORMAT_MJPEG = 1, FORMAT_YUYV = 2, CAMERA_UNIT = 1, PROCESSING_UNIT = 2, OUTPUT_UNIT = 3 };

/// Sizes and rates of the MJPEG format, and the one of YUYV.
enum { SIZE_COUNT = 3, INTERVAL_COUNT = 3, YUYV_WIDTH = 320, YUYV_HEIGHT = 240 };
enum { YUYV_BYTES = YUYV_WIDTH * YUYV_HEIGHT * 2, YUYV_INTERVAL = 666666 };
typedef struct size {
  uint16_t width, height;
} size;
extern const size mjpeg_sizes[SIZE_COUNT];
/// In units of 100 ns.
extern const uint32_t mjpeg_intervals[INTERVAL_COUNT];

// MARK: Little-endian numbers

void put16(uint8_t *bytes, unsigned value);
void put32(uint8_t *bytes, uint32_t value);
uint32_t get32(const uint8_t *bytes);

/// CLOCK_MONOTONIC, in microseconds.
int64_t now(void);

// MARK: descriptors.c

extern const uint8_t device_descriptor[18];
extern uint8_t configuration[1024];
extern int configuration_length;

void make_descriptors(void);

// MARK: control.c

/// The stream's negotiated parameters (a UVC 1.1 probe and commit block).
extern uint8_t stream_parameters[34];

/// The negotiated format, size (an index), and interval (in units of 100 ns).
int stream_format(void);
int stream_size(void);
uint32_t stream_interval(void);

/// Sets the parameters that a camera starts with.
void reset_parameters(void);

/// Answers a control request.
///
/// `setup` is the request's 8 bytes, `data` what the host sends with it, `length` of it. Returns
/// the length of the answer, which goes to `answer`, or -1 to stall.
int handle_control(const uint8_t *setup, const uint8_t *data, int length, uint8_t answer[1024]);

// MARK: video.c

/// Reads a JPEG file; all of the size that the host chose are shown in turn, or all where none is.
/// Returns false, and says why, when it can't be read.
bool add_picture(const char *path);

/// Begins the stream: the first frame is due now.
void start_video(void);

/// When there will be something to send, in microseconds; INT64_MAX: never.
int64_t video_due(void);

/// Turns to the next frame once it is due. Returns false when none is at hand, or it
/// is stuck.
bool has_frame(void);

/// Cuts the next payload off the current frame. Returns its length, at most `capacity`.
int make_payload(uint8_t *payload, int capacity);

#endif
