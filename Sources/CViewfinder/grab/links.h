#ifndef VF_GRAB_LINKS_H
#define VF_GRAB_LINKS_H

#include "vf_devices.h"

#pragma clang assume_nonnull begin

/// Reads what sysfs has of a node ("video0"): the USB device's descriptors, and name and number
/// where they aren't known yet. `*index` receives the node's place among those of its device.
void vf_read_class(const char *root, const char *node, vf_device *device, uint32_t *index);

/// Finds the node's link names in by-path and by-id.
void vf_read_links(const char *root, const char *node, vf_device *device);

#pragma clang assume_nonnull end

#endif
