/* The finite-element library that this program was built with. */
#ifndef IMP_MODELS_PETSC_VERSION_H
#define IMP_MODELS_PETSC_VERSION_H

/* "major.minor.subminor" */
const char *imp_petsc_version(void);

#endif
