#include "simulate/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

static size_t whole_pages(size_t length) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  return (length + page - 1) / page * page;
}

int vf_sim_memory_make(vf_sim_memory *memory, uint32_t length) {
  int fd = memfd_create("viewfinder-simulated", MFD_CLOEXEC);
  if (fd < 0)
    return errno;
  uint8_t *bytes = MAP_FAILED;
  if (ftruncate(fd, (off_t)whole_pages(length)) == 0)
    bytes = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (bytes == MAP_FAILED) {
    int code = errno;
    close(fd);
    return code;
  }
  *memory = (vf_sim_memory){.fd = fd, .bytes = bytes, .length = length};
  return 0;
}

void vf_sim_memory_free(vf_sim_memory *memory) {
  munmap(memory->bytes, memory->length);
  close(memory->fd);
}

void *vf_sim_memory_map(const vf_sim_memory *memory, size_t length, int protection) {
  void *address = mmap(NULL, length, protection, MAP_SHARED, memory->fd, 0);
  return address == MAP_FAILED ? NULL : address;
}

int vf_sim_memory_holds(const vf_sim_memory *memory, size_t length) {
  return length > 0 && length <= whole_pages(memory->length);
}

int vf_sim_memory_export(const vf_sim_memory *memory, int closes_on_exec) {
  return fcntl(memory->fd, closes_on_exec ? F_DUPFD_CLOEXEC : F_DUPFD, 0);
}
