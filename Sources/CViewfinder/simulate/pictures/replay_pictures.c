#include "simulate/pictures/replay_pictures.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "failure.h"
#include "vf_jpeg.h"
#include "vf_png.h"

// How much of a picture is read to learn its size: past the largest Exif and a colour profile.
#define HEAD ((size_t)1 << 18)
// Limits that keep memory in bounds whatever a file says.
#define LARGEST_PICTURE ((uint64_t)256 << 20)

static uint32_t big_endian(const uint8_t *bytes) {
  uint32_t value = 0;
  for (int i = 0; i < 4; i++)
    value = value << 8 | bytes[i];
  return value;
}

// What a picture's first bytes tell of it: 0 when it is neither JPEG nor PNG of a possible size.
static int measure(const uint8_t *bytes, size_t count, uint32_t *width, uint32_t *height,
                   uint8_t *is_jpeg) {
  *is_jpeg = 0;
  if (vf_png_matches(bytes, count) && count >= 24) {
    *width = big_endian(bytes + 16);
    *height = big_endian(bytes + 20);
  } else {
    if (count < 4 || bytes[0] != 0xFF || bytes[1] != 0xD8)
      return 0;
    vf_jpeg_info info = {0};
    vf_failure ignored;
    // The head has no end, which counts as damage; the size is told all the same.
    vf_jpeg_inspect(bytes, count, &info, &ignored);
    *width = info.width;
    *height = info.height;
    *is_jpeg = 1;
  }
  return vf_sim_replay_can_show(*width, *height);
}

// Takes a picture into the replay when it is one, and of the same size as the first. `name` is
// owned by the replay then. 1 when taken, 0 when not, or -errno.
static int take_picture(vf_sim_replay *replay, char *name, uint8_t *head) {
  vf_sim_span span = {.name = name};
  int file = vf_sim_replay_open_frame(replay, &span);
  if (file < 0)
    return 0;
  struct stat status;
  uint32_t width = 0, height = 0;
  int usable = fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0 &&
               (uint64_t)status.st_size <= LARGEST_PICTURE;
  if (usable) {
    span.length = (uint64_t)status.st_size;
    size_t count = span.length < HEAD ? (size_t)span.length : HEAD;
    usable = vf_sim_replay_read(file, head, count, 0) == 0 &&
             measure(head, count, &width, &height, &span.is_jpeg);
  }
  close(file);
  if (usable && replay->frame_count == 0) {
    replay->info.width = width;
    replay->info.height = height;
  }
  if (!usable || width != replay->info.width || height != replay->info.height)
    return 0;
  if (span.is_jpeg && span.length > replay->info.largest_jpeg)
    replay->info.largest_jpeg = (uint32_t)span.length;
  int code = vf_sim_replay_add(replay, span);
  return code ? -code : 1;
}

static int by_name(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

static void free_names(char **names, size_t count) {
  for (size_t i = 0; i < count; i++)
    free(names[i]);
  free(names);
}

// The names in a folder, sorted.
static int list(int folder, char ***result, size_t *result_count) {
  int copy = fcntl(folder, F_DUPFD_CLOEXEC, 0);
  DIR *directory = copy < 0 ? NULL : fdopendir(copy);
  if (!directory) {
    int code = errno;
    if (copy >= 0)
      close(copy);
    return code;
  }
  char **names = NULL;
  size_t count = 0, capacity = 0;
  int code = 0;
  for (const struct dirent *entry; !code && (entry = readdir(directory));) {
    if (entry->d_name[0] == '.')
      continue;
    if (count == VF_SIM_MOST_FRAMES)
      break;
    if (count == capacity) {
      capacity = capacity * 2 + 64;
      char **grown = realloc(names, capacity * sizeof *grown);
      if (!grown) {
        code = ENOMEM;
        break;
      }
      names = grown;
    }
    names[count] = strdup(entry->d_name);
    if (names[count])
      count++;
    else
      code = ENOMEM;
  }
  closedir(directory);
  if (code) {
    free_names(names, count);
    return code;
  }
  if (count)
    qsort(names, count, sizeof *names, by_name);
  *result = names;
  *result_count = count;
  return 0;
}

int vf_sim_replay_index_folder(vf_sim_replay *replay, vf_failure *failure) {
  char **names = NULL;
  size_t count = 0;
  uint8_t *head = malloc(HEAD);
  int code = head ? list(replay->file, &names, &count) : ENOMEM;
  for (size_t i = 0; i < count && !code; i++) {
    int taken = take_picture(replay, names[i], head);
    if (taken > 0)
      names[i] = NULL;
    else
      code = -taken;
  }
  free_names(names, count);
  free(head);
  replay->complete = 1;
  if (code)
    return vf_fail(failure, code, "replay", NULL);
  return replay->frame_count ? 0
                             : vf_fail(failure, EBADMSG, "replay", "no JPEG or PNG in the folder");
}

int vf_sim_replay_index_picture(vf_sim_replay *replay, vf_failure *failure) {
  uint8_t *bytes = malloc(HEAD);
  if (!bytes)
    return vf_fail(failure, ENOMEM, "replay", NULL);
  int taken = take_picture(replay, NULL, bytes);
  free(bytes);
  replay->complete = 1;
  if (taken < 0)
    return vf_fail(failure, -taken, "replay", NULL);
  return taken ? 0 : vf_fail(failure, EBADMSG, "replay", "no JPEG, PNG, MJPEG or Y4M");
}
