/* The cells in which two maps differ as a table: CSV with the values of both. */
#include <inttypes.h>
#include <stdio.h>

#include "cmd/cmd.h"
#include "cmd/differences.h"
#include "cmd/table.h"
#include "cmd/value.h"
#include "cmd/writers.h"

typedef struct table {
    const imp_diff *diff;
    FILE *to;
    bool begun;
} table;

/* Whether value k of the cells of a variable is printed in degrees. */
static bool in_degrees(const table *t, int side, const imp_variable *v, int64_t k) {
    return t->diff->degrees && imp_is_angle(t->diff->pair->catalog[side], v, k);
}

/* The coordinates along a common axis: in the first map that has the axis. */
static int side_of(const imp_common_axis *axis) {
    return axis->axis[0] >= 0 ? 0 : 1;
}

static bool is_along(const imp_pair *pair, const imp_common_axis *axis, const imp_variable *v) {
    int side = side_of(axis);
    return (v->role == IMP_IS_AXIS || v->role == IMP_IS_COLUMN) &&
           imp_catalog_axis(pair->catalog[side], v) == axis->axis[side];
}

static void print_head(const table *t, const imp_differences *all) {
    const imp_pair *pair = t->diff->pair;
    for (int a = 0; a < pair->n_axes; a++) {
        const imp_catalog *catalog = pair->catalog[side_of(&pair->axes[a])];
        for (const imp_variable *v = NULL; (v = imp_catalog_next(catalog, v)) != NULL;) {
            if (is_along(pair, &pair->axes[a], v)) {
                bool angle = in_degrees(t, side_of(&pair->axes[a]), v, 0);
                fprintf(t->to, "%s%s,", v->name, angle ? " [deg]" : "");
            }
        }
    }
    for (int o = 0; o < all->n; o++) {
        const imp_difference *d = &all->of[o];
        for (int64_t k = 0; k < d->length; k++) {
            char number[24] = "";
            if (d->length > 1) {
                snprintf(number, sizeof number, "_%" PRId64, k + 1);
            }
            for (int side = 1; side <= 2; side++) {
                fprintf(t->to, "%s%s_%d%s%s", d->variable[0]->name, number, side,
                        in_degrees(t, side - 1, d->variable[side - 1], k) ? " [deg]" : "",
                        o == all->n - 1 && k == d->length - 1 && side == 2 ? "\n" : ",");
            }
        }
    }
}

static void print_place(const table *t, int64_t cell) {
    const imp_pair *pair = t->diff->pair;
    for (int a = 0; a < pair->n_axes; a++) {
        const imp_common_axis *axis = &pair->axes[a];
        const imp_catalog *catalog = pair->catalog[side_of(axis)];
        int64_t place = imp_pair_place(pair, a, side_of(axis), cell);
        for (const imp_variable *v = NULL; (v = imp_catalog_next(catalog, v)) != NULL;) {
            double value;
            if (is_along(pair, axis, v) &&
                imp_catalog_read(catalog, v, place, 1, &value) == IMP_OK) {
                imp_table_print_value(t->to, v, value, in_degrees(t, side_of(axis), v, 0));
                fputc(',', t->to);
            }
        }
    }
}

static void print_row(const table *t, const imp_differences *all, const imp_compared *some,
                      int64_t i) {
    const double *at[2] = {some->values[0], some->values[1]};
    print_place(t, some->first + i);
    for (int o = 0; o < all->n; o++) {
        const imp_difference *d = &all->of[o];
        for (int64_t k = 0; k < d->length; k++) {
            for (int side = 0; side < 2; side++) {
                imp_table_print_value(t->to, d->variable[side], at[side][i * d->length + k],
                                      in_degrees(t, side, d->variable[side], k));
                fputc(o == all->n - 1 && k == d->length - 1 && side == 1 ? '\n' : ',', t->to);
            }
        }
        at[0] += some->n * d->length;
        at[1] += some->n * d->length;
    }
}

static imp_err print_rows(void *to, const imp_differences *all, const imp_compared *some) {
    table *t = to;
    if (!t->begun) {
        print_head(t, all);
        t->begun = true;
    }
    for (int64_t i = 0; i < some->n; i++) {
        if (some->differs[i]) {
            print_row(t, all, some, i);
        }
    }
    return imp_wrote("table", t->to);
}

imp_err imp_diff_print(const void *diff, FILE *to) {
    static imp_differences found; /* too large for a stack */
    const imp_diff *d = diff;
    table t = {.diff = d, .to = to, .begun = false};
    return imp_differences_find(d->pair, d->fields, d->tolerance, print_rows, &t, &found);
}
