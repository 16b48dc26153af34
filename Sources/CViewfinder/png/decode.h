#ifndef VF_PNG_DECODE_H
#define VF_PNG_DECODE_H

/// The most memory that one chunk may take, in bytes.
enum { VF_PNG_CHUNK_LIMIT = 8 << 20 };

#endif
