/* The bodies that bodies.def lists, for those that ask for all: a line there compiles no other file
 * anew. */
#ifndef IMP_BODIES_PLANAR_CHOICE_H
#define IMP_BODIES_PLANAR_CHOICE_H

#include "bodies/planar/body.h"

#define BODY(name) extern const imp_body imp_body_##name;
#include "bodies/planar/bodies.def"

/* The options of the choice `body` in the order of their codes, and that choice as an
 * imp_choice. */
enum {
#define BODY(name) IMP_BODY_OF_##name,
#include "bodies/planar/bodies.def"
    IMP_BODY_OPTIONS
};
extern const imp_option *const imp_body_options[IMP_BODY_OPTIONS];
#define IMP_BODY_CHOICE IMP_CHOICE("body", "the body that meets the plane", imp_body_options, -1)

#endif
