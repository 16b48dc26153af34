#ifndef VF_GRABBER_H
#define VF_GRABBER_H

#include "vf_devices.h"

#pragma clang assume_nonnull begin

/// A time per frame, in seconds, as a fraction. `{1, 30}` is 30 frames a second.
typedef struct vf_interval {
  uint32_t numerator, denominator;
} vf_interval;

/// One row of what a camera offers: a format, a size or range of sizes, an interval or range of
/// intervals.
///
/// Where the driver gives ranges (V4L2's stepwise and continuous kinds), minimum and maximum differ
/// and `…_step` is the step (1 or more for sizes; `{0, 0}` for continuous intervals). Discrete
/// values have minimum = maximum. A driver that doesn't tell intervals gives a denominator of 0.
typedef struct vf_mode {
  /// V4L2 pixel format.
  uint32_t fourcc;
  /// The driver's words for the format, such as "Motion-JPEG".
  char description[32];
  /// `V4L2_FMT_FLAG_COMPRESSED` 1, `V4L2_FMT_FLAG_EMULATED` 2.
  uint32_t flags;
  uint32_t min_width, max_width, width_step;
  uint32_t min_height, max_height, height_step;
  vf_interval min_interval, max_interval, interval_step;
} vf_mode;

/// A frame layout and rate: what is wanted, or what the driver granted.
typedef struct vf_format {
  /// V4L2 pixel format; in a wish 0 lets `vf_format_choose` choose.
  uint32_t fourcc;
  /// In pixels; in a wish 0 × 0 means the largest.
  uint32_t width, height;
  /// Distance from one row of the first plane to the next, in bytes; 0 for compressed formats.
  /// Ignored in a wish.
  uint32_t stride;
  /// Bytes of the largest frame (sizeimage). Ignored in a wish.
  uint32_t size;
  /// Time per frame; denominator 0 in a wish: the fastest; in an answer: unknown.
  vf_interval interval;
  /// 1 when Y uses 16…235 (`V4L2_QUANTIZATION_LIM_RANGE`, or the colour space's default). Ignored
  /// in a wish.
  uint8_t limited_range;
} vf_format;

/// Chooses the row of `modes` that serves a wish best, and the exact size and interval to ask for.
///
/// In this order: a format that Viewfinder reads (see `vf_image.h`; emulated ones last) and, where
/// `wanted` names one, that format; a size equal to the one wanted, else the smallest that covers
/// it, else the largest; a rate that reaches the one wanted, else the fastest; and among these raw
/// formats before compressed ones, so that MJPEG is taken just when raw can't reach the rate; grey
/// after both. Rates within 0.2 % are equal. A
/// wish for a size without a rate counts as a wish for up to 30 frames a second. Returns 0, or
/// `-ENOTSUP` when there is no row in a format that we read.
int vf_format_choose(const vf_mode *modes, size_t count, const vf_format *wanted, vf_format *chosen,
                     vf_failure *failure);

/// A camera control. Values of every type but strings and compounds are 64-bit integers.
typedef struct vf_control {
  /// `V4L2_CID_…`.
  uint32_t id;
  /// `V4L2_CTRL_TYPE_…`: 1 integer, 2 boolean, 3 menu, 4 button, 5 integer64, 6 class, 7 string, 8
  /// bitmask, 9 integer menu; from 0x100 on compound types, which are listed but can't be read or
  /// set here.
  uint32_t type;
  /// `V4L2_CTRL_FLAG_…`: 1 disabled, 2 grabbed, 4 read only, 8 update, 0x10 inactive, 0x40 write
  /// only, 0x80 volatile, …
  uint32_t flags;
  /// The driver's name, such as "Exposure Time, Absolute", and the same in v4l2-ctl's form,
  /// "exposure_time_absolute".
  char name[32], identifier[32];
  int64_t minimum, maximum, step, default_value;
  /// The current value; 0 for buttons, and where reading failed.
  int64_t value;
} vf_control;

/// An item of a menu control.
typedef struct vf_menu_item {
  /// The value to set.
  int64_t index;
  /// For menus: the item's words. For integer menus: empty.
  char name[32];
  /// For integer menus: the number that the item stands for.
  int64_t value;
} vf_menu_item;

/// An open camera, over one table of system calls.
///
/// Opening doesn't take the stream: formats and controls can be read and set while another program
/// streams. Calls on one grabber must not overlap, except `vf_grabber_interrupt`,
/// `vf_grabber_statistics`, the control calls, and the frame calls, which any thread may make at
/// any time.
typedef struct vf_grabber vf_grabber;

