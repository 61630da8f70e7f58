/* The feed of a refined map: one refinement after another, each in rounds. Points that the file has
 * already (known points) are told at once, so that a resumed run asks for the same points as one
 * that never stopped. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "refine/generator.h"
#include "sched/feed.h"
#include "sched/pointwise.h"
#include "solve/block.h"
#include "store/points.h"

/* Refinements at values between those of the event axis, by which events are told more sharply.
 * Rank 0 makes them alone, with nothing but its own memory: their points are in no file, and a run
 * that is resumed makes them again. */
typedef struct between {
    imp_sweep sweep; /* that of the run, but for the values of the event axis */
    imp_pointwise points;
    double *values; /* of the columns of the event axis, one after the other */
    int64_t stride; /* outer cells from one of its values to the next */
    imp_axis *axis;
} between;

typedef struct rounds {
    imp_feed feed; /* the first member */
    const imp_sweep *sweep;
    imp_map *map;
    int ranks;
    imp_known known;
    imp_key_set places;  /* of known points: key, then cell; the number is an index of rows */
    int64_t *rows;       /* of known points */
    uint8_t *taken;      /* by row of the file at its opening: has a known point */
    int64_t next_row;    /* no earlier row is free */
    int64_t cell, cells; /* outer cells: the one under refinement, and their number */
    imp_refinement *refinement;
    imp_layout layout;
    int rule_parts[IMP_MAX_RULES]; /* of a block */
    /* The row of every point that was asked for, in order. */
    int64_t *order, n_order, room, first_of_cell;
    /* The unknown points of this round, by row from first_row on. */
    imp_point *points;
    int64_t *numbers; /* of points in the refinement; -1: the row has another point */
    int64_t first_row, n_rows;
    imp_findings findings;
    between between; /* zeros: events are not told more sharply */
} rounds;

/* ---- known points ---- */

static void key_of(const rounds *r, const imp_point *point, uint32_t key[IMP_REFINE_AXES + 1]) {
    int axes = r->sweep->refine.lattice.n_axes;
    memcpy(key, point->key, (size_t)axes * sizeof *key);
    key[axes] = (uint32_t)point->cell;
}

static imp_err look(rounds *r) {
    imp_err error = imp_map_read_points(r->map, &r->known);
    r->rows = calloc((size_t)r->known.marked + 1, sizeof *r->rows);
    r->taken = calloc((size_t)r->known.rows + 1, 1);
    if (!error && (!r->rows || !r->taken)) {
        error = imp_out_of_memory();
    }
    for (int64_t row = 0; !error && row < r->known.rows; row++) {
        uint32_t key[IMP_REFINE_AXES + 1];
        if (r->known.outcomes[row] == IMP_PENDING) {
            continue;
        }
        key_of(r, &r->known.points[row], key);
        uint32_t number = imp_key_set_add(&r->places, key);
        if (number == IMP_KEY_NONE) {
            error = imp_out_of_memory();
        } else {
            r->rows[number] = row;
            r->taken[row] = 1;
        }
    }
    return error;
}

/* The row of a known point; -1 if the point is unknown. */
static int64_t find(const rounds *r, const imp_point *point) {
    uint32_t key[IMP_REFINE_AXES + 1];
    key_of(r, point, key);
    uint32_t number = imp_key_set_find(&r->places, key);
    return number == IMP_KEY_NONE ? -1 : r->rows[number];
}

static int64_t next_free(rounds *r) {
    while (r->next_row < r->known.rows && r->taken[r->next_row]) {
        r->next_row++;
    }
    return r->next_row++;
}

/* ---- a round ---- */

static imp_err tell_known(rounds *r, int64_t row, int64_t number, imp_tally *tally) {
    const imp_known *k = &r->known;
    imp_tally_count(tally, 1, &k->outcomes[row], &k->modes[row]);
    tally->done_before++;
    return imp_refine_tell(r->refinement, number, 1, &k->outcomes[row],
                           &k->values[row * r->sweep->refine.n_rules]);
}

static imp_err note_row(rounds *r, int64_t row) {
    if (r->n_order == r->room) {
        int64_t room = r->room ? r->room + r->room / 2 : 1024;
        int64_t *more = realloc(r->order, (size_t)room * sizeof *more);
        if (!more) {
            return imp_out_of_memory();
        }
        r->order = more;
        r->room = room;
    }
    r->order[r->n_order++] = row;
    return IMP_OK;
}

