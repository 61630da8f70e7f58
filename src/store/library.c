#define _GNU_SOURCE /* dl_iterate_phdr */
#include "store/library.h"

#include <errno.h>
#include <hdf5.h>
#include <hdf5_hl.h>
#include <link.h>
#include <stdint.h>

#include "base/error.h"

/* A range of addresses of code. */
typedef struct range {
    uintptr_t from, to;
} range;

static range libraries[2]; /* HDF5 and its high level */

static bool lies_in(uintptr_t address, const range *code) {
    return address >= code->from && address < code->to;
}

#ifdef IMP_HDF5_ARCHIVE

/* jobs/packages/static.cmake links this function behind all that is ours, and then the archives of
 * HDF5 and of what it needs. */
void imp_before_hdf5(void);
extern const char etext; /* the end of the program's code */

static void find_code(void) {
    libraries[0] = (range){(uintptr_t)imp_before_hdf5, (uintptr_t)&etext};
}

#else

/* The code of the library that contains a function; none if HDF5 is a part of the program. */
typedef struct library {
    uintptr_t known;
    range code;
} library;

static int find_range(struct dl_phdr_info *object, size_t size, void *context) {
    const uintptr_t own = (uintptr_t)imp_h5_start;
    library *found = context;
    (void)size;
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
        uintptr_t from = object->dlpi_addr + segment->p_vaddr;
        const range code = {from, from + segment->p_memsz};
        if (segment->p_type == PT_LOAD && lies_in(found->known, &code) && !lies_in(own, &code)) {
            found->code = code;
        }
    }
    return 0;
}

static void find_code(void) {
    const uintptr_t known[] = {(uintptr_t)H5open, (uintptr_t)H5DSattach_scale};
    for (int i = 0; i < 2; i++) {
        library one = {.known = known[i]};
        dl_iterate_phdr(find_range, &one);
        libraries[i] = one.code;
    }
}

#endif

static herr_t find_memory(unsigned n, const H5E_error2_t *error, void *found) {
    (void)n;
    *(bool *)found |= error->maj_num == H5E_RESOURCE || error->min_num == H5E_NOSPACE ||
                      error->min_num == H5E_CANTALLOC;
    return 0;
}

/* HDF5 calls this whenever a function of it fails. */
static herr_t note_failure(hid_t stack, void *context) {
    bool memory = errno == ENOMEM; /* the error stack does not always contain it */
    (void)context;
    if (H5Ewalk2(stack, H5E_WALK_UPWARD, find_memory, &memory) >= 0 && memory) {
        imp_note_out_of_memory();
    }
    return 0;
}

imp_err imp_h5_start(void) {
    static bool started;
    if (!started) {
        find_code();
        started = H5dont_atexit() >= 0 && H5open() >= 0 &&
                  H5PLset_loading_state(0) >= 0 && /* no file makes it load code */
                  H5Eset_auto2(H5E_DEFAULT, note_failure, NULL) >= 0;
    }
    return started ? IMP_OK : imp_fail(IMP_ERR_MEMORY, "HDF5 did not start: out of memory");
}

bool imp_h5_holds(void *const *addresses, int n) {
    for (int i = 0; i < n; i++) {
        uintptr_t address = (uintptr_t)addresses[i];
        if (lies_in(address, &libraries[0]) || lies_in(address, &libraries[1])) {
            return true;
        }
    }
    return false;
}
