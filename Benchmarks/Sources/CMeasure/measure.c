#include "CMeasure.h"

#include <dirent.h>
#include <errno.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static uint64_t read_clock(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

uint64_t measure_cpu_time(void) { return read_clock(CLOCK_PROCESS_CPUTIME_ID); }

static uint64_t nanoseconds(struct timeval time) {
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_usec * 1000u;
}

uint64_t measure_children_cpu_time(void) {
  struct rusage usage;
  getrusage(RUSAGE_CHILDREN, &usage);
  return nanoseconds(usage.ru_utime) + nanoseconds(usage.ru_stime);
}

uint64_t measure_page_faults(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return (uint64_t)usage.ru_minflt + (uint64_t)usage.ru_majflt;
}

uint64_t measure_wall_time(void) { return read_clock(CLOCK_MONOTONIC); }

/// The cores that the process was started with.
static cpu_set_t first_cores;

__attribute__((constructor)) static void note_cores(void) {
  sched_getaffinity(0, sizeof first_cores, &first_cores);
}

/// The last of the cores: interrupts favour the first.
static cpu_set_t last_core(void) {
  cpu_set_t core;
  CPU_ZERO(&core);
  for (int i = CPU_SETSIZE - 1; i >= 0; i--)
    if (CPU_ISSET(i, &first_cores)) {
      CPU_SET(i, &core);
      break;
    }
  return core;
}

unsigned measure_allow_all_cores(int all) {
  cpu_set_t cores = all ? first_cores : last_core();
  DIR *tasks = opendir("/proc/self/task");
  for (struct dirent *task; tasks && (task = readdir(tasks));)
    if (atoi(task->d_name) > 0)
      sched_setaffinity(atoi(task->d_name), sizeof cores, &cores);
  if (tasks)
    closedir(tasks);
  sched_getaffinity(0, sizeof cores, &cores);
  return (unsigned)CPU_COUNT(&cores);
}

static _Atomic uint64_t allocations;

uint64_t measure_allocations(void) {
  return atomic_load_explicit(&allocations, memory_order_relaxed);
}

static void count(void) { atomic_fetch_add_explicit(&allocations, 1, memory_order_relaxed); }

// The executable's definitions take the place of glibc's, in every library of the process, and pass
// on to glibc's other names for the same.
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t number, size_t size);
void *__libc_realloc(void *memory, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

void *malloc(size_t size) {
  count();
  return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
  count();
  return __libc_calloc(number, size);
}

void *realloc(void *memory, size_t size) {
  count();
  return __libc_realloc(memory, size);
}

void *memalign(size_t alignment, size_t size) {
  count();
  return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  count();
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
  count();
  *memory = __libc_memalign(alignment, size);
  return *memory ? 0 : ENOMEM;
}
