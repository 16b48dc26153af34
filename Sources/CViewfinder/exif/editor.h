#ifndef VF_EXIF_EDITOR_H
#define VF_EXIF_EDITOR_H

#include "exif/tiff.h"

#pragma clang assume_nonnull begin

/// A range of the data; empty for none.
typedef struct vf_tiff_place {
  size_t offset, size;
} vf_tiff_place;

/// A directory that is taken out of TIFF data, changed, and put back.
typedef struct vf_tiff_directory {
  /// As it is stored: the number of entries, the entries, the next directory's offset.
  uint8_t *_Nullable table;
  /// Entries that there are, and that there is room for.
  size_t count, capacity;
  /// The next directory's offset, as it is stored.
  uint8_t next[4];
  /// Where it was; empty for a new one.
  vf_tiff_place place;
  int changed;
} vf_tiff_directory;

/// Exif's directories, each behind the one that tells where it is.
enum {
  VF_TIFF_MAIN,
  VF_TIFF_GPS,
  VF_TIFF_EXIF,
  VF_TIFF_INTEROPERABILITY,
  /// The one behind the main one, with the thumbnail.
  VF_TIFF_THUMBNAIL,
  VF_TIFF_DIRECTORIES,
};

/// TIFF data that are made, or changed: all that writes Exif data goes through it.
///
/// It ends in one of two ways. `vf_tiff_finish` leaves everything where it was but what no longer
/// fits: a MakerNote's offsets count from the data's beginning, and whoever keeps one must not move
/// it. `vf_tiff_pack` lays the data out anew, without what was taken out.
typedef struct vf_tiff_editor {
  uint8_t *_Nullable bytes;
  size_t count, capacity;
  vf_tiff_header header;
  vf_tiff_directory directories[VF_TIFF_DIRECTORIES];
  /// What `vf_tiff_put_thumbnail` was given.
  const uint8_t *_Nullable thumbnail;
  size_t thumbnail_count;
  /// Set when `room` was too small, or a directory got too many tags; the data are of no use then.
  int overflow;
} vf_tiff_editor;

/// Begins with empty little-endian data, with `room` bytes for values. Returns 0 or `-ENOMEM`.
/// `vf_tiff_close` in any case.
int vf_tiff_create(vf_tiff_editor *editor, size_t room);

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

/// Puts a tag in place of the one that is there, if any: a directory takes 32 new ones. The bytes
/// are in the data's order.
void vf_tiff_put(vf_tiff_editor *editor, int directory, uint16_t tag, uint16_t type,
                 uint32_t values, const uint8_t *bytes, size_t size);

/// Leaves each directory the first of each tag, in order, without those whose values aren't there.
/// To be called before anything is put.
void vf_tiff_tidy(vf_tiff_editor *editor);

/// Takes the thumbnail out, with its directory. For `vf_tiff_pack`.
void vf_tiff_remove_thumbnail(vf_tiff_editor *editor);

/// Puts a thumbnail, which must hold until `vf_tiff_pack`, in place of the one that is there.
void vf_tiff_put_thumbnail(vf_tiff_editor *editor, const uint8_t *jpeg, size_t count);

/// Puts the changed directories back into the data.
void vf_tiff_finish(vf_tiff_editor *editor);

/// Lays data that were created or tidied out anew, in at most `limit` bytes: each directory with
/// its values behind it. Returns the number of bytes, or 0 where they don't fit.
size_t vf_tiff_pack(vf_tiff_editor *editor, uint8_t *bytes, size_t limit);

#pragma clang assume_nonnull end

#endif
