#include "exif/editor.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "exif/tags.h"

enum {
  /// Bytes of a directory beside its entries.
  FRAME = 2 + 4,
  /// Far more than any camera writes: hostile data must not take long.
  MAXIMUM_ENTRIES = 4096,
  MAXIMUM_ADDED = 32,
  /// What the directories need at most when all of them go to the end.
  MAXIMUM_TABLES =
      VF_TIFF_DIRECTORIES * (1 + FRAME + (MAXIMUM_ENTRIES + MAXIMUM_ADDED) * VF_TIFF_ENTRY),
};

/// What tells where each directory is: a tag of another one, or the end of the main one.
static const struct link {
  int parent;
  uint16_t pointer;
} links[VF_TIFF_DIRECTORIES] = {
    [VF_TIFF_EXIF] = {VF_TIFF_MAIN, VF_TAG_EXIF_IFD},
    [VF_TIFF_GPS] = {VF_TIFF_MAIN, VF_TAG_GPS_IFD},
    [VF_TIFF_INTEROPERABILITY] = {VF_TIFF_EXIF, VF_TAG_INTEROPERABILITY_IFD},
    [VF_TIFF_THUMBNAIL] = {VF_TIFF_MAIN, 0},
};

static uint8_t *entry_at(const vf_tiff_directory *directory, size_t index) {
  return directory->table + 2 + index * VF_TIFF_ENTRY;
}

static uint16_t tag_of(const vf_tiff_editor *editor, const uint8_t *entry) {
  return (uint16_t)vf_tiff_read_number(&editor->header, entry, 2);
}

static uint32_t number(const vf_tiff_editor *editor, const uint8_t *bytes) {
  return (uint32_t)vf_tiff_read_number(&editor->header, bytes, 4);
}

static void set_number(const vf_tiff_editor *editor, uint8_t *bytes, size_t value) {
  vf_tiff_set_number(&editor->header, bytes, 4, (uint32_t)value);
}

// MARK: Places

/// Bytes of an entry's values; 0 where they can't be told.
static uint64_t size_of_value(const vf_tiff_entry *entry) {
  return entry->count * entry->value_size;
}

