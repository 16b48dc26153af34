#include <errno.h>
#include <string.h>

#include "failure.h"
#include "jpeg/codes.h"
#include "jpeg/markers.h"
#include "jpeg/tables.h"

/// The largest width and height that libjpeg takes.
enum { MAXIMUM_DIMENSION = 65500, MAXIMUM_COMPONENTS = 4 };

typedef struct component {
  uint8_t id, horizontal, vertical, quantization;
} component;

typedef struct walk {
  const uint8_t *bytes;
  size_t count;
  vf_jpeg_info *info;
  /// The first thing that is wrong, or NULL.
  const char *damage;
  component components[MAXIMUM_COMPONENTS];
  /// Quantization tables by number: whether they are there.
  uint8_t quantization[4];
  /// Huffman tables by class (DC, AC) and number: where their lengths are (0: missing).
  size_t huffman[2][4];
  /// Components that scans brought, one bit per index.
  unsigned scanned;
  unsigned lacks_tables;
  /// Whether the codes of all scans are read.
  unsigned reads_codes;
  /// The latest scan, where its codes can be read, and its data; no MCUs where they can't.
  vf_scan scan;
  size_t data_start, data_end;
} walk;

static void note(walk *walk, const char *damage) {
  if (!walk->damage)
    walk->damage = damage;
}

static unsigned word(const uint8_t *bytes) { return (unsigned)bytes[0] << 8 | bytes[1]; }

/// Baseline, extended or progressive: the processes whose scans we can follow.
static int is_plain(const walk *walk) { return walk->info->process <= 0xC2; }

static int is_lossless(const walk *walk) { return (walk->info->process & 3) == 3; }

static int is_arithmetic(const walk *walk) { return walk->info->process > VF_MARKER_JPG; }

static void read_frame(walk *walk, const uint8_t *bytes, size_t count) {
  vf_jpeg_info *info = walk->info;
  if (info->components) {
    note(walk, "two frame headers");
    return;
  }
  if (count < 6 || count != 6 + 3u * bytes[5]) {
    note(walk, "frame header of a wrong length");
    return;
  }
  info->height = word(bytes + 1);
  info->width = word(bytes + 3);
  if (!info->width || !info->height || info->width > MAXIMUM_DIMENSION ||
      info->height > MAXIMUM_DIMENSION) {
    note(walk, "impossible width or height");
    return;
  }
  unsigned components = bytes[5];
  if (!components || components > MAXIMUM_COMPONENTS) {
    note(walk, "impossible number of components");
    return;
  }
  for (unsigned i = 0; i < components; i++) {
    const uint8_t *at = bytes + 6 + 3 * i;
    component *component = &walk->components[i];
    component->id = at[0];
    component->horizontal = at[1] >> 4;
    component->vertical = at[1] & 15;
    component->quantization = at[2];
    if (component->horizontal < 1 || component->horizontal > 4 || component->vertical < 1 ||
        component->vertical > 4 || component->quantization > 3) {
      note(walk, "impossible sampling or table number");
      return;
    }
  }
  info->components = (uint8_t)components;
  info->horizontal_sampling = info->vertical_sampling = 1;
  if (components > 1) {
    const component *first = &walk->components[0], *second = &walk->components[1];
    if (first->horizontal > second->horizontal)
      info->horizontal_sampling = first->horizontal / second->horizontal;
    if (first->vertical > second->vertical)
      info->vertical_sampling = first->vertical / second->vertical;
  }
}

static void read_quantization(walk *walk, size_t at, size_t count) {
  const uint8_t *bytes = walk->bytes;
  while (count) {
    uint8_t wide = bytes[at] >> 4, number = bytes[at] & 15;
    size_t size = wide ? 129 : 65;
    if (wide > 1 || number > 3 || count < size) {
      note(walk, "damaged quantization table");
      return;
    }
    walk->quantization[number] = 1;
    at += size;
    count -= size;
  }
}

static void read_huffman(walk *walk, const uint8_t *bytes, size_t count) {
  while (count) {
    size_t size = 17;
    for (size_t i = 1; i < 17 && i < count; i++)
      size += bytes[i];
    if (count < size || size > 17 + 256 || bytes[0] > 0x1F || (bytes[0] & 15) > 3) {
      note(walk, "damaged Huffman table");
      return;
    }
    walk->huffman[bytes[0] >> 4][bytes[0] & 15] = (size_t)(bytes + 1 - walk->bytes);
    bytes += size;
    count -= size;
  }
}

static void read_application(walk *walk, const vf_jpeg_marker *marker) {
  const uint8_t *bytes = walk->bytes + marker->payload;
  // Some writers put something else than zero into the byte after "Exif\0".
  if (marker->code != VF_MARKER_APP1 || marker->payload_count <= 6 || walk->info->exif_length ||
      memcmp(bytes, "Exif", 5) != 0)
    return;
  walk->info->exif_offset = marker->payload + 6;
  walk->info->exif_length = marker->payload_count - 6;
}

enum { DC = 0, AC = 1 };

