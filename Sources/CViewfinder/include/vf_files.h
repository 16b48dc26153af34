#ifndef VF_FILES_H
#define VF_FILES_H

#pragma clang assume_nonnull begin

/// Renames a file to a name that nothing has (renameat2 with RENAME_NOREPLACE, Linux 3.15).
///
/// Returns 0, or a negative error: `-EEXIST` when the name is taken, `-EINVAL` or `-ENOSYS` where
/// the file system can't tell.
int vf_rename_to_free(const char *from, const char *to);

#pragma clang assume_nonnull end

#endif