/* Gives an unknown point a row. */
static void add_point(rounds *r, const imp_point *point, int64_t row, int64_t number) {
    r->first_row = r->n_rows == 0 ? row : r->first_row;
    for (; r->n_rows < row - r->first_row; r->n_rows++) {
        r->numbers[r->n_rows] = -1;
    }
    r->points[r->n_rows] = *point;
    r->numbers[r->n_rows++] = number;
}

/* Makes room for a round's points in the worst case, in which all known rows are between theirs. */
static imp_err make_room(rounds *r, size_t n) {
    size_t most = n + (r->next_row < r->known.rows ? (size_t)(r->known.rows - r->next_row) : 0);
    free(r->points);
    free(r->numbers);
    r->points = malloc((most + 1) * sizeof *r->points);
    r->numbers = malloc((most + 1) * sizeof *r->numbers);
    r->n_rows = 0;
    return r->points && r->numbers ? IMP_OK : imp_out_of_memory();
}

/* Tells the refinement the known points of a round, and gives the others rows. */
static imp_err sort_round(rounds *r, const imp_refine_round *round, imp_tally *tally) {
    int axes = r->sweep->refine.lattice.n_axes;
    imp_err error = make_room(r, round->n);
    for (size_t i = 0; !error && i < round->n; i++) {
        imp_point point = {.cell = r->cell};
        memcpy(point.key, round->keys + i * (size_t)axes, (size_t)axes * sizeof *point.key);
        int64_t known = find(r, &point), row = known >= 0 ? known : next_free(r);
        error = note_row(r, row);
        if (!error && known >= 0) {
            error = tell_known(r, row, round->first + (int64_t)i, tally);
        } else if (!error) {
            add_point(r, &point, row, round->first + (int64_t)i);
        }
    }
    tally->cells = r->n_order;
    return error;
}

/* Writes the places of the points, and adds their rows to the ledger, consecutive ones together. */
static imp_err hand_out(rounds *r, imp_ledger *ledger) {
    imp_err error = IMP_OK;
    int64_t needed = r->first_row + r->n_rows;
    if (r->n_rows > 0 && needed > imp_map_rows(r->map)) {
        error = imp_map_grow(r->map, needed);
    }
    for (int64_t i = 0; !error && i < r->n_rows;) {
        int64_t end = i;
        while (end < r->n_rows && r->numbers[end] >= 0) {
            end++;
        }
        error = imp_map_place(r->map, r->first_row + i, (size_t)(end - i), r->points + i);
        error = error ? error : imp_ledger_add(ledger, (imp_interval){r->first_row + i, end - i});
        for (i = end; i < r->n_rows && r->numbers[i] < 0;) {
            i++;
        }
    }
    return error;
}

/* Ranks wait for the end of a round, so its chunks are small. */
static void limit_chunks(const rounds *r, imp_ledger *ledger) {
    int64_t fair = imp_ledger_left(ledger) / (4 * (int64_t)r->ranks);
    imp_ledger_limit(ledger, fair < 1 ? 1 : fair < IMP_POINTS_AT_ONCE ? fair : IMP_POINTS_AT_ONCE);
}

/* ---- values between those of an axis ---- */

static void close_between(between *w) {
    imp_pointwise_close(&w->points);
    free(w->values);
}

/* Columns of the event axis that can be changed. */
static imp_err own_values(between *w) {
    size_t size = (size_t)w->axis->size, columns = (size_t)w->axis->n_columns;
    w->values = malloc(columns * size * sizeof *w->values);
    for (size_t c = 0; w->values && c < columns; c++) {
        double *own = w->values + c * size;
        memcpy(own, w->axis->columns[c].values, size * sizeof *own);
        w->axis->columns[c].values = own;
    }
    return w->values ? IMP_OK : imp_out_of_memory();
}

static imp_err open_between(const imp_sweep *sweep, between *w) {
    int a = imp_sweep_event_axis(sweep);
    w->sweep = *sweep;
    w->axis = &w->sweep.grid.axes[a];
    w->stride = imp_sweep_outer_stride(sweep, a);
    imp_err error = own_values(w);
    return error ? error : imp_pointwise_open(&w->sweep, &w->points);
}

/* Sets the value of the event axis at one of its places, and what follows from it. */
static void set(between *w, int64_t at, double value) {
    double values[IMP_MAX_COLUMNS] = {value};
    imp_sweep_follow_axis(&w->sweep, (int)(w->axis - w->sweep.grid.axes), values);
    for (int c = 0; c < w->axis->n_columns; c++) {
        w->axis->columns[c].values[at] = values[c];
    }
}

static bool is_stopping(const void *context) {
    return imp_map_stopping(context);
}

