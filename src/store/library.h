/* The start of the HDF5 library, and addresses in it. */
#ifndef IMP_STORE_LIBRARY_H
#define IMP_STORE_LIBRARY_H

#include <stdbool.h>

#include "impact.h"

/* Starts HDF5 if it is not started; call this before any other function of HDF5 and before MPI.
 * HDF5 then prints no errors and does nothing when the process or MPI ends; a call that runs out of
 * memory calls imp_note_out_of_memory. IMP_ERR_MEMORY. */
imp_err imp_h5_start(void);

/* Whether one of n return addresses is in the code of HDF5. May be called in a signal handler,
 * after imp_h5_start. */
bool imp_h5_holds(void *const *addresses, int n);

#endif
