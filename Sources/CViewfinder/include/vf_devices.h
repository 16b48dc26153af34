#ifndef VF_DEVICES_H
#define VF_DEVICES_H

#include "vf_system.h"

#pragma clang assume_nonnull begin

/// What a video node is.
#define VF_DEVICE_CAPTURE 0u ///< A camera, grabber or capture card that streams video.
#define VF_DEVICE_CSI                                                                              \
  1u ///< Belongs to an image processor's pipeline (`V4L2_CAP_IO_MC`, or a driver known for it):
     ///< needs libcamera.
#define VF_DEVICE_OTHER 2u      ///< Radio, VBI, or a capture node without formats: no camera.
#define VF_DEVICE_UNREADABLE 3u ///< Could not be asked; `access_error` says why.
#define VF_DEVICE_CONVERTER 4u  ///< Memory to memory: a codec, scaler or image processor.
#define VF_DEVICE_METADATA 5u   ///< Carries a camera's metadata.
#define VF_DEVICE_OUTPUT 6u     ///< Shows or forwards video.

/// A video node and what is known of it. Strings are NUL-terminated and empty where unknown.
typedef struct vf_device {
  /// The node, such as "/dev/video0".
  char path[64];
  /// Stable across replugging into the same port and rebooting: the by-path name without
  /// "-video-indexN", followed by ":N" for other nodes than the first; else the bus information,
  /// likewise, where sysfs tells the index; else the path.
  char unique_id[256];
  /// VIDIOC_QUERYCAP's card, driver and bus_info.
  char name[64], driver[32], bus_info[64];
  /// The link names in /dev/v4l/by-path and by-id.
  char by_path[256], by_id[256];
  /// From the USB device's descriptors (sysfs idVendor, idProduct, manufacturer, product, serial).
  uint16_t usb_vendor, usb_product;
  char manufacturer[64], product[64], serial[64];
  /// `V4L2_CAP_…` of this node (device_caps).
  uint32_t capabilities;
  /// One of `VF_DEVICE_…`.
  uint32_t kind;
  /// The device number, as `major << 20 | minor`.
  uint32_t number;
  /// Why the node couldn't be opened or asked: an `errno`, or 0.
  int access_error;
} vf_device;

/// Lists the video nodes of the machine, by node number; nodes of one device number once.
///
/// `root` is put before "/sys/class/video4linux", "/dev/v4l" and "/dev": "" on a real machine, a
/// folder in tests. `*devices` receives an array that the caller releases with `free`. Returns how
/// many, 0 when there are none, or a negative error.
int vf_devices_list(const vf_system *system, const char *root,
                    vf_device *_Nullable *_Nonnull devices, vf_failure *failure);

/// Fills `*device` for one node. Fails only when the node doesn't exist or `path` is too long; a
/// node that may not be opened is `VF_DEVICE_UNREADABLE`.
int vf_device_describe(const vf_system *system, const char *root, const char *path,
                       vf_device *device, vf_failure *failure);

/// A process that has a device node open.
typedef struct vf_holder {
  int32_t pid;
  /// The process's name (/proc/PID/comm).
  char name[32];
} vf_holder;

/// The processes, other than this one, that have the node open, as far as /proc tells this user.
/// Returns how many there are; at most `capacity` are written.
size_t vf_device_holders(const char *path, vf_holder *holders, size_t capacity);

#pragma clang assume_nonnull end

#endif
