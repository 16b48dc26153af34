#ifndef VF_WATCH_H
#define VF_WATCH_H

#include "vf_failure.h"

#pragma clang assume_nonnull begin

/// Watches for video nodes that appear, vanish, or change their owner, group or permissions.
///
/// By inotify on "/dev" and on udev's folders of links, which also works in containers whose "/dev"
/// is bound from the host; where there is no inotify, by looking once a second. A node appears
/// first and gets its group, permissions and links a moment later, each a change of its own.
typedef struct vf_watch vf_watch;

/// Starts watching. `root` is put before "/dev": "" on a real machine, a folder in tests. The
/// caller releases the watch with `vf_watch_close`. Returns NULL with `ENOMEM`, or `EMFILE` when
/// the process has no descriptor left.
vf_watch *_Nullable vf_watch_open(const char *root, vf_failure *failure);

/// Ends watching; no wait may be under way. Accepts NULL.
void vf_watch_close(vf_watch *_Nullable watch);

/// Waits for a change. Returns 1 when something changed since the last wait, 0 on timeout and after
/// an interruption. `timeout_milliseconds` < 0 waits for ever. One thread at a time.
int vf_watch_wait(vf_watch *watch, int timeout_milliseconds);

/// Makes the current or next wait return 0 at once. Any thread.
void vf_watch_interrupt(vf_watch *watch);

/// Whether the kernel reports changes, or the watch looks once a second.
int vf_watch_is_notified(const vf_watch *watch);

#pragma clang assume_nonnull end

#endif
