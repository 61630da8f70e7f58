/* Answers in any order, and a refinement that goes on from another one. */
#include <stdlib.h>
#include <string.h>

#include "refine/generator_impl.h"
#include "support/labels.h"
#include "support/random.h"
#include "support/suite.h"

static void same_points(const char *what, const imp_refinement *one, const imp_refinement *other) {
    imp_refine_statistics s = imp_refine_statistics_of(one), t = imp_refine_statistics_of(other);
    int64_t n = s.points + s.audit_points, axes = one->plan.lattice.n_axes;
    bool same = n == t.points + t.audit_points;
    for (int64_t i = 0; same && i < n; i++) {
        same = memcmp(imp_refine_key(one, i), imp_refine_key(other, i),
                      (size_t)axes * sizeof(uint32_t)) == 0 &&
               one->class_of[i] == other->class_of[i];
    }
    CHECK(same, "%s: other points, or in another order", what);
}

/* 0 .. n-1 in a random order; the caller frees. */
static size_t *shuffled(random_source *random, size_t n) {
    size_t *order = malloc(n * sizeof *order);
    for (size_t i = 0; i < n; i++) {
        size_t k = (size_t)random_index(random, (int)i + 1);
        order[i] = order[k];
        order[k] = i;
    }
    return order;
}

/* Tells the value of a point of the round, the first one twice. */
static void tell_point(imp_refinement *r, const imp_refine_plan *plan,
                       const imp_refine_round *round, size_t number, bool twice) {
    const uint32_t *key = round->keys + number * 2;
    double x[2] = {imp_lattice_value(&plan->lattice, 0, key[0]),
                   imp_lattice_value(&plan->lattice, 1, key[1])};
    double value = label_triple(x);
    uint8_t outcome = IMP_SOLVED;
    int64_t point = round->first + (int64_t)number;
    if (twice) {
        imp_refine_round early;
        CHECK(imp_refine_next(r, &early) == IMP_ERR_INPUT, "next before the round is told");
        imp_refine_tell(r, point, 1, &outcome, &value);
    }
    CHECK(imp_refine_tell(r, point, 1, &outcome, &value) == IMP_OK, "%s", imp_last_error());
}

/* Answers come one by one, in any order and more than once. */
static void any_order(void) {
    imp_refine_plan plan = refine_plan(2, 5, 9, 1e-4);
    plan.audit = 100;
    label_at at = label_triple;
    imp_refinement *whole = refine_run(&plan, label_look, &at, NULL, NULL), *r;
    imp_refine_round round;
    random_source random = {11};
    imp_refine_open(&plan, &r);
    while (imp_refine_next(r, &round) == IMP_OK && round.n > 0) {
        size_t *order = shuffled(&random, round.n);
        for (size_t i = 0; i < round.n; i++) {
            tell_point(r, &plan, &round, order[i], i == 0 && round.n > 1);
        }
        uint8_t outcome = IMP_SOLVED;
        double value = 0;
        CHECK(imp_refine_tell(r, round.first + (int64_t)round.n, 1, &outcome, &value) ==
                  IMP_ERR_INPUT,
              "a point of no round");
        free(order);
    }
    same_points("any order", whole, r);
    imp_refine_close(&whole);
    imp_refine_close(&r);
}

/* With a deeper depth and a smaller boundary all known points are used again, and the result is
 * that of a run that asked for both at once. */
static void goes_on(void) {
    imp_refine_plan plan = refine_plan(2, 5, 8, 1e-3), deeper = refine_plan(2, 5, 10, 1e-4);
    label_at at = label_triple;
    int64_t asked, fresh, again;
    imp_refinement *first = refine_run(&plan, label_look, &at, NULL, &asked);
    imp_refinement *second = refine_run(&deeper, label_look, &at, first, &fresh);
    imp_refinement *once = refine_run(&deeper, label_look, &at, NULL, NULL);
    same_points("deeper", second, once);
    imp_refine_statistics s = imp_refine_statistics_of(second);
    CHECK(fresh < s.points && fresh >= s.points - asked, "%lld fresh of %lld", (long long)fresh,
          (long long)s.points);
    imp_refinement *third = refine_run(&deeper, label_look, &at, second, &again);
    CHECK(again == 0, "%lld points are asked for that were known", (long long)again);
    imp_refine_plan cells = refine_plan(2, 5, 8, 0), deep_cells = refine_plan(2, 5, 10, 0);
    imp_refinement *flat = refine_run(&cells, label_look, &at, NULL, &asked);
    imp_refinement *flatter = refine_run(&deep_cells, label_look, &at, flat, &fresh);
    s = imp_refine_statistics_of(flatter);
    CHECK(fresh == s.points - asked, "cells: %lld fresh of %lld, %lld known", (long long)fresh,
          (long long)s.points, (long long)asked);
    for (int i = 0; i < 6; i++) {
        imp_refinement *all[] = {first, second, once, third, flat, flatter};
        imp_refine_close(&all[i]);
    }
}

SUITE("refine_order", any_order, goes_on)
