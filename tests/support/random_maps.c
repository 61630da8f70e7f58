#include "support/random_maps.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "refine/generator_impl.h"

/* A parameter and the range from which its values, or the ends of its axis, are drawn. */
typedef struct drawn {
    const char *name;
    double low, high;
    bool logarithmic;
} drawn;

enum { MOST_DRAWN = 6 };

typedef struct family {
    const char *theory, *choices;
    drawn parameters[MOST_DRAWN];
} family;

#define ANGLE                                                                                      \
    { "angle", -1.5, 1.5, false }
#define SWING                                                                                      \
    { "angle", 0.02, 1.55, false }
#define SPEED                                                                                      \
    { "velocity_ratio", -4, 4, false }
#define FRICTION                                                                                   \
    { "friction", 0.02, 2, false }
#define STIFFNESS                                                                                  \
    { "stiffness_ratio", 0.2, 5, true }
#define RESTITUTION                                                                                \
    { "restitution", 0.05, 1, false }
#define DAMPING                                                                                    \
    { "damping", 0.01, 1, true }
#define COUPLING                                                                                   \
    { "inertia_coupling", 0.05, 0.98, false }
#define SLENDERNESS                                                                                \
    { "slenderness", 0.5, 20, true }
#define HEADING                                                                                    \
    { "heading", -3.1, 3.1, false }
#define SLIP                                                                                       \
    { "velocity_ratio", 0.02, 4, false }

static const family families[] = {
    {"compliant", "body=rod law=linear", {ANGLE, SPEED, FRICTION, STIFFNESS}},
    {"compliant",
     "body=general law=linear",
     {ANGLE, SPEED, FRICTION, STIFFNESS, COUPLING, RESTITUTION}},
    {"compliant", "body=capsule law=linear", {ANGLE, SPEED, FRICTION, STIFFNESS, SLENDERNESS}},
    {"compliant", "body=pendulum law=linear", {SWING, FRICTION, STIFFNESS, RESTITUTION}},
    {"compliant", "body=rod law=coupled", {ANGLE, SPEED, FRICTION, STIFFNESS}},
    {"compliant", "body=general law=coupled", {ANGLE, SPEED, FRICTION, STIFFNESS, COUPLING}},
    {"compliant", "body=rod law=hertz", {ANGLE, SPEED, FRICTION, STIFFNESS, DAMPING}},
    {"compliant", "body=pendulum law=hertz", {SWING, FRICTION, STIFFNESS, DAMPING}},
    {"rigid", "body=rod law=energetic", {ANGLE, SPEED, FRICTION, RESTITUTION}},
    {"rigid", "body=general law=poisson", {ANGLE, SPEED, FRICTION, COUPLING, RESTITUTION}},
    {"swerve", "body=rod3d law=energetic", {ANGLE, HEADING, SLIP, FRICTION, RESTITUTION}},
};

static double draw(random_source *source, const drawn *d) {
    return d->logarithmic ? random_log(source, d->low, d->high)
                          : random_between(source, d->low, d->high);
}

random_map random_map_draw(random_source *source) {
    const family *f = &families[random_index(source, sizeof families / sizeof *families)];
    random_map map = {.theory = f->theory, .choices = f->choices};
    int n = 0;
    while (n < MOST_DRAWN && f->parameters[n].name) {
        n++;
    }
    int first = random_index(source, n), second = (first + 1 + random_index(source, n - 1)) % n;
    map.look = (refine_theory){.axis = {f->parameters[first].name, f->parameters[second].name},
                               .n_axes = 2,
                               .output = {"mode"},
                               .n_outputs = 1};
    for (int i = 0; i < n; i++) {
        const drawn *d = &f->parameters[i];
        double one = draw(source, d), other = draw(source, d);
        if (i != first && i != second) {
            map.look.fixed[map.look.n_fixed] = d->name;
            map.look.value[map.look.n_fixed++] = one;
            continue;
        }
        int a = i != first;
        bool whole = random_index(source, 2) == 0;
        map.from[a] = whole ? d->low : one < other ? one : other;
        map.to[a] = whole ? d->high : one < other ? other : one;
    }
    return map;
}

void random_map_open(random_map *map) {
    if (imp_open(map->theory, map->choices, &map->look.solver) != IMP_OK) {
        fprintf(stderr, "%s\n", imp_last_error());
        abort();
    }
}

void random_map_close(random_map *map) {
    imp_close(&map->look.solver);
}

imp_refine_plan random_map_plan(const random_map *map, int base, int depth) {
    imp_refine_plan plan = refine_plan(2, base, depth, 0);
    plan.filaments = true;
    for (int a = 0; a < 2; a++) {
        plan.lattice.axis[a] = (imp_lattice_axis){.from = map->from[a], .to = map->to[a]};
    }
    return plan;
}

int64_t random_map_differ(const random_map *map, const imp_refinement *r, int (*places)[2],
                          int64_t most) {
    const imp_refine_plan *plan = &r->plan;
    refine_probe probe = {plan, refine_look_at_theory, (void *)&map->look};
    size_t side = ((size_t)1 << plan->depth) + 1;
    uint32_t *point = malloc(side * side * sizeof *point);
    double *at = malloc(2 * side * sizeof *at), *value = malloc(side * sizeof *value);
    double unit = ldexp(1, r->bits - plan->depth);
    int64_t differ = 0;
    imp_refine_flatten(r, plan->depth, point);
    for (size_t i = 0; i < side; i++) {
        for (size_t j = 0; j < side; j++) {
            at[2 * j] = (double)i * unit;
            at[2 * j + 1] = (double)j * unit;
        }
        refine_values(&probe, side, at, value);
        for (size_t j = 0; j < side; j++) {
            const imp_refine_class *class =
                imp_refine_class_at(r, r->class_of[point[i * side + j]]);
            double found = class->outcome == IMP_SOLVED ? class->value[0] : -(double)class->outcome;
            if (found != value[j] && differ++ < most) {
                places[differ - 1][0] = (int)i;
                places[differ - 1][1] = (int)j;
            }
        }
    }
    free(value);
    free(at);
    free(point);
    return differ;
}

void random_map_print(const random_map *map, char *text, size_t size) {
    int n = snprintf(text, size, "%s %s", map->theory, map->choices);
    for (int i = 0; i < map->look.n_fixed; i++) {
        n += snprintf(text + n, size - (size_t)n, " %s=%.17g", map->look.fixed[i],
                      map->look.value[i]);
    }
    for (int a = 0; a < 2; a++) {
        n += snprintf(text + n, size - (size_t)n, " %s=%.17g:%.17g", map->look.axis[a],
                      map->from[a], map->to[a]);
    }
}