/// The place of an entry's values; empty when the entry holds them itself, or points nowhere.
static vf_tiff_place place_of_value(const vf_tiff_editor *editor, const uint8_t *bytes) {
  vf_tiff_entry entry = vf_tiff_read_entry(&editor->header, bytes, 0);
  uint64_t size = size_of_value(&entry);
  if (size <= 4 || entry.offset < VF_TIFF_HEADER || entry.offset > editor->count ||
      size > editor->count - entry.offset)
    return (vf_tiff_place){0};
  return (vf_tiff_place){(size_t)entry.offset, (size_t)size};
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

static uint8_t *_Nullable find(const vf_tiff_editor *editor, const vf_tiff_directory *directory,
                               uint16_t tag) {
  for (size_t i = 0; i < directory->count; i++)
    if (tag_of(editor, entry_at(directory, i)) == tag)
      return entry_at(directory, i);
  return NULL;
}

const uint8_t *vf_tiff_find(const vf_tiff_editor *editor, int directory, uint16_t tag) {
  return find(editor, &editor->directories[directory], tag);
}

vf_tiff_place vf_tiff_remove(vf_tiff_editor *editor, int index, uint16_t tag) {
  vf_tiff_directory *directory = &editor->directories[index];
  vf_tiff_place left = {0};
  const uint8_t *found;
  while ((found = find(editor, directory, tag))) {
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

/// Where an entry goes: behind those of lower tags and its own.
static size_t position_for(const vf_tiff_editor *editor, const vf_tiff_directory *directory,
                           uint16_t tag) {
  // From the end on: most come in order.
  size_t position = directory->count;
  while (position && tag_of(editor, entry_at(directory, position - 1)) > tag)
    position--;
  return position;
}

static void insert(vf_tiff_editor *editor, vf_tiff_directory *directory, const uint8_t *entry) {
  if (directory->count == directory->capacity) {
    editor->overflow = 1;
    return;
  }
  size_t position = position_for(editor, directory, tag_of(editor, entry));
  memmove(entry_at(directory, position + 1), entry_at(directory, position),
          (directory->count - position) * VF_TIFF_ENTRY);
  memcpy(entry_at(directory, position), entry, VF_TIFF_ENTRY);
  directory->count++;
  directory->changed = 1;
}

void vf_tiff_put(vf_tiff_editor *editor, int directory, uint16_t tag, uint16_t type,
                 uint32_t values, const uint8_t *bytes, size_t size) {
  vf_tiff_place place = vf_tiff_remove(editor, directory, tag);
  uint8_t entry[VF_TIFF_ENTRY] = {0};
  vf_tiff_set_number(&editor->header, entry, 2, tag);
  vf_tiff_set_number(&editor->header, entry + 2, 2, type);
  set_number(editor, entry + 4, values);
  if (size <= 4)
    memcpy(entry + VF_TIFF_VALUE, bytes, size);
  else
    set_number(editor, entry + VF_TIFF_VALUE, store(editor, place, bytes, size));
  insert(editor, &editor->directories[directory], entry);
}

/// Puts a tag that holds one number.
static void put_number(vf_tiff_editor *editor, int directory, uint16_t tag, size_t value) {
  uint8_t bytes[4];
  set_number(editor, bytes, value);
  vf_tiff_put(editor, directory, tag, VF_TIFF_LONG, 1, bytes, sizeof bytes);
}

void vf_tiff_remove_thumbnail(vf_tiff_editor *editor) {
  editor->directories[VF_TIFF_THUMBNAIL].count = 0;
  editor->thumbnail = NULL;
  editor->thumbnail_count = 0;
}

void vf_tiff_put_thumbnail(vf_tiff_editor *editor, const uint8_t *jpeg, size_t count) {
  vf_tiff_remove_thumbnail(editor);
  editor->thumbnail = jpeg;
  editor->thumbnail_count = count;
  // The offset comes with the packing.
  put_number(editor, VF_TIFF_THUMBNAIL, VF_TAG_JPEG_INTERCHANGE_FORMAT, 0);
  put_number(editor, VF_TIFF_THUMBNAIL, VF_TAG_JPEG_INTERCHANGE_FORMAT_LENGTH, count);
}

// MARK: Opening

/// Takes over the directory at `offset`, as far as it is there; an empty one where there is none.
static int read_directory(vf_tiff_editor *editor, vf_tiff_directory *directory, size_t offset) {
  size_t count = 0;
  if (offset >= VF_TIFF_HEADER && offset <= editor->count - 2) {
    size_t room = editor->count - offset - 2;
    count = (size_t)vf_tiff_read_number(&editor->header, editor->bytes + offset, 2);
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
  directory->capacity = count + MAXIMUM_ADDED;
  directory->table = malloc(FRAME + directory->capacity * VF_TIFF_ENTRY);
  if (!directory->table)
    return -ENOMEM;
  if (count)
    memcpy(entry_at(directory, 0), editor->bytes + offset + 2, count * VF_TIFF_ENTRY);
  directory->count = count;
  return 0;
}

/// Where the data say that a directory is; 0 for nowhere.
static size_t offset_of_directory(const vf_tiff_editor *editor, int index) {
  if (index == VF_TIFF_MAIN)
    return (size_t)editor->header.first_directory;
  const vf_tiff_directory *parent = &editor->directories[links[index].parent];
  if (!links[index].pointer)
    return number(editor, parent->next);
  const uint8_t *entry = find(editor, parent, links[index].pointer);
  return entry ? number(editor, entry + VF_TIFF_VALUE) : 0;
}

static int open_data(vf_tiff_editor *editor, const uint8_t *bytes, size_t count, size_t room) {
  if (count > UINT32_MAX / 2 || room > UINT32_MAX / 2 - MAXIMUM_TABLES)
    return -EFBIG;
  editor->capacity = count + MAXIMUM_TABLES + room;
  editor->bytes = malloc(editor->capacity);
  if (!editor->bytes)
    return -ENOMEM;
  memcpy(editor->bytes, bytes, count);
  editor->count = count;
  int failed = 0;
  for (int i = 0; i < VF_TIFF_DIRECTORIES && !failed; i++)
    failed = read_directory(editor, &editor->directories[i], offset_of_directory(editor, i));
  return failed;
}

int vf_tiff_create(vf_tiff_editor *editor, size_t room) {
  static const uint8_t empty[VF_TIFF_HEADER] = {'I', 'I', 42};
  *editor = (vf_tiff_editor){0};
  int failed = vf_tiff_read_header(empty, sizeof empty, &editor->header);
  return failed ? failed : open_data(editor, empty, sizeof empty, room);
}

int vf_tiff_open(vf_tiff_editor *editor, const uint8_t *bytes, size_t count, size_t room) {
  *editor = (vf_tiff_editor){0};
  if (!vf_tiff_is_exif(bytes, count, &editor->header))
    return -EBADMSG;
  int failed = open_data(editor, bytes, count, room);
  return !failed && !editor->directories[VF_TIFF_MAIN].count ? -EBADMSG : failed;
}

void vf_tiff_close(vf_tiff_editor *editor) {
  for (int i = 0; i < VF_TIFF_DIRECTORIES; i++)
    free(editor->directories[i].table);
  free(editor->bytes);
  *editor = (vf_tiff_editor){0};
}

static void tidy(vf_tiff_editor *editor, vf_tiff_directory *directory) {
  size_t count = directory->count;
  directory->count = 0;
  for (size_t i = 0; i < count; i++) {
    uint8_t bytes[VF_TIFF_ENTRY];
    memcpy(bytes, entry_at(directory, i), sizeof bytes);
    vf_tiff_entry entry = vf_tiff_read_entry(&editor->header, bytes, 0);
    uint64_t size = size_of_value(&entry);
    int is_there = size && (size <= 4 || place_of_value(editor, bytes).size);
    size_t position = position_for(editor, directory, entry.tag);
    int is_known = position && tag_of(editor, entry_at(directory, position - 1)) == entry.tag;
    if (is_there && !is_known)
      insert(editor, directory, bytes);
  }
}

void vf_tiff_tidy(vf_tiff_editor *editor) {
  for (int i = 0; i < VF_TIFF_DIRECTORIES; i++)
    tidy(editor, &editor->directories[i]);
}

// MARK: In place

/// Stores a directory; returns its offset.
static size_t write_directory(vf_tiff_editor *editor, vf_tiff_directory *directory) {
  vf_tiff_set_number(&editor->header, directory->table, 2, (uint32_t)directory->count);
  memcpy(entry_at(directory, directory->count), directory->next, sizeof directory->next);
  vf_tiff_place place = clear(editor, directory->place, directory);
  return store(editor, place, directory->table, FRAME + directory->count * VF_TIFF_ENTRY);
}

void vf_tiff_finish(vf_tiff_editor *editor) {
  // From the last on: each tells the one before where it is now.
  for (int i = VF_TIFF_DIRECTORIES - 1; i >= 0; i--) {
    if (!editor->directories[i].changed)
      continue;
    size_t offset = write_directory(editor, &editor->directories[i]);
    vf_tiff_directory *parent = &editor->directories[links[i].parent];
    if (i == VF_TIFF_MAIN) {
      set_number(editor, editor->bytes + 4, offset);
    } else if (links[i].pointer) {
      put_number(editor, links[i].parent, links[i].pointer, offset);
    } else {
      set_number(editor, parent->next, offset);
      parent->changed = 1;
    }
  }
}

// MARK: Anew

/// Data that are laid out.
typedef struct layout {
  uint8_t *bytes;
  size_t count, limit;
  int overflow;
} layout;

/// Appends bytes, or zeros for NULL, at an even offset, which it returns; 0 where they don't fit.
static size_t append(layout *layout, const uint8_t *_Nullable bytes, size_t size) {
  size_t offset = layout->count + layout->count % 2;
  if (layout->overflow || offset > layout->limit || size > layout->limit - offset) {
    layout->overflow = 1;
    return 0;
  }
  memset(layout->bytes + layout->count, 0, offset - layout->count);
  if (bytes)
    memcpy(layout->bytes + offset, bytes, size);
  else
    memset(layout->bytes + offset, 0, size);
  layout->count = offset + size;
  return offset;
}

/// Gives each directory that has tags a pointer, to be filled in, and takes the others' away.
static void prepare_pointers(vf_tiff_editor *editor) {
  for (int i = VF_TIFF_DIRECTORIES - 1; i > VF_TIFF_MAIN; i--) {
    if (!links[i].pointer)
      continue;
    if (editor->directories[i].count)
      put_number(editor, links[i].parent, links[i].pointer, 0);
    else
      vf_tiff_remove(editor, links[i].parent, links[i].pointer);
  }
}

/// The entry of a directory whose values come first at or after `*from`, which moves behind their
/// offset; NULL behind the last. So values keep their order.
static const uint8_t *_Nullable next_value(const vf_tiff_editor *editor,
                                           const vf_tiff_directory *directory, size_t *from,
                                           size_t *index) {
  const uint8_t *found = NULL;
  size_t least = SIZE_MAX, after = SIZE_MAX;
  for (size_t i = 0; i < directory->count; i++) {
    vf_tiff_place place = place_of_value(editor, entry_at(directory, i));
    // Of those that share an offset, each comes once.
    int is_new = place.offset > *from || (place.offset == *from && i > *index);
    if (place.size && is_new && place.offset < least) {
      least = place.offset;
      after = i;
      found = entry_at(directory, i);
    }
  }
  *from = least;
  *index = after;
  return found;
}

static size_t pack_directory(vf_tiff_editor *editor, int index, layout *layout);

/// Packs what a directory points to, and fills in where that is now.
static void pack_children(vf_tiff_editor *editor, int index, layout *layout, size_t start) {
  const vf_tiff_directory *directory = &editor->directories[index];
  for (int i = index + 1; i < VF_TIFF_DIRECTORIES; i++) {
    if (links[i].parent != index || !editor->directories[i].count)
      continue;
    size_t offset = pack_directory(editor, i, layout);
    size_t place = start + 2 + directory->count * VF_TIFF_ENTRY;
    if (links[i].pointer) {
      const uint8_t *entry = find(editor, directory, links[i].pointer);
      place = start + (size_t)(entry - directory->table) + VF_TIFF_VALUE;
    }
    if (!layout->overflow)
      set_number(editor, layout->bytes + place, offset);
  }
}

/// Appends a directory, then its values, then what it points to; returns its offset.
static size_t pack_directory(vf_tiff_editor *editor, int index, layout *layout) {
  const vf_tiff_directory *directory = &editor->directories[index];
  size_t size = 2 + directory->count * VF_TIFF_ENTRY;
  size_t start = append(layout, NULL, size + 4);
  if (layout->overflow)
    return 0;
  vf_tiff_set_number(&editor->header, directory->table, 2, (uint32_t)directory->count);
  memcpy(layout->bytes + start, directory->table, size);
  size_t from = 0, last = 0;
  const uint8_t *entry;
  while ((entry = next_value(editor, directory, &from, &last)) && !layout->overflow) {
    vf_tiff_place value = place_of_value(editor, entry);
    size_t offset = append(layout, editor->bytes + value.offset, value.size);
    set_number(editor, layout->bytes + start + (entry - directory->table) + VF_TIFF_VALUE, offset);
  }
  if (index == VF_TIFF_THUMBNAIL && editor->thumbnail) {
    size_t offset = append(layout, editor->thumbnail, editor->thumbnail_count);
    entry = find(editor, directory, VF_TAG_JPEG_INTERCHANGE_FORMAT);
    set_number(editor, layout->bytes + start + (entry - directory->table) + VF_TIFF_VALUE, offset);
  }
  pack_children(editor, index, layout, start);
  return start;
}

size_t vf_tiff_pack(vf_tiff_editor *editor, uint8_t *bytes, size_t limit) {
  prepare_pointers(editor);
  if (editor->overflow)
    return 0;
  layout layout = {.bytes = bytes, .limit = limit};
  append(&layout, editor->bytes, VF_TIFF_HEADER);
  size_t main = pack_directory(editor, VF_TIFF_MAIN, &layout);
  if (layout.overflow)
    return 0;
  set_number(editor, bytes + 4, main);
  return layout.count;
}
