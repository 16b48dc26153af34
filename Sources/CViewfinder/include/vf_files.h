#ifndef VF_FILES_H
#define VF_FILES_H

#pragma clang assume_nonnull begin

/// Renames a file to a name that nothing has (renameat2 with RENAME_NOREPLACE, Linux 3.15).
///
/// Returns 0, or a negative error: `-EEXIST` when the name is taken, `-EINVAL` or `-ENOSYS` where
/// the file system can't tell.
int vf_rename_to_free(const char *from, const char *to);

/// Starts the program `words[0]`, a path, with the words as its arguments, NULL at the end.
///
/// It leads a process group of its own, has no signal blocked or ignored, the environment of this
/// process, nothing to read, and no descriptor but a pipe that it writes to, as output and as
/// errors. On success `*process` is its number, which the caller waits for, and `*output` the
/// pipe's other end, which the caller closes. Returns 0 or a negative error.
int vf_program_start(char *_Nullable const *_Nonnull words, int *process, int *output);

#pragma clang assume_nonnull end

#endif
