#ifndef VF_SIMULATOR_H
#define VF_SIMULATOR_H

#include "vf_outline.h"
#include "vf_system.h"

#pragma clang assume_nonnull begin

/// The node's path in messages and `vf_grabber_open`; others give `ENOENT`.
#define VF_SIMULATOR_PATH "simulated"

/// How a simulated camera is made.
typedef struct vf_simulator_options {
  /// "card" (default, NULL): a loyalty card on a textured table, with light, sensor noise and a
  /// slight hand shake. "steady": the same without shake and noise, drawn once per buffer: frames
  /// then cost next to nothing. "bars": SMPTE-like colour bars. "grey": mid-grey. Ignored with
  /// `replay`.
  const char *_Nullable scene;
  /// A folder of JPEGs and PNGs (in order of name), one such picture, an `.mjpeg` file or a Y4M
  /// file, shown instead of a scene. The stream then offers the first picture's size (pictures of
  /// other sizes are left out), and `MJPG` with the very bytes where they are JPEG. Raw formats
  /// leave out an odd last column or row, and show pictures as they are stored: Exif's orientation
  /// is for whoever reads it.
  const char *_Nullable replay;
  /// Frames a second of a replay; 0: the file's own (Y4M), else 30.
  double replay_rate;
  /// 1: a replay ends with the device falling silent instead of starting over.
  uint8_t replays_once;
  /// 1: a frame is ready whenever one is asked for, however fast, and none is lost; timestamps
  /// still advance by the frame interval, which takes them ahead of the clock. A reader who doesn't
  /// block gets one frame, then `EAGAIN`, so that skipping to the newest doesn't skip them all.
  uint8_t full_speed;
  /// Seed of noise, shake and damage: the same seed gives the same frames.
  uint32_t seed;
  /// Faults by frame number, separated by ";" or ",": `KIND@FIRST[-LAST][/EVERY][:SECONDS]`.
  /// Example: "error@10;stall@50:2;truncate@100-200/10". Kinds:
  ///
  /// - `unplug`: the camera is gone; it comes back after SECONDS, if given.
  /// - `stall`: silence for SECONDS, or until the stream stops.
  /// - `eio`: dequeuing fails once; with SECONDS (any number) until the stream stops.
  /// - `error`: the frame is flagged. `truncate`: half of it is there. `corrupt`: some of its bytes
  ///   are damaged. `black`: it is black. `drop`: it is missing, a gap in the sequence.
  /// - `format`: a source change. No more frames come until the stream starts again; only another
  ///   size is offered then, until the next change or unplugging (a replay keeps its size).
  ///
  /// EVERY without LAST goes on for ever. Numbers count from the start of a stream; a fault is over
  /// once a stream has passed its last frame, else it waits for the next stream.
  const char *_Nullable faults;
} vf_simulator_options;

/// A camera that lives in the process: a V4L2 device behind a table of system calls.
///
/// It answers the same ioctls, from the state machine that the V4L2 specification prescribes. All
/// calls may come from any thread.
typedef struct vf_simulator vf_simulator;

/// Makes a simulated camera. Fails with `ENOENT` or `EBADMSG` for a replay that can't be read,
/// `EINVAL` for unknown scenes and faults (`detail` names the word). The caller releases it with
/// `vf_simulator_destroy`, after the grabbers that use it.
vf_simulator *_Nullable vf_simulator_create(const vf_simulator_options *_Nullable options,
                                            vf_failure *failure);

/// Releases the camera. Accepts NULL.
void vf_simulator_destroy(vf_simulator *_Nullable simulator);

/// The camera's table of system calls; lives as long as the camera.
const vf_system *vf_simulator_system(vf_simulator *simulator);

/// Adds faults (same words as in the options; frame numbers count from the start of the current
/// stream, or of the next one where the current one is past them all).
int vf_simulator_inject(vf_simulator *simulator, const char *faults, vf_failure *failure);

/// Pulls the plug, or puts it back in: the node is gone, every call fails with ENODEV, poll says
/// POLLERR and POLLHUP. Put back in, the camera has its first format and controls again;
/// descriptors from before stay dead.
void vf_simulator_set_plugged(vf_simulator *simulator, int plugged);

/// The corners of the card in frame `sequence` of a `width` × `height` stream, clockwise from the
/// top left: where its straight edges would meet, in pixels, with the present zoom and flips (they
/// may lie outside the frame then). `-ENOENT` when the scene shows no card.
int vf_simulator_card(vf_simulator *simulator, uint32_t sequence, uint32_t width, uint32_t height,
                      vf_point corners[_Nonnull 4], vf_failure *failure);

/// Buffers of the camera that are mapped, and open descriptors: 0 and 0 when nothing leaks.
void vf_simulator_leaks(vf_simulator *simulator, uint32_t *mapped, uint32_t *open);

#pragma clang assume_nonnull end

#endif