/// A table that a scan names: there, one of the two that everybody knows, or missing (NULL).
static const uint8_t *_Nullable need_table(walk *walk, unsigned class, unsigned number) {
  if (number <= 3 && walk->huffman[class][number])
    return walk->bytes + walk->huffman[class][number];
  if (number > 1) {
    note(walk, "missing Huffman table");
    return NULL;
  }
  walk->lacks_tables = 1;
  return vf_standard_table(class, number);
}

/// What a scan header says of the data that follows.
typedef struct expectation {
  /// Restart markers that must be in the data.
  size_t restarts;
  /// The fewest bytes that can hold the data.
  size_t least;
} expectation;

static int is_sequential(const walk *walk) {
  return walk->info->process == 0xC0 || walk->info->process == 0xC1;
}

static expectation measure_scan(walk *walk, unsigned components, const component *only) {
  const vf_jpeg_info *info = walk->info;
  size_t horizontal = 1, vertical = 1, blocks_per_mcu = 0;
  for (size_t i = 0; i < info->components; i++) {
    const component *each = &walk->components[i];
    if (each->horizontal > horizontal)
      horizontal = each->horizontal;
    if (each->vertical > vertical)
      vertical = each->vertical;
    blocks_per_mcu += (size_t)each->horizontal * each->vertical;
  }
  size_t across = 8 * horizontal, down = 8 * vertical;
  size_t mcus;
  if (components > 1) {
    mcus = (info->width + across - 1) / across * ((info->height + down - 1) / down);
  } else {
    // A component alone goes block by block, and leaves out what only fills up an MCU.
    mcus = (info->width * (size_t)only->horizontal + across - 1) / across *
           ((info->height * (size_t)only->vertical + down - 1) / down);
    blocks_per_mcu = 1;
  }
  expectation result = {0};
  if (info->restart_interval)
    result.restarts = (mcus - 1) / info->restart_interval;
  // No Huffman code is shorter than a bit, and a sequential block has two of them.
  if (is_sequential(walk) && components == info->components)
    result.least = mcus * blocks_per_mcu / 4;
  if (components == 1)
    walk->scan.components[0].blocks = 1;
  walk->scan.mcus = mcus;
  walk->scan.restart_interval = info->restart_interval;
  return result;
}

static expectation read_scan(walk *walk, const uint8_t *bytes, size_t count) {
  vf_jpeg_info *info = walk->info;
  walk->scan = (vf_scan){0};
  if (!info->components) {
    note(walk, "scan without a frame header");
    return (expectation){0};
  }
  unsigned components = count ? bytes[0] : 0;
  if (!components || components > info->components || count != 4 + 2 * (size_t)components) {
    note(walk, "scan header of a wrong length");
    return (expectation){0};
  }
  unsigned spectrum_start = bytes[1 + 2 * components], spectrum_end = bytes[2 + 2 * components];
  unsigned refines = bytes[3 + 2 * components] >> 4;
  const component *last = walk->components;
  for (unsigned i = 0; i < components; i++) {
    unsigned index = 0;
    while (index < info->components && walk->components[index].id != bytes[1 + 2 * i])
      index++;
    if (index == info->components) {
      note(walk, "scan of an unknown component");
      return (expectation){0};
    }
    last = &walk->components[index];
    walk->scanned |= 1u << index;
    if (!is_lossless(walk) && !walk->quantization[last->quantization])
      note(walk, "missing quantization table");
    if (is_arithmetic(walk))
      continue;
    unsigned dc = bytes[2 + 2 * i] >> 4, ac = bytes[2 + 2 * i] & 15;
    vf_scan_component *part = &walk->scan.components[i];
    part->blocks = (unsigned)last->horizontal * last->vertical;
    if (is_lossless(walk) || (spectrum_start == 0 && !refines))
      part->dc = need_table(walk, DC, dc);
    if (!is_lossless(walk) && spectrum_end > 0)
      part->ac = need_table(walk, AC, ac);
    if (part->dc && part->ac)
      walk->scan.component_count++;
  }
  expectation result = measure_scan(walk, components, last);
  if (!is_sequential(walk) || walk->scan.component_count != components)
    walk->scan.mcus = 0;
  return result;
}

/// Reads the latest scan's codes. Returns where its data ends, or 0 when it is damaged or can't be
/// followed.
static size_t read_codes(walk *walk) {
  if (!walk->scan.mcus || walk->damage)
    return 0;
  const char *damage = NULL;
  size_t end =
      vf_scan_read_codes(walk->bytes, walk->data_start, walk->data_end, &walk->scan, &damage);
  if (damage)
    note(walk, damage);
  return end;
}

/// Reads the latest scan's codes and looks whether they are all that is there, but for padding.
static void check_codes(walk *walk) {
  size_t at = read_codes(walk);
  if (!at)
    return;
  for (; at < walk->data_end; at++) {
    uint8_t byte = walk->bytes[at];
    // Some cameras put one more restart marker after the last MCU.
    int is_marker = byte >= VF_MARKER_RST0 && byte <= VF_MARKER_EOI;
    if (byte != 0 && byte != 0xFF && !is_marker) {
      note(walk, "more data than the size has");
      return;
    }
  }
}