/// Opens a camera's node. The caller releases the result with `vf_grabber_close`.
///
/// Fails with `ENOTTY` when the node is no V4L2 device, and `ENODEV` (`detail` says more) when it
/// doesn't stream video.
vf_grabber *_Nullable vf_grabber_open(const vf_system *system, const char *path,
                                      vf_failure *failure);

/// Stops streaming and closes the device. Frames still lent out stay readable until released.
/// Accepts NULL.
void vf_grabber_close(vf_grabber *_Nullable grabber);

/// Lists what the camera offers. `*modes` receives an array that the caller releases with `free`.
/// Returns how many rows.
int vf_grabber_modes(vf_grabber *grabber, vf_mode *_Nullable *_Nonnull modes, vf_failure *failure);

/// Lists the controls of all classes, without disabled ones and class headings. `*controls`
/// receives an array that the caller releases with `free`. Returns how many.
int vf_grabber_controls(vf_grabber *grabber, vf_control *_Nullable *_Nonnull controls,
                        vf_failure *failure);

/// Lists a menu control's valid items. `*items` receives an array that the caller releases with
/// `free`. Returns how many.
int vf_grabber_menu(vf_grabber *grabber, const vf_control *control,
                    vf_menu_item *_Nullable *_Nonnull items, vf_failure *failure);

/// Reads a control (VIDIOC_G_EXT_CTRLS).
int vf_grabber_get_control(vf_grabber *grabber, uint32_t id, int64_t *value, vf_failure *failure);

/// Sets a control (VIDIOC_S_EXT_CTRLS) and reads back what the driver made of it into `*value`.
/// `ERANGE` or `EINVAL` for a value that the control doesn't take, `EACCES` for a read-only one,
/// `EBUSY` for a grabbed one.
int vf_grabber_set_control(vf_grabber *grabber, uint32_t id, int64_t *value, vf_failure *failure);

/// Bytes that a check can have appended to a frame, at most.
#define VF_TAIL_LIMIT 4

/// Room for what a check wants to know again later: bytes that the grabber keeps with the frame and
/// doesn't read.
typedef struct vf_frame_notes {
  _Alignas(8) uint8_t bytes[96];
} vf_frame_notes;

/// What a check finds of a compressed frame. All zeros: it is damaged and shall be withheld.
typedef struct vf_frame_facts {
  /// How many of the bytes are the frame: less than there are, to trim padding.
  size_t count;
  /// What its end lacks, such as a JPEG's end marker: appended where it lies, or to a copy where
  /// the buffer has no room.
  uint8_t tail[VF_TAIL_LIMIT];
  size_t tail_count;
  /// Its own size, in pixels; 0 where it tells none.
  uint32_t width, height;
  /// Of the frame as it will be lent: trimmed, and with its tail.
  vf_frame_notes notes;
} vf_frame_facts;

/// Looks at a frame's bytes before it is lent, and fills in `*facts`, which are zeros.
typedef void (*vf_frame_check)(void *_Nullable context, const uint8_t *bytes, size_t count,
                               vf_frame_facts *facts);

/// How to stream.
typedef struct vf_stream_options {
  /// Buffers to ask the driver for, 2 to 32. 0 stands for those of a sixth of a second and one
  /// more: 4 up to 18 frames a second, 5 up to 24, 6 above and where the rate isn't known.
  uint32_t buffer_count;
  /// Buffers that stay with the driver whatever is lent, at least 1; 0 stands for 2.
  uint32_t reserve;
  /// 1: deliver every frame in order. 0: skip to the newest when several wait.
  uint8_t keeps_late_frames;
  /// 1: deliver error-flagged, short and damaged frames too, marked as such.
  uint8_t delivers_damaged_frames;
  /// 1: when the driver needs its buffers back, lend copies of its frames, six at a time, the last
  /// two marked as reserved. 0: withhold the frames. (Frames of several planes are withheld.)
  uint8_t lends_copies;
  /// Called on each compressed frame, or NULL.
  vf_frame_check _Nullable check;
  void *_Nullable check_context;
} vf_stream_options;

/// Takes up what comes in at the socket of a grabber or capture card (VIDIOC_QUERY_DV_TIMINGS,
/// VIDIOC_S_DV_TIMINGS). To be called before modes are listed and a stream is started; cameras,
/// which have no socket, aren't touched.
///
/// Returns 1 when the timings changed (the modes are then others), 0 when not, or a negative error:
/// `-ENOLINK` no signal, or none that can be used.
int vf_grabber_follow_source(vf_grabber *grabber, vf_failure *failure);

