#ifndef CMEASURE_H
#define CMEASURE_H

#include <stdint.h>

/// CPU time of this process, all threads together, in nanoseconds: other programs don't move it.
uint64_t measure_cpu_time(void);

/// CPU time of the programs that this one has started and that have ended, in nanoseconds.
uint64_t measure_children_cpu_time(void);

/// Wall time, in nanoseconds.
uint64_t measure_wall_time(void);

/// Lets this process's threads run on all cores that it was started with, or on the last one of
/// them alone. Returns how many these are.
unsigned measure_allow_all_cores(int all);

/// How often this process has allocated memory, by malloc and its kin, on any thread.
uint64_t measure_allocations(void);

/// How many pages have come anew into this process's memory.
uint64_t measure_page_faults(void);

#endif