/// Passes over entropy-coded data; returns where the marker after it is, or the end of the bytes.
static size_t pass_entropy_data(walk *walk, size_t start, const expectation *expected) {
  const uint8_t *bytes = walk->bytes;
  size_t at = start, restarts = 0;
  while ((at = vf_jpeg_find_unstuffed(bytes, at, walk->count)) < walk->count) {
    uint8_t code = bytes[at + 1];
    if (code == 0xFF) {
      at += 1;
    } else if (code >= VF_MARKER_RST0 && code <= VF_MARKER_RST7) {
      if (code != VF_MARKER_RST0 + restarts % 8)
        note(walk, "restart marker out of order");
      restarts++;
      at += 2;
    } else {
      break;
    }
  }
  walk->data_start = start;
  walk->data_end = at;
  if (!is_plain(walk) || walk->damage)
    return at;
  if (at - start <= 2 * restarts || at - start < expected->least)
    note(walk, "too little data for the size");
  // Some cameras put one more marker after the last MCU.
  if (restarts < expected->restarts)
    note(walk, "restart markers are missing");
  else if (restarts > expected->restarts + 1)
    note(walk, "more restart markers than the size has");
  if (walk->reads_codes)
    check_codes(walk);
  return at;
}

static void read_segment(walk *walk, const vf_jpeg_marker *marker) {
  const uint8_t *payload = walk->bytes + marker->payload;
  if (vf_jpeg_is_frame_header(marker->code)) {
    if (!walk->info->components)
      walk->info->process = marker->code;
    read_frame(walk, payload, marker->payload_count);
  } else if (marker->code == VF_MARKER_DQT) {
    read_quantization(walk, marker->payload, marker->payload_count);
  } else if (marker->code == VF_MARKER_DHT) {
    read_huffman(walk, payload, marker->payload_count);
  } else if (marker->code == VF_MARKER_DRI) {
    if (marker->payload_count == 2)
      walk->info->restart_interval = (uint16_t)word(payload);
    else
      note(walk, "restart interval of a wrong length");
  } else {
    read_application(walk, marker);
  }
}

static void walk_markers(walk *walk) {
  vf_jpeg_info *info = walk->info;
  const uint8_t *bytes = walk->bytes;
  if (walk->count < 2 || bytes[0] != 0xFF || bytes[1] != VF_MARKER_SOI) {
    note(walk, walk->count ? "no start marker" : "no data");
    return;
  }
  info->length = 2;
  vf_jpeg_marker marker;
  while (vf_jpeg_next_marker(bytes, walk->count, info->length, &marker)) {
    if (marker.skipped)
      note(walk, "stray bytes between segments");
    if (marker.code == VF_MARKER_EOI) {
      info->has_end = 1;
      info->length = marker.end;
      return;
    }
    if (marker.code == VF_MARKER_SOI) {
      // Another picture begins: this one may be whole but for its end.
      if (!info->scan_offset)
        note(walk, "a second start marker");
      return;
    }
    if (marker.damaged) {
      note(walk, "segment longer than the data");
      return;
    }
    info->length = marker.end;
    if (marker.code == VF_MARKER_SOS) {
      if (!info->scan_offset)
        info->scan_offset = marker.start;
      expectation expected = read_scan(walk, bytes + marker.payload, marker.payload_count);
      info->length = pass_entropy_data(walk, marker.end, &expected);
    } else if (marker.end == marker.payload && marker.payload_count == 0 &&
               marker.end == marker.start + 2) {
      note(walk, "stray marker between segments");
    } else {
      read_segment(walk, &marker);
    }
  }
}

/// A picture without its end marker is whole when the last scan has all its MCUs.
static void look_for_end(walk *walk) {
  if (walk->info->has_end || walk->damage)
    return;
  size_t end = walk->info->scan_offset ? read_codes(walk) : 0;
  if (end)
    walk->info->length = end;
  else
    note(walk, "no end marker");
}

static int look(const uint8_t *bytes, size_t count, unsigned reads_codes, vf_jpeg_info *info,
                vf_failure *failure) {
  *info = (vf_jpeg_info){0};
  walk walk = {.bytes = bytes, .count = count, .info = info, .reads_codes = reads_codes};
  walk_markers(&walk);
  info->has_huffman_tables = info->scan_offset && !walk.lacks_tables;
  if (!info->components)
    note(&walk, "no frame header");
  if (!info->scan_offset)
    note(&walk, "no scan");
  if (walk.scanned + 1 != 1u << info->components)
    note(&walk, "a component is missing");
  look_for_end(&walk);
  return walk.damage ? vf_fail(failure, EBADMSG, "JPEG markers", "it is damaged: %s", walk.damage)
                     : 0;
}

int vf_jpeg_inspect(const uint8_t *bytes, size_t count, vf_jpeg_info *info, vf_failure *failure) {
  return look(bytes, count, 0, info, failure);
}

int vf_jpeg_verify(const uint8_t *bytes, size_t count, vf_jpeg_info *info, vf_failure *failure) {
  return look(bytes, count, 1, info, failure);
}
