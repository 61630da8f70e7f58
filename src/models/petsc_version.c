#include "models/petsc_version.h"

#include <petscversion.h>

#define TEXT(number) #number
#define VERSION(major, minor, subminor) TEXT(major) "." TEXT(minor) "." TEXT(subminor)

const char *imp_petsc_version(void) {
    return VERSION(PETSC_VERSION_MAJOR, PETSC_VERSION_MINOR, PETSC_VERSION_SUBMINOR);
}
