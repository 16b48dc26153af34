#ifndef VF_JPEG_DIRECTORY_H
#define VF_JPEG_DIRECTORY_H

#include "jpeg/tiff.h"
#include "vf_failure.h"

#pragma clang assume_nonnull begin

/// A range of the data; empty for none.
typedef struct vf_tiff_place {
  size_t offset, size;
} vf_tiff_place;

/// A directory that is taken out of TIFF data, changed, and put back.
typedef struct vf_tiff_directory {
  /// As it is stored: the number of entries, the entries, the next directory's offset.
  uint8_t *_Nullable table;
  size_t count;
  /// The next directory's offset, as it is stored.
  uint8_t next[4];
  /// Where it was; empty for a new one.
  vf_tiff_place place;
  int changed;
} vf_tiff_directory;

/// Exif's directories that have changes.
enum { VF_TIFF_MAIN, VF_TIFF_EXIF, VF_TIFF_GPS, VF_TIFF_DIRECTORIES };

/// TIFF data that are changed in place: nothing moves but what no longer fits.
typedef struct vf_tiff_editor {
  uint8_t *_Nullable bytes;
  size_t count, capacity;
  int big_endian;
  vf_tiff_directory directories[VF_TIFF_DIRECTORIES];
  /// Set when `room` was too small; the data are of no use then.
  int overflow;
} vf_tiff_editor;

/// Copies TIFF data, with `room` bytes for values that come to their end. Returns 0, or the
/// negative of `EBADMSG` for data that can't be read, `EFBIG` or `ENOMEM`. `vf_tiff_close` in any
/// case.
int vf_tiff_open(vf_tiff_editor *editor, const uint8_t *_Nullable bytes, size_t count, size_t room);

/// Releases what the editor has.
void vf_tiff_close(vf_tiff_editor *editor);

/// An entry of a directory, or NULL.
const uint8_t *_Nullable vf_tiff_find(const vf_tiff_editor *editor, int directory, uint16_t tag);

/// Takes a tag out; its value is overwritten by zeros, unless other tags share it. Returns the room
/// that it leaves.
vf_tiff_place vf_tiff_remove(vf_tiff_editor *editor, int directory, uint16_t tag);

/// Puts a tag in place of the one that is there, if any: a directory takes 24 new ones. The bytes
/// are in the data's order.
void vf_tiff_put(vf_tiff_editor *editor, int directory, uint16_t tag, uint16_t type,
                 uint32_t components, const uint8_t *bytes, size_t size);

/// Puts the changed directories back into the data.
void vf_tiff_finish(vf_tiff_editor *editor);

#pragma clang assume_nonnull end

#endif
