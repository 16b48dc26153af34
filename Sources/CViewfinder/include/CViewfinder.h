/// The C core of Viewfinder. Usable from plain C; Swift programs use the module `Viewfinder`.
///
/// Four parts that know little of each other:
/// - `vf_system.h`, `vf_devices.h`, `vf_watch.h`, `vf_grabber.h`, `vf_output.h`: cameras, and nodes
///   that take frames. Everything that makes a system call.
/// - `vf_image.h`, `vf_kernels.h`, `vf_jpeg.h`, `vf_exif.h`, `vf_tiff.h`, `vf_png.h`,
///   `vf_outline.h`, `vf_detect.h`: pictures. No system calls; input is hostile; the same on every
///   machine.
/// - `vf_simulator.h`: a camera made of pictures, behind the table of system calls.
/// - `vf_files.h`: what Swift can't ask of a file system.
#ifndef CVIEWFINDER_H
#define CVIEWFINDER_H

#include "vf_detect.h"
#include "vf_devices.h"
#include "vf_exif.h"
#include "vf_failure.h"
#include "vf_files.h"
#include "vf_grabber.h"
#include "vf_image.h"
#include "vf_jpeg.h"
#include "vf_kernels.h"
#include "vf_layout.h"
#include "vf_outline.h"
#include "vf_output.h"
#include "vf_png.h"
#include "vf_simulator.h"
#include "vf_system.h"
#include "vf_tiff.h"
#include "vf_watch.h"

#endif
