#include "support/bodies.h"

#include <string.h>

#include "support/suite.h"

enum { MOST = 12 };

/* The index of a body, the first choice of this theory. */
static int find(const char *theory, const char *name) {
    const imp_choice *body = &imp_theory_find(theory)->choices[0];
    for (int i = 0; i < body->n_options; i++) {
        if (strcmp(body->options[i]->name, name) == 0) {
            return i;
        }
    }
    CHECK(false, "there is no body %s", name);
    return 0;
}

const imp_body *bodies_planar(const char *name) {
    return imp_body_at(find("rigid", name));
}

const imp_spatial *bodies_spatial(const char *name) {
    return imp_spatial_at(find("swerve", name));
}

static void set(const imp_option *body, double *value, const body_value *one) {
    for (int p = 0; p < body->n_parameters; p++) {
        if (strcmp(body->parameters[p]->name, one->parameter) == 0) {
            value[p] = one->value;
            return;
        }
    }
    CHECK(false, "the body %s has no %s", body->name, one->parameter);
}

imp_contact bodies_contact(const char *body, const body_value *list) {
    const imp_body *of = bodies_planar(body);
    double value[MOST] = {0};
    for (; list->parameter; list++) {
        set(&of->option, value, list);
    }
    return of->contact(value);
}

imp_spatial_contact bodies_contact3d(const char *body, const body_value *list) {
    const imp_spatial *of = bodies_spatial(body);
    double value[MOST] = {0};
    for (; list->parameter; list++) {
        set(&of->option, value, list);
    }
    return of->contact(value);
}
