#include "jpeg/scan.h"

#include "jpeg/output.h"
#include "jpeg/tables.h"

enum {
  NEAR_LENGTH_BITS = 5,
  /// A run of sixteen zeros, and the end of a block (ITU-T T.81, F.1.2.2).
  SIXTEEN_ZEROS = 0xF0,
  END_OF_BLOCK = 0x00,
  /// Blocks of luma in an MCU at most.
  MOST_LUMA = 4,
};

static void make_table(vf_scan_table *table, unsigned kind) {
  vf_codes_make(&table->dc, vf_standard_table(0, kind));
  vf_codes_make(&table->ac, vf_standard_table(1, kind));
  for (unsigned run = 0; run < 16; run++) {
    for (int value = -VF_NEAR_VALUES; value < VF_NEAR_VALUES; value++) {
      unsigned size = vf_output_size(value), symbol = run << 4 | size;
      uint32_t bits = (uint32_t)table->ac.code[symbol] << size | vf_output_bits(value, size);
      table->near[run][value + VF_NEAR_VALUES] =
          bits << NEAR_LENGTH_BITS | (table->ac.length[symbol] + size);
    }
  }
}

void vf_scan_tables_begin(vf_scan_tables *tables) {
  make_table(&tables->tables[0], 0);
  make_table(&tables->tables[1], 1);
}

void vf_scan_tables_set_steps(vf_scan_tables *tables, unsigned kind, const uint16_t *steps) {
  memcpy(tables->steps[kind], steps, sizeof tables->steps[kind]);
  vf_quantizer_make(&tables->quantizers[kind], steps);
}

// What comes before the codes, in libjpeg's order.

static void append_steps(vf_jpeg_writer *writer, unsigned kind, const uint16_t *steps) {
  uint8_t segment[5 + VF_BLOCK] = {0xFF, VF_MARKER_DQT, 0, 3 + VF_BLOCK, (uint8_t)kind};
  for (unsigned i = 0; i < VF_BLOCK; i++)
    segment[5 + i] = (uint8_t)steps[vf_natural_order[i]];
  vf_writer_append(writer, segment, sizeof segment);
}

static void append_frame(vf_jpeg_writer *writer, const vf_rows *rows) {
  uint32_t width = rows->image->width, height = rows->image->height;
  unsigned across = vf_rows_luma_across(rows), down = rows->luma_rows / 8;
  uint8_t count = (uint8_t)rows->components;
  const uint8_t segment[] = {0xFF, VF_MARKER_SOF0, 0, (uint8_t)(8 + 3 * count), 8,
                             (uint8_t)(height >> 8), (uint8_t)height, (uint8_t)(width >> 8),
                             (uint8_t)width, count,
                             // Of each component its number, its blocks in an MCU, and its steps.
                             1, (uint8_t)(across << 4 | down), 0, 2, 0x11, 1, 3, 0x11, 1};
  vf_writer_append(writer, segment, 10 + 3 * (size_t)count);
}

static void append_codes(vf_jpeg_writer *writer, unsigned class, unsigned kind) {
  const uint8_t *table = vf_standard_table(class, kind);
  size_t count = VF_LONGEST_CODE;
  for (unsigned i = 0; i < VF_LONGEST_CODE; i++)
    count += table[i];
  vf_writer_append(
      writer,
      (const uint8_t[]){0xFF, VF_MARKER_DHT, 0, (uint8_t)(3 + count), (uint8_t)(class << 4 | kind)},
      5);
  vf_writer_append(writer, table, count);
}

static void append_header(vf_jpeg_writer *writer, const vf_scan_tables *tables, const vf_rows *rows,
                          unsigned interval) {
  unsigned kinds = rows->components == 1 ? 1 : 2;
  for (unsigned kind = 0; kind < kinds; kind++)
    append_steps(writer, kind, tables->steps[kind]);
  append_frame(writer, rows);
  for (unsigned kind = 0; kind < kinds; kind++) {
    append_codes(writer, 0, kind);
    append_codes(writer, 1, kind);
  }
  if (interval)
    vf_jpeg_append_interval(writer, interval);
  uint8_t count = (uint8_t)rows->components;
  vf_writer_append(writer,
                   (const uint8_t[]){0xFF, VF_MARKER_SOS, 0, (uint8_t)(6 + 2 * count), count}, 5);
  vf_writer_append(writer, (const uint8_t[]){1, 0x00, 2, 0x11, 3, 0x11}, 2 * (size_t)count);
  vf_writer_append(writer, (const uint8_t[]){0, VF_BLOCK - 1, 0}, 3);
}

// The codes.

typedef struct scan {
  const vf_scan_tables *tables;
  const vf_rows *rows;
  vf_jpeg_writer *writer;
  /// Blocks of luma in an MCU, and across the picture.
  unsigned across, down;
  size_t blocks_across;
  /// Rows of blocks of luma that the current row of MCUs has.
  unsigned blocks_down;
  int32_t last_dc[3];
  vf_output output;
  vf_output_room room;
} scan;

static inline void put_dc(vf_output *output, const vf_scan_table *table, int32_t difference) {
  unsigned size = vf_output_size(difference);
  vf_output_append_value(output, &table->dc, size, difference, size);
  vf_output_flush(output);
}

static inline void put_symbol(vf_output *output, const vf_scan_table *table, unsigned symbol) {
  vf_output_put(output, table->ac.code[symbol], table->ac.length[symbol]);
}

