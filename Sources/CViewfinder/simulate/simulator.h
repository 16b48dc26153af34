#ifndef VF_CORE_SIMULATOR_H
#define VF_CORE_SIMULATOR_H

#include <linux/videodev2.h>
#include <pthread.h>

#include "vf_jpeg.h"
#include "vf_simulator.h"

#pragma clang assume_nonnull begin

// The simulated camera's insides. Functions named vf_sim_… are called with the mutex held, unless
// they say otherwise; those that answer system calls return 0 or a positive errno.

#define VF_SIM_BUFFERS 32u
#define VF_SIM_HANDLES 64u
#define VF_SIM_EVENTS 32u
/// The hand shake's path closes after so many frames; so many JPEGs are kept.
#define VF_SIM_PHASES 16u
/// A buffer's offset for mmap is its index shifted by this: opaque to the application.
#define VF_SIM_OFFSET_SHIFT 20
#define VF_SIM_NEVER INT64_MAX

/// The controls, in the order of their V4L2 ids, class headings included.
typedef enum vf_sim_control {
  VF_SIM_USER_CLASS,
  VF_SIM_BRIGHTNESS,
  VF_SIM_CONTRAST,
  VF_SIM_SATURATION,
  VF_SIM_WHITE_BALANCE_AUTO,
  VF_SIM_GAIN,
  VF_SIM_HFLIP,
  VF_SIM_VFLIP,
  VF_SIM_POWER_LINE,
  VF_SIM_WHITE_BALANCE,
  VF_SIM_CAMERA_CLASS,
  VF_SIM_EXPOSURE_AUTO,
  VF_SIM_EXPOSURE,
  VF_SIM_EXPOSURE_DYNAMIC,
  VF_SIM_FOCUS,
  VF_SIM_FOCUS_AUTO,
  VF_SIM_ZOOM,
  VF_SIM_FLASH_CLASS,
  VF_SIM_FLASH_LED,
  VF_SIM_CONTROL_COUNT
} vf_sim_control;

typedef enum vf_sim_fault_kind {
  VF_SIM_FAULT_UNPLUG,
  VF_SIM_FAULT_STALL,
  VF_SIM_FAULT_EIO,
  VF_SIM_FAULT_ERROR,
  VF_SIM_FAULT_TRUNCATE,
  VF_SIM_FAULT_CORRUPT,
  VF_SIM_FAULT_DROP,
  VF_SIM_FAULT_FORMAT,
  VF_SIM_FAULT_BLACK,
  VF_SIM_FAULT_KINDS
} vf_sim_fault_kind;

/// One line of the script of faults.
typedef struct vf_sim_fault {
  vf_sim_fault_kind kind;
  uint64_t first, last, every;
  /// Negative: not given.
  double seconds;
  /// The frame it fired at last in this stream, so that a stall doesn't fire again when it is over.
  uint64_t fired;
  /// Its frames were already past when it came: it waits for the next stream.
  uint8_t waits;
} vf_sim_fault;

typedef enum vf_sim_scene {
  VF_SIM_SCENE_CARD,
  VF_SIM_SCENE_STEADY,
  VF_SIM_SCENE_BARS,
  VF_SIM_SCENE_GREY,
  VF_SIM_SCENE_REPLAY
} vf_sim_scene;

typedef enum vf_sim_buffer_state {
  VF_SIM_DEQUEUED,
  VF_SIM_QUEUED,
  VF_SIM_DONE
} vf_sim_buffer_state;

/// A buffer: memory of its own, which the application maps too.
typedef struct vf_sim_buffer {
  int memory;
  uint8_t *bytes;
  uint32_t length;
  vf_sim_buffer_state state;
  uint32_t mappings;
  /// What the last frame in it was.
  uint32_t sequence, used, faults, flags;
  int64_t timestamp;
  /// Which picture it holds, so that steady scenes need no drawing; 0: none.
  uint64_t picture;
} vf_sim_buffer;

/// A mapping that the application holds.
typedef struct vf_sim_mapping {
  void *address;
  size_t length;
  /// The buffer, when `set` is still the current set of buffers.
  uint32_t buffer, set;
} vf_sim_mapping;

/// An open descriptor: a timerfd, so that it can be polled beside others.
typedef struct vf_sim_handle {
  int fd;
  /// Calls under way: the last one frees a handle that was closed meanwhile.
  uint32_t users;
  uint8_t closed;
  uint8_t blocks;
  /// The camera it was opened on has been unplugged since.
  uint8_t dead;
  uint32_t priority;
  /// Subscriptions: source changes, and one bit for each control.
  uint8_t source_changes;
  uint32_t controls, feedback;
  struct v4l2_event events[VF_SIM_EVENTS];
  uint32_t event_first, event_count, event_sequence;
} vf_sim_handle;

