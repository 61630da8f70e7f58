/* The driver by which HDF5 reaches files. HDF5 makes no call to the system: it reads from a file
 * that this room has opened, and perhaps locked, and it writes into memory. So no failure of a disk
 * can leave HDF5 with a file that it cannot close, no failure goes unseen, and nothing that a file
 * names beside itself (external links, external storage, sources of virtual datasets) is opened. */
#ifndef IMP_STORE_DRIVER_H
#define IMP_STORE_DRIVER_H

#include <hdf5.h>

#include "store/image.h"

typedef struct imp_backing {
    imp_image *image; /* to write into; NULL: the descriptor is read from */
    int descriptor;
    int failure; /* errno of the first read that failed; 0: none did */
    bool open;   /* HDF5 has it */
} imp_backing;

/* A list of access properties with this driver, whose backing must live as long as HDF5 has the
 * file. H5Pclose it. Negative: HDF5 has no memory. */
hid_t imp_driver_access(imp_backing *backing);

#endif
