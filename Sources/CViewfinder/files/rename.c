#include "vf_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>

int vf_rename_to_free(const char *from, const char *to) {
  return renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0 ? 0 : -errno;
}