/// A picture format as the device has it set.
typedef struct vf_sim_format {
  uint32_t fourcc, width, height, stride, size;
  uint32_t numerator, denominator;
} vf_sim_format;

typedef struct vf_sim_painter vf_sim_painter;
typedef struct vf_sim_replay vf_sim_replay;

struct vf_simulator {
  vf_system system;
  pthread_mutex_t mutex;
  /// Signalled when something changes that a blocking call may wait for.
  pthread_cond_t changed;
  vf_sim_scene scene;
  uint8_t full_speed;
  uint32_t seed;
  vf_sim_painter *_Nullable painter;
  vf_sim_replay *_Nullable replay;

  vf_sim_handle *_Nullable handles[VF_SIM_HANDLES];
  uint32_t handle_count;
  /// Threads inside poll, which a change must wake.
  uint32_t waiters;

  uint8_t plugged;
  int64_t replug_at;
  vf_sim_format format;
  int32_t values[VF_SIM_CONTROL_COUNT];
  /// Counts changes of controls that show in the picture.
  uint32_t revision;
  /// Index + 1 into the sizes when a source change has left just one; else 0.
  uint32_t only_size;

  /// The handle that owns the buffers; NULL when there are none.
  vf_sim_handle *_Nullable owner;
  vf_sim_buffer buffers[VF_SIM_BUFFERS];
  uint32_t buffer_count, buffer_set;
  uint32_t queued[VF_SIM_BUFFERS], queued_first, queued_count;
  uint32_t done[VF_SIM_BUFFERS], done_first, done_count;
  vf_sim_mapping *_Nullable mappings;
  uint32_t mapping_count, mapping_capacity;

  uint8_t streaming;
  /// No more frames until the stream starts again: the source changed, or the replay has ended.
  uint8_t silent;
  uint8_t eio_pending, eio_persists;
  /// At full speed: a frame was just taken, and nobody has polled for the next.
  uint8_t pauses;
  uint32_t eio_sequence;
  uint32_t sequence;
  int64_t next_due, next_stamp;

  vf_sim_fault *_Nullable faults;
  uint32_t fault_count;
};

/// A row of the table of sizes.
typedef struct vf_sim_size {
  uint32_t width, height;
} vf_sim_size;

int64_t vf_sim_now(void);

// simulator.c
void vf_sim_wake(vf_simulator *simulator);
void vf_sim_post(vf_simulator *simulator, vf_sim_handle *handle, const struct v4l2_event *event);

// stream.c: what happens as time passes.
/// Brings the device up to `now`: frames fall into queued buffers, faults happen.
void vf_sim_advance(vf_simulator *simulator, int64_t now);
void vf_sim_unplug(vf_simulator *simulator, double seconds);
void vf_sim_plug(vf_simulator *simulator);
void vf_sim_stop(vf_simulator *simulator);
void vf_sim_free_buffers(vf_simulator *simulator);
int vf_sim_request_buffers(vf_simulator *simulator, vf_sim_handle *handle,
                           struct v4l2_requestbuffers *request);
int vf_sim_query_buffer(vf_simulator *simulator, struct v4l2_buffer *buffer);
int vf_sim_queue(vf_simulator *simulator, vf_sim_handle *handle, struct v4l2_buffer *buffer);
int vf_sim_dequeue(vf_simulator *simulator, vf_sim_handle *handle, struct v4l2_buffer *buffer);
int vf_sim_export(vf_simulator *simulator, struct v4l2_exportbuffer *request);
int vf_sim_start(vf_simulator *simulator, vf_sim_handle *handle);

// ioctls.c
int vf_sim_ioctl(vf_simulator *simulator, vf_sim_handle *handle, unsigned long request,
                 void *_Nullable argument);

// controls.c
void vf_sim_reset_controls(vf_simulator *simulator);
int vf_sim_control_ioctl(vf_simulator *simulator, vf_sim_handle *handle, unsigned long request,
                         void *argument);
/// The control's index, or -1.
int vf_sim_find_control(uint32_t id);
/// The event that tells a control's state.
void vf_sim_control_event(vf_simulator *simulator, int index, uint32_t changes,
                          struct v4l2_event *event);

// formats.c
int vf_sim_format_ioctl(vf_simulator *simulator, unsigned long request, void *argument);
/// Sets the format nearest to what is asked.
void vf_sim_adjust(vf_simulator *simulator, vf_sim_format *format);
void vf_sim_reset_format(vf_simulator *simulator);
/// The source's size becomes another one.
void vf_sim_change_source(vf_simulator *simulator);
/// How long a frame takes with the present exposure, in nanoseconds.
int64_t vf_sim_frame_time(const vf_simulator *simulator);

