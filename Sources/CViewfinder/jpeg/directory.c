#include "jpeg/directory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
  /// Bytes of a directory beside its entries.
  FRAME = 2 + 4,
  /// Far more than any camera writes: hostile data must not take long.
  MAXIMUM_ENTRIES = 4096,
  MAXIMUM_ADDED = 24,
  /// What the directories need at most when all of them go to the end.
  MAXIMUM_TABLES =
      VF_TIFF_DIRECTORIES * (1 + FRAME + (MAXIMUM_ENTRIES + MAXIMUM_ADDED) * VF_TIFF_ENTRY),
};

/// Where the main directory points to the others.
static const uint16_t pointers[VF_TIFF_DIRECTORIES] = {
    [VF_TIFF_EXIF] = 0x8769, [VF_TIFF_GPS] = 0x8825};

static uint8_t *entry_at(const vf_tiff_directory *directory, size_t index) {
  return directory->table + 2 + index * VF_TIFF_ENTRY;
}

// MARK: Places

/// The place of an entry's value; empty when the entry holds it itself, or points nowhere.
static vf_tiff_place place_of_value(const vf_tiff_editor *editor, const uint8_t *entry) {
  static const uint8_t sizes[] = {0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4};
  uint32_t type = vf_tiff_number(entry + 2, 2, editor->big_endian);
  uint64_t size = type < sizeof sizes ? sizes[type] : 0;
  size *= vf_tiff_number(entry + 4, 4, editor->big_endian);
  size_t offset = vf_tiff_number(entry + 8, 4, editor->big_endian);
  if (size <= 4 || offset > editor->count || size > editor->count - offset)
    return (vf_tiff_place){0};
  return (vf_tiff_place){offset, (size_t)size};
}

static int overlaps(vf_tiff_place a, vf_tiff_place b) {
  return a.size && b.size && a.offset < b.offset + b.size && b.offset < a.offset + a.size;
}

/// Whether nothing but `owner`, a directory or none, has a part of a place.
static int is_free(const vf_tiff_editor *editor, vf_tiff_place place,
                   const vf_tiff_directory *_Nullable owner) {
  if (overlaps(place, (vf_tiff_place){0, VF_TIFF_HEADER}))
    return 0;
  for (int i = 0; i < VF_TIFF_DIRECTORIES; i++) {
    const vf_tiff_directory *directory = &editor->directories[i];
    if (directory != owner && overlaps(place, directory->place))
      return 0;
    for (size_t j = 0; j < directory->count; j++)
      if (overlaps(place, place_of_value(editor, entry_at(directory, j))))
        return 0;
  }
  return 1;
}

/// Overwrites a place with zeros and returns it; an empty one where it isn't free.
static vf_tiff_place clear(vf_tiff_editor *editor, vf_tiff_place place,
                           const vf_tiff_directory *_Nullable owner) {
  if (!place.size || !is_free(editor, place, owner))
    return (vf_tiff_place){0};
  memset(editor->bytes + place.offset, 0, place.size);
  return place;
}

/// Stores bytes in a cleared place, or at the end where it is too small; returns their offset.
static size_t store(vf_tiff_editor *editor, vf_tiff_place place, const uint8_t *bytes,
                    size_t size) {
  if (size > place.size) {
    // Offsets are even.
    place.offset = editor->count + editor->count % 2;
    if (place.offset > editor->capacity || size > editor->capacity - place.offset) {
      editor->overflow = 1;
      return 0;
    }
    editor->count = place.offset + size;
  }
  memcpy(editor->bytes + place.offset, bytes, size);
  return place.offset;
}

// MARK: Tags

const uint8_t *vf_tiff_find(const vf_tiff_editor *editor, int directory, uint16_t tag) {
  const vf_tiff_directory *found = &editor->directories[directory];
  for (size_t i = 0; i < found->count; i++)
    if (vf_tiff_number(entry_at(found, i), 2, editor->big_endian) == tag)
      return entry_at(found, i);
  return NULL;
}

vf_tiff_place vf_tiff_remove(vf_tiff_editor *editor, int index, uint16_t tag) {
  vf_tiff_directory *directory = &editor->directories[index];
  vf_tiff_place left = {0};
  const uint8_t *found;
  while ((found = vf_tiff_find(editor, index, tag))) {
    vf_tiff_place place = place_of_value(editor, found);
    size_t position = (size_t)(found - entry_at(directory, 0)) / VF_TIFF_ENTRY;
    directory->count--;
    memmove(entry_at(directory, position), entry_at(directory, position + 1),
            (directory->count - position) * VF_TIFF_ENTRY);
    directory->changed = 1;
    left = clear(editor, place, NULL);
  }
  return left;
}

/// Inserts an entry before those of higher tags.
static void insert(vf_tiff_editor *editor, vf_tiff_directory *directory, const uint8_t *entry) {
  uint32_t tag = vf_tiff_number(entry, 2, editor->big_endian);
  size_t position = 0;
  while (position < directory->count &&
         vf_tiff_number(entry_at(directory, position), 2, editor->big_endian) < tag)
    position++;
  memmove(entry_at(directory, position + 1), entry_at(directory, position),
          (directory->count - position) * VF_TIFF_ENTRY);
  memcpy(entry_at(directory, position), entry, VF_TIFF_ENTRY);
  directory->count++;
  directory->changed = 1;
}

