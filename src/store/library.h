/* The library HDF5 as a whole. */
#ifndef IMP_STORE_LIBRARY_H
#define IMP_STORE_LIBRARY_H

#include <stdbool.h>

#include "impact.h"

/* Starts HDF5, quietly, once: before any other function of it, and before MPI. It then does nothing of its own
 * when the process or MPI ends. Memory that it lacks in any call is noted (imp_note_out_of_memory).
 * IMP_ERR_MEMORY. */
imp_err imp_h5_start(void);

/* Whether one of n return addresses lies in HDF5. May be called by a handler of signals, after imp_h5_start. */
bool imp_h5_holds(void *const *addresses, int n);

#endif