// faults.c
/// Adds the faults of a script. Needs no mutex held: takes it.
int vf_sim_add_faults(vf_simulator *simulator, const char *script, vf_failure *failure);
/// Whether a fault of this kind strikes this frame; `*seconds` receives what it says.
int vf_sim_strikes(vf_simulator *simulator, vf_sim_fault_kind kind, uint32_t sequence,
                   double *seconds);
/// Drops faults whose last frame is behind `sequence`; `starts` when a new stream begins.
void vf_sim_age_faults(vf_simulator *simulator, uint32_t sequence, int starts);
/// Damages the frame in a buffer as `buffer->faults` says.
void vf_sim_damage(const vf_simulator *simulator, vf_sim_buffer *buffer);

// tone.c
/// What the controls make of luma and chroma: 256 values each, and the tint by white balance, in
/// 1/256 of luma.
typedef struct vf_sim_tone {
  uint8_t luma[256], chroma[256];
  int32_t tint_cb, tint_cr;
} vf_sim_tone;
/// `frame` counts from the start of the stream, because automatic exposure takes some to settle.
/// Returns whether the tone changes anything.
int vf_sim_tone_make(const vf_simulator *simulator, uint32_t frame, vf_sim_tone *tone);
/// Applies a tone to rows of luma and of Cb and Cr interleaved at half width.
void vf_sim_tone_apply(const vf_sim_tone *tone, uint8_t *luma_result, uint8_t *chroma_result,
                       const uint8_t *luma, const uint8_t *chroma, size_t count);
/// Softens a plane of interleaved samples twice by boxes of `radius`.
int vf_sim_blur(uint8_t *plane, uint32_t width, uint32_t rows, uint32_t stride, uint32_t channels,
                uint32_t radius_across, uint32_t radius_down);

// picture.c: frames of a scene, from a master picture.
/// Fills the buffer with frame `buffer->sequence`. Sets `used` and `picture`.
int vf_sim_paint(vf_simulator *simulator, vf_sim_buffer *buffer);
void vf_sim_free_painter(vf_sim_painter *_Nullable painter);
/// Encodes as cameras do. `*encoder` is made when there is none yet; `*bytes` belongs to it.
int vf_sim_encode(vf_encoder *_Nullable *_Nonnull encoder, const vf_image *image,
                  const uint8_t *_Nullable *_Nonnull bytes, size_t *count);
/// Fills a raw frame with black.
void vf_sim_blacken(uint32_t fourcc, size_t area, uint8_t *result);
/// The shake of a frame, in pixels: even, so that chroma stays in step.
void vf_sim_shake(const vf_simulator *simulator, uint32_t sequence, uint32_t width, uint32_t height,
                  int32_t *x, int32_t *y);
/// How far the shake goes at most.
uint32_t vf_sim_shake_limit(const vf_simulator *simulator, uint32_t height);

// scene.c: drawing the master picture.
/// A picture to draw into: luma at full size, Cb and Cr interleaved at half width, which makes
/// both planes equally large. `margin` pixels around the frame serve the shake.
typedef struct vf_sim_canvas {
  uint32_t width, height, margin, stride, rows;
  uint8_t *luma, *chroma;
} vf_sim_canvas;
/// Where the camera looks.
typedef struct vf_sim_view {
  double zoom;
  uint8_t hflip, vflip;
} vf_sim_view;
int vf_sim_draw_card(const vf_sim_canvas *canvas, const vf_sim_view *view);
void vf_sim_draw_bars(const vf_sim_canvas *canvas, const vf_sim_view *view);
/// The card's corners in a picture without shake, clockwise from the top left as seen.
void vf_sim_card_corners(uint32_t width, uint32_t height, const vf_sim_view *view,
                         vf_point corners[_Nonnull 4]);

// replay.c
vf_sim_replay *_Nullable vf_sim_replay_open(const char *path, double rate, int once,
                                            vf_failure *failure);
void vf_sim_replay_close(vf_sim_replay *_Nullable replay);
/// What the replay shows: its size, and the bytes of its largest JPEG.
typedef struct vf_sim_replay_info {
  uint32_t width, height, numerator, denominator, largest_jpeg;
} vf_sim_replay_info;
vf_sim_replay_info vf_sim_replay_about(const vf_sim_replay *replay);
/// Whether the replay has ended before this frame.
int vf_sim_replay_ended(vf_sim_replay *replay, uint32_t sequence);
int vf_sim_replay_paint(vf_simulator *simulator, vf_sim_buffer *buffer);

#pragma clang assume_nonnull end

#endif
