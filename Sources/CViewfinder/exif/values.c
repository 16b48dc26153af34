#include "exif/values.h"

#include <string.h>

size_t vf_exif_room(const char *text) { return text ? strlen(text) + 2 : 0; }

void vf_exif_put_text(vf_tiff_editor *editor, int directory, uint16_t tag, const char *text) {
  if (!text)
    return;
  size_t size = strlen(text) + 1;
  if (size > 1)
    vf_tiff_put(editor, directory, tag, VF_TIFF_ASCII, (uint32_t)size, (const uint8_t *)text, size);
  else
    vf_tiff_remove(editor, directory, tag);
}

void vf_exif_put_undefined(vf_tiff_editor *editor, int directory, uint16_t tag,
                           const char bytes[static 4]) {
  vf_tiff_put(editor, directory, tag, VF_TIFF_UNDEFINED, 4, (const uint8_t *)bytes, 4);
}

void vf_exif_put_short(vf_tiff_editor *editor, int directory, uint16_t tag, uint16_t value) {
  uint8_t bytes[2];
  vf_tiff_set_number(&editor->header, bytes, sizeof bytes, value);
  vf_tiff_put(editor, directory, tag, VF_TIFF_SHORT, 1, bytes, sizeof bytes);
}

void vf_exif_put_long(vf_tiff_editor *editor, int directory, uint16_t tag, uint32_t value) {
  uint8_t bytes[4];
  vf_tiff_set_number(&editor->header, bytes, sizeof bytes, value);
  vf_tiff_put(editor, directory, tag, VF_TIFF_LONG, 1, bytes, sizeof bytes);
}

void vf_exif_put_fractions(vf_tiff_editor *editor, int directory, uint16_t tag,
                           const uint32_t *numbers, uint32_t count) {
  uint8_t bytes[3 * 8];
  for (size_t i = 0; i < 2 * (size_t)count; i++)
    vf_tiff_set_number(&editor->header, bytes + 4 * i, 4, numbers[i]);
  vf_tiff_put(editor, directory, tag, VF_TIFF_RATIONAL, count, bytes, 8 * (size_t)count);
}
