/* Compression of a map that is complete. */
#ifndef IMP_STORE_COMPRESS_H
#define IMP_STORE_COMPRESS_H

#include "impact.h"

/* Replaces a complete map by a compressed one, after a check that both have the same content; does
 * nothing if the map is already compressed. Runs h5repack in another process, which is ended if
 * `stop` (may be NULL) returns true: IMP_ERR_STOPPED. After any failure the map is unchanged.
 * IMP_ERR_IO: the compressor failed or changed the content, or the disk failed. IMP_ERR_LIBRARY:
 * h5repack is not installed. */
imp_err imp_map_compress(const char *path, bool (*stop)(void));

#endif
