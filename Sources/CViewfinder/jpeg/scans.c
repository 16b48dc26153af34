#include "jpeg/scans.h"

#include <errno.h>

enum {
  /// A picture needs a dozen scans, and each costs a pass over all coefficients: even the largest
  /// may have a few more, and none may have more than 200.
  FEWEST_SCANS = 40,
  MOST_SCANS = 200,
};

/// Pixels times scans that a picture may have between these two limits.
#define SCANNED_PIXELS ((uint64_t)5000000000)

void vf_jpeg_limit_scans(j_common_ptr common) {
  j_decompress_ptr codec = (j_decompress_ptr)common;
  uint64_t scans = SCANNED_PIXELS / ((uint64_t)codec->image_width * codec->image_height);
  if (scans < FEWEST_SCANS)
    scans = FEWEST_SCANS;
  if (scans > MOST_SCANS)
    scans = MOST_SCANS;
  if ((uint64_t)codec->input_scan_number > scans)
    vf_jpeg_raise(common, EBADMSG, "it takes far longer to decode than any photo");
}
