/* {param: angle, from: 1 deg, to: 89 deg, points: 881, spacing: log} */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "config/axis_impl.h"

/* The quantity is NaN if it is unreadable. */
static bool read_end(imp_axis_reader *r, int field, imp_quantity *quantity, imp_mark *mark) {
    const yaml_node_t *node = r->field[field].value;
    const char *text = node ? imp_document_number(r->document, node, r->field[field].name) : NULL;
    if (!text || !imp_draft_number(r->draft, r->named.parameter,
                                   imp_document_place(r->document, node), text, quantity)) {
        *quantity = (imp_quantity){NAN, IMP_UNIT_NONE};
        return false;
    }
    *mark = imp_axis_mark(node);
    return true;
}

const char *const imp_spacings[2] = {"linear", "log"};

static void read_spacing(imp_axis_reader *r, bool *logarithmic) {
    *logarithmic =
        imp_field_choice(r->document, &r->field[IMP_AXIS_SPACING], "spacing", imp_spacings, 2) == 1;
}

/* The error in the number of points between two ends, or NULL. */
static const char *wrong_points(double from, double to, int64_t points) {
    if (points == 1 && from != to) {
        return "points is 1, but from and to differ; one point needs from = to";
    }
    if (points > 1 && from == to) {
        return "from and to are equal, and a coordinate must not repeat; points must be 1";
    }
    return NULL;
}

/* Reports two ends that do not go with logarithmic spacing. */
static void check_spacing(imp_draft *draft, const imp_origin *origin, imp_place place) {
    double from = imp_quantity_si(origin->from), to = imp_quantity_si(origin->to);
    bool apart = from == 0 || to == 0 || (from > 0) != (to > 0);
    if (origin->logarithmic && (apart || !isfinite(to / from) || to / from == 0)) {
        imp_draft_error(draft, place, "%s",
                        apart ? "spacing log needs from and to of the same sign and not 0"
                              : "from and to are too far apart for spacing log");
    }
}

void imp_range_take(imp_draft *draft, imp_axis *axis, const imp_origin *origin, int64_t points,
                    imp_place points_place, imp_place spacing_place) {
    double from = imp_quantity_si(origin->from), to = imp_quantity_si(origin->to);
    const char *wrong = wrong_points(from, to, points);
    if (wrong) {
        imp_draft_error(draft, points_place, "%s", wrong);
    }
    check_spacing(draft, origin, spacing_place);
    axis->size = points;
    axis->spacing = imp_spacings[origin->logarithmic];
}

static bool strictly_monotonic(const double *values, int64_t n, bool rising) {
    for (int64_t i = 1; i < n; i++) {
        if (!(rising ? values[i] > values[i - 1] : values[i] < values[i - 1])) {
            return false;
        }
    }
    return true;
}

/* An axis is laid out in degrees if both ends are in degrees, so that 30 deg on it has the bits of
 * 30 deg. */
void imp_range_lay_out(imp_draft *draft, imp_axis *axis, const imp_origin *origin) {
    imp_column *column = &axis->columns[0];
    bool degrees = origin->from.unit == IMP_UNIT_DEGREE && origin->to.unit == IMP_UNIT_DEGREE;
    double from = degrees ? origin->from.value : imp_quantity_si(origin->from);
    double to = degrees ? origin->to.value : imp_quantity_si(origin->to);
    column->values = malloc((size_t)axis->size * sizeof *column->values);
    if (!column->values) {
        imp_report_memory(draft->report);
        return;
    }
    imp_spaced_values(from, to, axis->size, origin->logarithmic, column->values);
    for (int64_t i = 0; degrees && i < axis->size; i++) {
        column->values[i] = imp_quantity_si((imp_quantity){column->values[i], IMP_UNIT_DEGREE});
    }
    if (!strictly_monotonic(column->values, axis->size, to > from)) {
        imp_draft_error(draft, imp_origin_place(origin, origin->points_mark),
                        "%lld points of '%s' are too close to differ in a double; take fewer "
                        "points or a wider range",
                        (long long)axis->size, column->name);
    }
}

void imp_range_refine(imp_draft *draft, imp_axis *axis, const imp_origin *origin,
                      imp_place ends_place, imp_place spacing_place) {
    double from = imp_quantity_si(origin->from), to = imp_quantity_si(origin->to);
    if (from == to) {
        imp_draft_error(draft, ends_place,
                        "from and to are equal, a range to refine needs two different ends");
    }
    check_spacing(draft, origin, spacing_place);
    axis->size = 2;
    axis->refined = true;
    axis->spacing = imp_spacings[origin->logarithmic];
}

static bool read_range(imp_axis_reader *r) {
    imp_origin *origin = imp_draft_next_origins(r->draft);
    origin->lay_out = imp_range_lay_out;
    int64_t points = 0;
    bool refined = r->draft->refining && !r->field[IMP_AXIS_POINTS].given;
    bool sized = refined || imp_axis_read_points(r, IMP_MOST_POINTS, &points);
    read_spacing(r, &origin->logarithmic);
    bool from = read_end(r, IMP_AXIS_FROM, &origin->from, &origin->from_mark);
    bool to = read_end(r, IMP_AXIS_TO, &origin->to, &origin->to_mark);
    const yaml_node_t *spacing = r->field[IMP_AXIS_SPACING].value;
    if (refined && from && to) {
        imp_place place = imp_document_place(r->document, r->field[IMP_AXIS_TO].value);
        imp_range_refine(r->draft, r->axis, origin, place,
                         spacing ? imp_document_place(r->document, spacing) : place);
        origin->points_mark = origin->from_mark;
    } else if (sized && from && to) {
        imp_place place = imp_document_place(r->document, r->field[IMP_AXIS_POINTS].value);
        imp_range_take(r->draft, r->axis, origin, points, place,
                       spacing ? imp_document_place(r->document, spacing) : place);
        origin->points_mark = imp_axis_mark(r->field[IMP_AXIS_POINTS].value);
    }
    return true;
}

const imp_axis_kind imp_axis_range = {
    .called = "'param'",
    .key = IMP_AXIS_PARAM,
    .allowed = IMP_AXIS_BIT(SPACING),
    .needed = IMP_AXIS_BIT(PARAM) | IMP_AXIS_BIT(FROM) | IMP_AXIS_BIT(TO) | IMP_AXIS_BIT(POINTS),
    .one_column = true,
    .refinable = true,
    .read = read_range,
};