/// Sets the format, then the interval, reads both back, maps buffers, queues them all and starts
/// the stream.
///
/// `*format` is the wish on the way in (take it from `vf_format_choose`) and what the driver
/// granted on the way out. `EBUSY` at VIDIOC_REQBUFS or VIDIOC_S_FMT: another program streams.
/// `ENOSPC` at VIDIOC_STREAMON: too little USB bandwidth. After a failure nothing streams and the
/// grabber can be started again.
int vf_grabber_start(vf_grabber *grabber, vf_format *format,
                     const vf_stream_options *_Nullable options, vf_failure *failure);

/// Stops the stream and returns the buffers. Frames still lent out stay readable until released.
/// Does nothing when no stream runs.
void vf_grabber_stop(vf_grabber *grabber);

/// A frame on loan: the driver's own buffer. It goes back to the driver when its last holder
/// releases it. (v4l2loopback writes to buffers that readers hold: its frames are copies.) See also
/// `vf_stream_options.lends_copies`.
///
/// All fields are read-only and hold as long as the frame is held.
typedef struct vf_frame {
  /// The payload: `bytesused` less `data_offset`, padding trimmed. Multi-planar frames have a
  /// pointer per plane; else only the first is set.
  const uint8_t *_Nullable planes[3];
  size_t counts[3];
  uint32_t plane_count;
  /// Frames that the driver started since the stream began, lost ones included; the first is 0.
  uint32_t sequence;
  /// The size that the check found, which may be another than the stream's; 0 where it found none.
  uint32_t width, height;
  /// The check's notes; zeros where there was none, or the frame is damaged.
  vf_frame_notes notes;
  /// 1 when the driver flagged the frame, it is too short, or the check failed. Only with
  /// `delivers_damaged_frames`.
  uint8_t damaged;
  /// 1 when so many frames are lent out that this one is for what can't wait alone, such as a
  /// photo: all else should release it at once. Only with `lends_copies`.
  uint8_t reserved;
  /// Capture time on CLOCK_MONOTONIC, in nanoseconds (the driver's stamp, or the time of
  /// dequeuing when that can't be true; see `vf_statistics.restamped`), and the same instant on
  /// CLOCK_REALTIME.
  int64_t timestamp, wall_time;
} vf_frame;

/// Waits for a frame and borrows it.
///
/// Returns 1 with a frame that the caller releases with `vf_frame_release`; 0 when
/// `timeout_milliseconds` passed (-1: no limit) or somebody called `vf_grabber_interrupt`; or a
/// negative error: `-ENODEV` unplugged, `-EIO` the stream broke, `-EPIPE` the source changed its
/// format (stop and start again), `-EINVAL` not streaming.
int vf_grabber_next(vf_grabber *grabber, int timeout_milliseconds,
                    vf_frame *_Nullable *_Nonnull frame, vf_failure *failure);

/// Makes the current or next `vf_grabber_next` return 0 at once.
void vf_grabber_interrupt(vf_grabber *grabber);

/// Adds a holder to a frame. Returns the frame.
vf_frame *vf_frame_retain(vf_frame *frame);

/// Takes a holder off a frame; the last one gives the buffer back. Accepts NULL.
void vf_frame_release(vf_frame *_Nullable frame);

/// A descriptor of the frame's buffer for other devices (VIDIOC_EXPBUF, DMABUF), or `-errno`. The
/// caller closes it.
int vf_frame_export(vf_frame *frame, uint32_t plane, vf_failure *failure);

/// What became of the frames since the stream began.
typedef struct vf_statistics {
  /// Started by the driver, up to the last frame that was dequeued. Each is in one of the next
  /// five, but for one that is being judged at this moment.
  uint64_t produced;
  /// Lent out.
  uint64_t delivered;
  /// Never reached us: gaps in the driver's sequence numbers.
  uint64_t lost;
  /// Withheld: flagged by the driver, too short, or damaged.
  uint64_t corrupt;
  /// Withheld, or lent as reserved, because the buffers were lent out.
  uint64_t starved;
  /// Skipped because a newer one waited, or had come first.
  uint64_t late;
  /// Frames whose time stamp was replaced by the time of dequeuing: it was missing, on another
  /// clock, from before the stream or the frame before, or from the future.
  uint64_t restamped;
  /// Frames that the driver handed out again, with the same number and time stamp, for want of a
  /// new one. They are delivered.
  uint64_t repeated;
  /// Buffers lent out at this moment.
  uint32_t lent;
  /// Buffers that the driver gave us, and those of them that it refused to take back.
  uint32_t buffer_count, refused;
  /// Frames a second as measured by timestamps over the last second or so; 0 before the second
  /// frame.
  double measured_rate;
} vf_statistics;

/// Reads the counters. After a stop they keep the last stream's values.
vf_statistics vf_grabber_statistics(vf_grabber *grabber);

#pragma clang assume_nonnull end

#endif
