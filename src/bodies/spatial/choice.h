/* The bodies that bodies.def lists, for those that ask for all: a line there compiles no other file
 * anew. */
#ifndef IMP_BODIES_SPATIAL_CHOICE_H
#define IMP_BODIES_SPATIAL_CHOICE_H

#include "bodies/spatial/body3d.h"

#define SPATIAL(name) extern const imp_spatial imp_spatial_##name;
#include "bodies/spatial/bodies.def"

/* The options of the choice `body` in the order of their codes, and that choice as an
 * imp_choice. */
enum {
#define SPATIAL(name) IMP_SPATIAL_OF_##name,
#include "bodies/spatial/bodies.def"
    IMP_SPATIAL_OPTIONS
};
extern const imp_option *const imp_spatial_options[IMP_SPATIAL_OPTIONS];
#define IMP_SPATIAL_CHOICE                                                                         \
    IMP_CHOICE("body", "the body that meets the plane", imp_spatial_options, -1)

#endif
