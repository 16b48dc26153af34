#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <unistd.h>

#include "vf_files.h"

static int spawn(char *const *words, int output, posix_spawn_file_actions_t *actions,
                 posix_spawnattr_t *attributes, pid_t *process) {
  int code = posix_spawn_file_actions_addopen(actions, 0, "/dev/null", O_RDONLY, 0);
  if (!code)
    code = posix_spawn_file_actions_adddup2(actions, output, 1);
  if (!code)
    code = posix_spawn_file_actions_adddup2(actions, output, 2);
  if (!code)
    code = posix_spawn_file_actions_addclosefrom_np(actions, 3);
  if (code)
    return code;
  sigset_t all, none;
  sigfillset(&all);
  sigemptyset(&none);
  posix_spawnattr_setsigdefault(attributes, &all);
  posix_spawnattr_setsigmask(attributes, &none);
  posix_spawnattr_setpgroup(attributes, 0);
  posix_spawnattr_setflags(attributes,
                           POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  return posix_spawn(process, words[0], actions, attributes, words, environ);
}

int vf_program_start(char *const *words, int *process, int *output) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC))
    return -errno;
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  pid_t made = 0;
  int code = posix_spawn_file_actions_init(&actions);
  if (!code) {
    code = posix_spawnattr_init(&attributes);
    if (!code) {
      code = spawn(words, ends[1], &actions, &attributes, &made);
      posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
  }
  close(ends[1]);
  if (code) {
    close(ends[0]);
    return -code;
  }
  *process = made;
  *output = ends[0];
  return 0;
}
