#ifndef CMEASURE_H
#define CMEASURE_H

#include <stdint.h>

/// CPU time of this process, all threads together, in nanoseconds: other programs don't move it.
uint64_t measure_cpu_time(void);

/// How often this process has allocated memory, by malloc and its kin, on any thread.
uint64_t measure_allocations(void);

#endif
