/* Codes with a coefficient of restitution: ours is that of `rigid`. */
#include <math.h>
#include <stdio.h>

#include "config/engine_inputs.h"
#include "models/theory.h"
#include "num/larger.h"

/* ---- how coefficients of two bodies are mixed ---- */

static double product(double one, double other) {
    return one * other;
}

static double root(double one, double other) {
    return sqrt(one * other);
}

static double one(double mixed) {
    (void)mixed;
    return 1;
}

static double nothing(double mixed) {
    (void)mixed;
    return 0;
}

static double the_same(double mixed) {
    return mixed;
}

static const imp_mixing multiplied = {product, one}, largest = {imp_larger, nothing},
                        smallest = {imp_smaller, the_same}, mean = {root, the_same};

/* ---- the codes ---- */

enum { E = N_SHARED, COUNT_OF_CONTACT, E_OTHER = COUNT_OF_CONTACT, MU_OTHER, COUNT_OF_BODIES };

/* A coefficient of the other body that is not given is the same. */
static double mix(const imp_mixing *mixing, double one, double other) {
    return mixing ? mixing->of(one, isnan(other) ? one : other) : one;
}

static void to_rigid(imp_engine_call *call) {
    const imp_engine *engine = call->engine;
    const double *in = call->in;
    if (isnan(in[E])) {
        imp_call_error(call, "'%s' is missing: %s", engine->inputs[E].parameter.name,
                       engine->inputs[E].parameter.meaning);
        return;
    }
    call->contact.mass = in[MASS];
    bool two = engine->n_inputs == COUNT_OF_BODIES;
    call->contact.friction = mix(engine->frictions, in[FRICTION], two ? in[MU_OTHER] : (double)NAN);
    call->contact.restitution = mix(engine->restitutions, in[E], two ? in[E_OTHER] : (double)NAN);
}

static void from_rigid(imp_engine_call *call) {
    const imp_engine *engine = call->engine;
    const imp_code_contact *contact = &call->contact;
    call->in[MASS] = contact->mass;
    call->in[FRICTION] = contact->friction;
    call->in[E] = contact->restitution;
    if (engine->n_inputs == COUNT_OF_BODIES) {
        call->in[E_OTHER] = engine->restitutions->other(contact->restitution);
        call->in[MU_OTHER] = engine->frictions->other(contact->friction);
    }
}

static void rigid_line(const imp_engine_call *call, size_t size, char *text) {
    const imp_engine *engine = call->engine;
    const double *in = call->in;
    int n = snprintf(text, size, "%s: %s %s, mu %s", engine->name, engine->inputs[E].parameter.name,
                     imp_code_number(in[E]).text, imp_code_number(in[FRICTION]).text);
    if (engine->n_inputs == COUNT_OF_BODIES && n > 0 && (size_t)n < size) {
        snprintf(text + n, size - (size_t)n, "; the other body: %s, %s",
                 imp_code_number(in[E_OTHER]).text, imp_code_number(in[MU_OTHER]).text);
    }
}

#define COEFFICIENT(title, text)                                                                   \
    .parameter =                                                                                   \
        IMP_PARAMETER_OF(title, "1", text, .low = 0, .high = 1, .fallback = NAN, .example = 0.5)
#define CONTACT(title, also)                                                                       \
    SHARED("mass of the sphere", "friction"), [E] = {COEFFICIENT(title,                            \
                                                                 "coefficient of restitution"),    \
                                                     .others = (also)}
#define BODIES(title, also)                                                                        \
    CONTACT(title, also),                                                                          \
        [E_OTHER] = {COEFFICIENT("other_restitution",                                              \
                                 "that of the other body; not given: the same")},                  \
        [MU_OTHER] = {                                                                             \
            NOT_NEGATIVE("other_mu", "1", "friction of the other body; not given: mu", NAN),       \
            .others = "other_friction"}

static const imp_engine_input bounce[COUNT_OF_CONTACT] = {CONTACT("bounce", "restitution e")},
                              minimum[COUNT_OF_CONTACT] = {CONTACT("minCOR", "restitution e")},
                              normal[COUNT_OF_CONTACT] = {CONTACT("en", "restitution e")},
                              bodies[COUNT_OF_BODIES] = {BODIES("restitution", "e")},
                              shapes[COUNT_OF_BODIES] = {BODIES("elasticity", "restitution e")};

#define RIGID(called, says, table)                                                                 \
    .name = (called), .title = (says), INPUTS(table), .to = to_rigid, .from = from_rigid,          \
    .line = rigid_line
#define MIXED(called, says, table, of_restitutions, of_frictions)                                  \
    RIGID(called, says, table), .form = IMP_NEWTON, .restitutions = &of_restitutions,              \
                                .frictions = &of_frictions

static const imp_engine engines[] = {
    {RIGID("ode", "ODE, contact joint with bounce", bounce), .form = IMP_NEWTON},
    {RIGID("siconos", "Siconos, NewtonImpactFrictionNSL with et = 0", normal), .form = IMP_NEWTON},
    {RIGID("simbody", "Simbody, SemiExplicitEulerTimeStepper", minimum), .form = IMP_POISSON},
    {MIXED("bullet", "Bullet", bodies, multiplied, multiplied)},
    {MIXED("chipmunk", "Chipmunk", shapes, multiplied, multiplied)},
    {MIXED("dart", "DART", bodies, multiplied, smallest)},
    {MIXED("box2d", "Box2D and planck", bodies, largest, mean)},
    {MIXED("jolt", "Jolt Physics", bodies, largest, mean)},
};

const imp_engine *imp_rigid_engine_at(int index) {
    return index < IMP_COUNT(engines) ? &engines[index] : NULL;
}