void vf_tiff_put(vf_tiff_editor *editor, int directory, uint16_t tag, uint16_t type,
                 uint32_t components, const uint8_t *bytes, size_t size) {
  vf_tiff_place place = vf_tiff_remove(editor, directory, tag);
  uint8_t entry[VF_TIFF_ENTRY] = {0};
  vf_tiff_set_number(entry, 2, tag, editor->big_endian);
  vf_tiff_set_number(entry + 2, 2, type, editor->big_endian);
  vf_tiff_set_number(entry + 4, 4, components, editor->big_endian);
  if (size <= 4)
    memcpy(entry + 8, bytes, size);
  else
    vf_tiff_set_number(entry + 8, 4, (uint32_t)store(editor, place, bytes, size),
                       editor->big_endian);
  insert(editor, &editor->directories[directory], entry);
}

// MARK: Directories

/// Takes over the directory at `offset`, as far as it is there; an empty one where there is none.
static int read_directory(vf_tiff_editor *editor, vf_tiff_directory *directory, size_t offset) {
  size_t count = 0;
  if (offset >= VF_TIFF_HEADER && offset <= editor->count - 2) {
    size_t room = editor->count - offset - 2;
    count = vf_tiff_number(editor->bytes + offset, 2, editor->big_endian);
    if (count > room / VF_TIFF_ENTRY)
      count = room / VF_TIFF_ENTRY;
    if (count > MAXIMUM_ENTRIES)
      count = MAXIMUM_ENTRIES;
    room -= count * VF_TIFF_ENTRY;
    size_t rest = room < sizeof directory->next ? room : sizeof directory->next;
    directory->place = (vf_tiff_place){offset, 2 + count * VF_TIFF_ENTRY + rest};
    if (rest == sizeof directory->next)
      memcpy(directory->next, editor->bytes + offset + 2 + count * VF_TIFF_ENTRY, rest);
  }
  directory->table = malloc(FRAME + (count + MAXIMUM_ADDED) * VF_TIFF_ENTRY);
  if (!directory->table)
    return -ENOMEM;
  if (count)
    memcpy(entry_at(directory, 0), editor->bytes + offset + 2, count * VF_TIFF_ENTRY);
  directory->count = count;
  return 0;
}

static size_t offset_of_pointer(const vf_tiff_editor *editor, uint16_t tag) {
  const uint8_t *entry = vf_tiff_find(editor, VF_TIFF_MAIN, tag);
  return entry ? vf_tiff_number(entry + 8, 4, editor->big_endian) : 0;
}

int vf_tiff_open(vf_tiff_editor *editor, const uint8_t *bytes, size_t count, size_t room) {
  *editor = (vf_tiff_editor){0};
  if (!bytes || !vf_tiff_matches(bytes, count, &editor->big_endian))
    return -EBADMSG;
  if (count > UINT32_MAX / 2 || room > UINT32_MAX / 2 - MAXIMUM_TABLES)
    return -EFBIG;
  editor->capacity = count + MAXIMUM_TABLES + room;
  editor->bytes = malloc(editor->capacity);
  if (!editor->bytes)
    return -ENOMEM;
  memcpy(editor->bytes, bytes, count);
  editor->count = count;
  vf_tiff_directory *main = &editor->directories[VF_TIFF_MAIN];
  int failed = read_directory(editor, main, vf_tiff_number(bytes + 4, 4, editor->big_endian));
  if (!failed && !main->count)
    return -EBADMSG;
  for (int i = VF_TIFF_EXIF; i < VF_TIFF_DIRECTORIES && !failed; i++)
    failed =
        read_directory(editor, &editor->directories[i], offset_of_pointer(editor, pointers[i]));
  return failed;
}

void vf_tiff_close(vf_tiff_editor *editor) {
  for (int i = 0; i < VF_TIFF_DIRECTORIES; i++)
    free(editor->directories[i].table);
  free(editor->bytes);
  *editor = (vf_tiff_editor){0};
}

/// Stores a directory; returns its offset.
static uint32_t write_directory(vf_tiff_editor *editor, vf_tiff_directory *directory) {
  vf_tiff_set_number(directory->table, 2, (uint32_t)directory->count, editor->big_endian);
  memcpy(entry_at(directory, directory->count), directory->next, sizeof directory->next);
  vf_tiff_place place = clear(editor, directory->place, directory);
  return (uint32_t)store(editor, place, directory->table, FRAME + directory->count * VF_TIFF_ENTRY);
}

void vf_tiff_finish(vf_tiff_editor *editor) {
  for (int i = VF_TIFF_EXIF; i < VF_TIFF_DIRECTORIES; i++) {
    if (!editor->directories[i].changed)
      continue;
    uint8_t offset[4];
    vf_tiff_set_number(offset, 4, write_directory(editor, &editor->directories[i]),
                       editor->big_endian);
    vf_tiff_put(editor, VF_TIFF_MAIN, pointers[i], VF_TIFF_LONG, 1, offset, sizeof offset);
  }
  if (editor->directories[VF_TIFF_MAIN].changed)
    vf_tiff_set_number(editor->bytes + 4, 4,
                       write_directory(editor, &editor->directories[VF_TIFF_MAIN]),
                       editor->big_endian);
}
