/* The driver through which HDF5 reads and writes files. HDF5 makes no system calls itself: it reads
 * from a file that this folder of the source has opened, and perhaps locked, and it writes into
 * memory. So HDF5 can always close its files after a failure of a disk, no failure is missed, and
 * no other file is opened (external links, external storage, sources of virtual datasets). */
#ifndef IMP_STORE_DRIVER_H
#define IMP_STORE_DRIVER_H

#include <hdf5.h>

#include "store/image.h"

typedef struct imp_backing {
    imp_image *image; /* to write into; NULL: read from the descriptor */
    int descriptor;
    int failure; /* errno of the first failed read; 0: none */
    bool open;   /* in HDF5 */
} imp_backing;

/* A list of access properties with this driver; call H5Pclose. The backing must live as long as the
 * file is open in HDF5. Negative: out of memory. */
hid_t imp_driver_access(imp_backing *backing);

#endif
