/* The category tangential_end, which all planar theories have in common: what became of the initial
 * tangential velocity. */
#include <math.h>
#include <string.h>

#include "bodies/planar/choice.h"
#include "solve/cases/cases_impl.h"

/* The body of the case in the plane; NULL: none. */
static const imp_body *body_of(const imp_case *one) {
    const imp_theory *theory = one->signature.theory;
    int c = imp_theory_choice(theory, "body");
    const char *name = c < 0 ? "" : theory->choices[c].options[one->signature.chosen[c]]->name;
    for (int b = 0; b < IMP_BODY_OPTIONS; b++) {
        if (strcmp(imp_body_options[b]->name, name) == 0) {
            return imp_body_at(b);
        }
    }
    return NULL;
}

bool imp_case_has_tangential_end(const imp_case *one) {
    const imp_signature *s = &one->signature;
    int velocity = imp_theory_output(s->theory, "velocity_ratio_out");
    const imp_body *body = body_of(one);
    bool planar = body && velocity >= 0 && imp_theory_output(s->theory, "mode") >= 0 &&
                  imp_signature_has_output(s, velocity);
    bool known = imp_signature_find(s, "velocity_ratio") >= 0;
    for (int p = 0; planar && !known && p < body->option.n_parameters; p++) {
        planar = imp_signature_find(s, body->option.parameters[p]->name) >= 0;
    }
    return planar;
}

/* The initial tangential velocity over the normal approach speed: a parameter, or that of a
 * mechanism, which follows from how it moves. */
static double initial(const imp_case *one, const imp_body *body, const double *const *in,
                      size_t i) {
    const imp_signature *s = &one->signature;
    double value[IMP_MAX_PARAMETERS];
    int given = imp_signature_find(s, "velocity_ratio");
    if (given >= 0) {
        return in[given][i];
    }
    for (int p = 0; p < body->option.n_parameters; p++) {
        value[p] = in[imp_signature_find(s, body->option.parameters[p]->name)][i];
    }
    return body->contact(value).velocity_ratio;
}

static int end_of(double before, double after) {
    double size = fabs(before) > 1 ? fabs(before) : 1;
    return fabs(after) <= IMP_END_ROUNDING * size ? IMP_END_ZERO
           : before == 0                          ? 0
           : (before > 0) == (after > 0)          ? IMP_END_SAME
                                                  : IMP_END_REVERSED;
}

void imp_case_tangential_end(const imp_case *one, size_t n, const double *const *in,
                             const double *mode, const double *velocity, double *end) {
    const imp_theory *theory = one->signature.theory;
    const imp_body *body = body_of(one);
    int wedge = -1;
    for (int m = 0; m < theory->n_modes; m++) {
        wedge = strcmp(theory->modes[m].name, "wedge") == 0 ? theory->modes[m].code : wedge;
    }
    for (size_t i = 0; i < n; i++) {
        end[i] =
            (int)mode[i] == wedge ? IMP_END_WEDGE : end_of(initial(one, body, in, i), velocity[i]);
    }
}
