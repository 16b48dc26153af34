#ifndef VF_EXIF_VALUES_H
#define VF_EXIF_VALUES_H

#include "exif/editor.h"

#pragma clang assume_nonnull begin

/// Bytes that a text takes, with its NUL and a byte to begin at an even offset.
size_t vf_exif_room(const char *_Nullable text);

/// Puts a text, or takes the tag out where the text is empty; NULL leaves it.
void vf_exif_put_text(vf_tiff_editor *editor, int directory, uint16_t tag,
                      const char *_Nullable text);

/// Puts four bytes that have a meaning of their own, such as a version.
void vf_exif_put_undefined(vf_tiff_editor *editor, int directory, uint16_t tag,
                           const char bytes[_Nonnull static 4]);

void vf_exif_put_short(vf_tiff_editor *editor, int directory, uint16_t tag, uint16_t value);

void vf_exif_put_long(vf_tiff_editor *editor, int directory, uint16_t tag, uint32_t value);

/// Puts up to three fractions; numerators and denominators take turns.
void vf_exif_put_fractions(vf_tiff_editor *editor, int directory, uint16_t tag,
                           const uint32_t *numbers, uint32_t count);

#pragma clang assume_nonnull end

#endif
