#include "models/bounce/state.h"

#include <string.h>

#include "base/first.h"
#include "models/bounce/watch.h"
#include "models/theory.h"

static const imp_output columns[] = {
#define COLUMN(code, value, ...) __VA_ARGS__,
#include "models/bounce/columns.def"
};

static const imp_mode phases[] = {
    {IMP_BOUNCE_FLIGHT, "flight", "no point stays on the plane"},
    {IMP_BOUNCE_STICK, "stick", "one point stays on the plane without slip"},
    {IMP_BOUNCE_SLIP, "slip", "one point slides on the plane"},
    {IMP_BOUNCE_FLAT, "flat", "the body lies on two points"},
};

static const imp_mode events[] = {
    {IMP_BOUNCE_IMPACT, "impact", "a counted impact of a point; velocities are those afterwards"},
    {IMP_BOUNCE_STICKS, "sticks", "from now on one point stays on the plane without slip"},
    {IMP_BOUNCE_SLIPS, "slips", "from now on one point slides on the plane"},
    {IMP_BOUNCE_LIFTS_OFF, "lifts_off", "no force keeps the point on the plane any more"},
    {IMP_BOUNCE_LIES_FLAT, "lies_flat", "two points are on the plane, and stay there"},
    {IMP_BOUNCE_ENDS, "ends", "the body is at rest, or moves on in one way for ever"},
};

const imp_history imp_bounce_history = IMP_HISTORY_OF(columns, phases, events);

typedef struct record {
    imp_observer observer;
    imp_sampler sampler;
} record;
IMP_FIRST(record, observer);

/* Gaps of the points by number; see columns.def. */
static void gaps_of(const imp_bounce_cell *c, double *gap) {
    for (int k = 0; k < IMP_BOUNCE_POINTS; k++) {
        gap[k] = imp_bounce_height(c);
    }
    for (int j = 0; j < c->p.body.n; j++) {
        gap[c->p.body.number[j] - 1] = imp_bounce_gap(c, j);
    }
}

/* Records a row, if all of it is finite. */
static void put_row(const record *r, const imp_bounce_shown *shown, double time, int phase,
                    int event) {
    const imp_bounce_cell *c = shown->cell;
    const imp_bounce_motion *m = &c->m;
    double mass = c->p.body.mass, gap[IMP_BOUNCE_POINTS], sum = 0;
    gaps_of(c, gap);
    const double row[] = {
#define COLUMN(code, value, ...) value,
#include "models/bounce/columns.def"
    };
    for (int k = 0; k < IMP_COUNT(columns); k++) {
        sum += row[k] - row[k];
    }
    if (sum == 0) {
        r->sampler.recorder->record(r->sampler.recorder, row, phase, event);
    }
}

static void see_piece(imp_observer *observer, const void *shown) {
    record *r = (record *)observer;
    const imp_bounce_piece *piece = shown;
    double end = piece->start + piece->duration;
    for (; imp_sampler_next(&r->sampler) < end; r->sampler.next++) {
        double time = imp_sampler_next(&r->sampler), within = time - piece->start;
        imp_bounce_cell now = *piece->cell;
        piece->at(piece, within > 0 ? within : 0, &now);
        put_row(r, &(imp_bounce_shown){.cell = &now}, time, piece->phase, 0);
    }
}

static void see_event(imp_observer *observer, int event, int phase, const void *state) {
    const imp_bounce_shown *shown = state;
    put_row((record *)observer, shown, shown->cell->m.time, phase, event);
}

imp_outcome imp_bounce_record(imp_bounce_problem problem, imp_recorder *recorder) {
    imp_bounce_cell c;
    imp_bounce_run(&problem, &c); /* to know how long it takes */
    record r = {{.see_piece = see_piece, .see_event = see_event},
                imp_sampler_open(recorder, c.m.time)};
    problem.observer = &r.observer;
    imp_bounce_run(&problem, &c);
    for (; c.outcome == IMP_SOLVED && imp_sampler_remains(&r.sampler); r.sampler.next++) {
        put_row(&r, &(imp_bounce_shown){.cell = &c}, c.m.time, 0, 0);
    }
    return c.outcome;
}