/// Appends the coefficient at the lowest of the places that are `left`, after that at `last`.
/// Returns its place. It takes 26 bits at most.
static inline unsigned append_value(vf_output *output, const vf_scan_table *table,
                                    const int16_t *values, uint64_t left, unsigned last) {
  unsigned place = (unsigned)__builtin_ctzll(left), run = place - last - 1;
  int32_t value = values[vf_natural_order[place]];
  for (; __builtin_expect(run > 15, 0); run -= 16)
    put_symbol(output, table, SIXTEEN_ZEROS);
  if (__builtin_expect((uint32_t)(value + VF_NEAR_VALUES) < 2 * VF_NEAR_VALUES, 1)) {
    uint32_t near = table->near[run][value + VF_NEAR_VALUES];
    vf_output_append(output, near >> NEAR_LENGTH_BITS, near & ((1 << NEAR_LENGTH_BITS) - 1));
  } else {
    unsigned size = vf_output_size(value);
    vf_output_append_value(output, &table->ac, run << 4 | size, value, size);
  }
  return place;
}

static inline void put_block(vf_output *scan_output, const vf_scan_table *table,
                             const int16_t *values, uint64_t nonzero, int32_t *last_dc) {
  vf_output output = *scan_output;
  put_dc(&output, table, values[0] - *last_dc);
  *last_dc = values[0];
  unsigned last = 0;
  for (uint64_t left = nonzero & ~(uint64_t)1; left; left &= left - 1) {
    last = append_value(&output, table, values, left, last);
    // Two at a time: there is room for both.
    left &= left - 1;
    if (!left)
      break;
    last = append_value(&output, table, values, left, last);
    vf_output_flush(&output);
  }
  if (last != VF_BLOCK - 1)
    vf_output_append(&output, table->ac.code[END_OF_BLOCK], table->ac.length[END_OF_BLOCK]);
  vf_output_flush(&output);
  *scan_output = output;
}

/// A block past the picture's edge (jccoefct.c): as bright as the one before, and nothing else.
static void put_dummy(vf_output *output, const vf_scan_table *table) {
  put_dc(output, table, 0);
  put_symbol(output, table, END_OF_BLOCK);
}

static void put_luma(scan *scan, size_t column) {
  size_t first = column * scan->across, there = scan->blocks_across - first;
  unsigned across = there < scan->across ? (unsigned)there : scan->across, count = 0;
  vf_block_source sources[MOST_LUMA];
  for (unsigned y = 0; y < scan->blocks_down; y++) {
    for (unsigned x = 0; x < across; x++)
      sources[count++] = (vf_block_source){scan->rows->row[0] + 8 * y, 8 * (first + x)};
  }
  vf_block_pair pairs[MOST_LUMA / 2];
  for (unsigned i = 0; i < count; i += 2)
    scan->rows->kernels->forward_dct(&pairs[i / 2], sources[i], sources[i + 1 < count ? i + 1 : i],
                                     &scan->tables->quantizers[0]);
  const vf_scan_table *table = &scan->tables->tables[0];
  unsigned block = 0;
  for (unsigned y = 0; y < scan->down; y++) {
    for (unsigned x = 0; x < scan->across; x++) {
      if (y >= scan->blocks_down || x >= across) {
        put_dummy(&scan->output, table);
        continue;
      }
      const vf_block_pair *pair = &pairs[block / 2];
      put_block(&scan->output, table, pair->values[block % 2], pair->nonzero[block % 2],
                &scan->last_dc[0]);
      block++;
    }
  }
}

static void put_chroma(scan *scan, size_t column) {
  vf_block_pair pair;
  scan->rows->kernels->forward_dct(&pair, (vf_block_source){scan->rows->row[1], 8 * column},
                                   (vf_block_source){scan->rows->row[2], 8 * column},
                                   &scan->tables->quantizers[1]);
  for (unsigned i = 0; i < 2; i++)
    put_block(&scan->output, &scan->tables->tables[1], pair.values[i], pair.nonzero[i],
              &scan->last_dc[1 + i]);
}

static void end_interval(scan *scan) {
  vf_output_pad(&scan->output);
  vf_output_empty(&scan->output, &scan->room, scan->writer);
  memset(scan->last_dc, 0, sizeof scan->last_dc);
}

static void put_row(scan *scan, size_t row, size_t columns, unsigned interval) {
  for (size_t column = 0; column < columns; column++) {
    size_t mcu = row * columns + column;
    if (interval && mcu && mcu % interval == 0) {
      end_interval(scan);
      vf_writer_append_marker(scan->writer, (uint8_t)(VF_MARKER_RST0 + (mcu / interval - 1) % 8));
    }
    put_luma(scan, column);
    if (scan->rows->components == 3)
      put_chroma(scan, column);
    if (vf_output_is_full(&scan->output, &scan->room))
      vf_output_empty(&scan->output, &scan->room, scan->writer);
  }
}

void vf_scan_append(vf_jpeg_writer *writer, const vf_scan_tables *tables, vf_rows *rows,
                    unsigned interval) {
  append_header(writer, tables, rows, interval);
  scan scan;
  scan.tables = tables;
  scan.rows = rows;
  scan.writer = writer;
  scan.across = vf_rows_luma_across(rows);
  scan.down = rows->luma_rows / 8;
  scan.blocks_across = rows->luma_blocks / 8;
  memset(scan.last_dc, 0, sizeof scan.last_dc);
  scan.output = (vf_output){.at = scan.room.bytes};
  size_t columns = (scan.blocks_across + scan.across - 1) / scan.across, row = 0;
  for (size_t y = 0; y < rows->image->height; y += rows->luma_rows, row++) {
    vf_rows_fill(rows, y);
    size_t below = (rows->image->height - y + 7) / 8;
    scan.blocks_down = below < scan.down ? (unsigned)below : scan.down;
    put_row(&scan, row, columns, interval);
  }
  end_interval(&scan);
  vf_writer_append_marker(writer, VF_MARKER_EOI);
}
