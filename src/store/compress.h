/* Compression of a map that is complete. */
#ifndef IMP_STORE_COMPRESS_H
#define IMP_STORE_COMPRESS_H

#include "impact.h"

/* Replaces a finished map by a compressed one that reads the same, which is checked before; nothing
 * is done if it is compressed already. Runs h5repack, in a process of its own that ends early when
 * `stop` (may be NULL) says so: IMP_ERR_STOPPED. On any failure the map is as it was.
 * IMP_ERR_IO: the compressor failed or wrote something else; the disk. IMP_ERR_LIBRARY: no h5repack.
 */
imp_err imp_map_compress(const char *path, bool (*stop)(void));

#endif
