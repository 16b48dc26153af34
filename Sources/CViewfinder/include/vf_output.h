#ifndef VF_OUTPUT_H
#define VF_OUTPUT_H

#include "vf_grabber.h"
#include "vf_image.h"

#pragma clang assume_nonnull begin

/// An open video output node, such as one of v4l2loopback's: frames that are written to it reach
/// other programs as a camera's.
///
/// Calls on one output must not overlap.
typedef struct vf_output vf_output;

/// Opens a node and sets the format of the frames to come. The caller releases the result with
/// `vf_output_close`.
///
/// Of `*format` counts the code, the size, the interval and `limited_range`; on the way out
/// `stride` and `size` are what the driver granted. Fails with `ENOTTY` when the node is no V4L2
/// device, `ENODEV` (`detail` says more) when it takes no frames, `ENOTSUP` when it refuses the
/// format (`detail` names what it would take), and `EBUSY` when another program writes to it, or
/// keeps it to another format by having it open.
vf_output *_Nullable vf_output_open(const vf_system *system, const char *path, vf_format *format,
                                    vf_failure *failure);

/// Closes the node. Accepts NULL.
void vf_output_close(vf_output *_Nullable output);

/// Writes a frame: a JPEG picture, or as many bytes as the format has with the granted `stride`.
///
/// Whether anybody reads makes no difference. Fails with `EFBIG` when the frame is larger than the
/// node takes, `EINVAL` when a raw one is smaller, `ETIMEDOUT` when the device takes none for a
/// second, `ENODEV` when it is gone.
int vf_output_write(vf_output *output, const uint8_t *bytes, size_t count, vf_failure *failure);

/// Writes a picture that has the output's layout and size, as the granted `stride` wants it.
///
/// Rows are copied unless they lie as wanted already. Fails as `vf_output_write`, and with `EINVAL`
/// when the layout or the size is another.
int vf_output_write_image(vf_output *output, const vf_image *image, vf_failure *failure);

#pragma clang assume_nonnull end

#endif
