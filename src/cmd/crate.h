/* A map as a research object: a Process Run Crate 0.5 on RO-Crate 1.1. */
#ifndef IMP_CMD_CRATE_H
#define IMP_CMD_CRATE_H

/* Makes `folder`, which must not exist, with the map at `path`, its config, its page, a picture
 * (NULL: none) and ro-crate-metadata.json. licence: the address of the licence of the map (NULL:
 * not said). The folder gets its name only when it is complete. Prints errors; returns the exit
 * code. */
int imp_crate_make(const char *path, const char *folder, const char *picture, const char *licence);

#endif
