/* The contact of a body that is given by the names of its parameters. */
#ifndef TESTS_SUPPORT_BODIES_H
#define TESTS_SUPPORT_BODIES_H

#include "bodies/planar/body.h"
#include "bodies/spatial/body3d.h"

typedef struct body_value {
    const char *parameter;
    double value;
} body_value;

/* GIVEN({"mass", 2}, {"angle", 0.3}): a list that ends with a parameter without a name. */
#define GIVEN(...) ((const body_value[]){__VA_ARGS__, {NULL, 0}})

/* Fail the test if there is no such body. */
const imp_body *bodies_planar(const char *name);
const imp_spatial *bodies_spatial(const char *name);

/* Parameters that are not given are 0. Fail the test if there is no such parameter. */
imp_contact bodies_contact(const char *body, const body_value *list);
imp_spatial_contact bodies_contact3d(const char *body, const body_value *list);

#endif