/* The callback of imp_between; context: the rounds. */
static imp_err refine_between(void *context, int64_t cell, double value,
                              imp_refinement **refinement) {
    rounds *r = context;
    between *w = &r->between;
    imp_refine_plan plan = w->sweep.refine;
    imp_refine_round round = {.n = 1};
    plan.audit = 0; /* only the flat grid is looked at */
    plan.boundary = 0;
    set(w, cell / w->stride % w->axis->size, value);
    imp_err error = imp_refine_open(&plan, refinement);
    while (!error && round.n > 0) {
        error = imp_refine_next(*refinement, &round);
        error =
            error ? error
                  : imp_pointwise_solve(&w->points, cell, &round, is_stopping, r->map, *refinement);
    }
    return error;
}

/* ---- one refinement after another ---- */

static imp_err end_refinement(rounds *r) {
    imp_err error = imp_findings_add(&r->findings, r->cell, r->refinement, r->first_of_cell);
    imp_refine_close(&r->refinement);
    r->cell++;
    r->first_of_cell = r->n_order;
    return error;
}

static imp_err next_round(rounds *r, imp_ledger *ledger, imp_tally *tally) {
    imp_refine_round round;
    imp_err error = IMP_OK;
    if (!r->refinement) {
        error = imp_refine_open(&r->sweep->refine, &r->refinement);
    }
    error = error ? error : imp_refine_next(r->refinement, &round);
    if (error || round.n == 0) {
        return error ? error : end_refinement(r);
    }
    error = sort_round(r, &round, tally);
    error = error ? error : hand_out(r, ledger);
    limit_chunks(r, ledger);
    return error;
}

static imp_err fill(imp_feed *feed, imp_ledger *ledger, imp_tally *tally) {
    rounds *r = (rounds *)feed;
    imp_err error = IMP_OK;
    while (!error && r->cell < r->cells && imp_ledger_left(ledger) == 0) {
        error = next_round(r, ledger, tally);
    }
    if (!error && r->cell == r->cells && !feed->finished) {
        error = imp_map_conclude(r->map, r->n_order, r->order, &r->findings);
        feed->finished = !error;
    }
    return error;
}

static const imp_point *points(const imp_feed *feed, int64_t first) {
    const rounds *r = (const rounds *)feed;
    assert(first >= r->first_row && first < r->first_row + r->n_rows);
    return &r->points[first - r->first_row];
}

static imp_err take(imp_feed *feed, int64_t first, size_t n, const void *block) {
    rounds *r = (rounds *)feed;
    const uint8_t *outcomes = imp_block_outcomes(&r->layout, n, block);
    imp_err error = IMP_OK;
    for (size_t i = 0; !error && i < n; i++) {
        double values[IMP_MAX_RULES];
        for (int k = 0; k < r->sweep->refine.n_rules; k++) {
            values[k] = imp_block_judged(r->sweep, &r->layout, k, r->rule_parts[k], n, block, i);
        }
        int64_t number = r->numbers[first + (int64_t)i - r->first_row];
        assert(number >= 0);
        error = imp_refine_tell(r->refinement, number, 1, &outcomes[i], values);
    }
    return error;
}

static void close(imp_feed *feed) {
    rounds *r = (rounds *)feed;
    imp_refine_close(&r->refinement);
    imp_findings_close(&r->findings);
    close_between(&r->between);
    imp_known_free(&r->known);
    imp_key_set_free(&r->places);
    free(r->rows);
    free(r->taken);
    free(r->order);
    free(r->points);
    free(r->numbers);
    free(r);
}

static imp_err open_findings(rounds *r) {
    imp_err error = imp_findings_open(r->sweep, &r->findings);
    if (!error && r->sweep->refine.tolerance > 0) {
        error = open_between(r->sweep, &r->between);
        r->findings.between = (imp_between){refine_between, r};
    }
    return error;
}

imp_err imp_rounds_open(const imp_sweep *sweep, imp_map *map, int ranks, imp_feed **feed) {
    rounds *r = calloc(1, sizeof *r);
    *feed = r ? &r->feed : NULL;
    if (!r) {
        return imp_out_of_memory();
    }
    r->feed = (imp_feed){.fill = fill, .points = points, .take = take, .close = close};
    r->sweep = sweep;
    r->map = map;
    r->ranks = ranks;
    r->places = imp_key_set_of(sweep->refine.lattice.n_axes + 1);
    r->cells = imp_sweep_outer_cells(sweep);
    r->layout = imp_layout_of(sweep);
    for (int k = 0; k < sweep->refine.n_rules; k++) {
        r->rule_parts[k] = imp_sweep_rule_position(sweep, k);
    }
    imp_err error = open_findings(r);
    return error ? error : look(r);
}
