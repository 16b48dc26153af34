#include "jpeg/output.h"

static uint8_t *put_stuffed(uint8_t *to, const uint8_t *bytes, size_t count) {
  for (size_t i = 0; i < count; i++) {
    *to++ = bytes[i];
    if (bytes[i] == 0xFF)
      *to++ = 0;
  }
  return to;
}

void vf_output_empty(vf_output *output, vf_output_room *room, vf_jpeg_writer *writer) {
  size_t count = (size_t)(output->at - room->bytes), i = 0;
  output->at = room->bytes;
  uint8_t *to = vf_writer_reserve(writer, 2 * count);
  if (!to)
    return;
  uint64_t word;
  for (; i + sizeof word <= count; i += sizeof word) {
    memcpy(&word, room->bytes + i, sizeof word);
    // Whether none of the bytes is 0xFF.
    if (!((~word - 0x0101010101010101u) & word & 0x8080808080808080u)) {
      memcpy(to, &word, sizeof word);
      to += sizeof word;
    } else {
      to = put_stuffed(to, room->bytes + i, sizeof word);
    }
  }
  to = put_stuffed(to, room->bytes + i, count - i);
  writer->buffer.count = (size_t)(to - writer->buffer.bytes);
}
