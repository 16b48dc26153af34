#include <zint.h>

// Swift sees arrays as tuples.

static inline int zint_is_dark(const struct zint_symbol *symbol, int row, int column) {
  return symbol->encoded_data[row][column >> 3] >> (column & 7) & 1;
}

static inline float zint_row_height(const struct zint_symbol *symbol, int row) {
  return symbol->row_height[row];
}

static inline const char *zint_error(const struct zint_symbol *symbol) { return symbol->errtxt; }
