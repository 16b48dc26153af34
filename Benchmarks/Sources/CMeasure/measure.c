#include "CMeasure.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <time.h>

uint64_t measure_cpu_time(void) {
  struct timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
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
