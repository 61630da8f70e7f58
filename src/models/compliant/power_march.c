/* A phase of the laws of power 1.5 as it is integrated, and shown to an observer. */
#include "models/compliant/power_impl.h"

#include "num/bracket.h"
#include "num/lanes/width.h"

/* ---- points and their places in a block ---- */

/* They follow each other as the columns of points do. */
enum { NUMBERS = sizeof(point) / sizeof(double) };

void imp_compliant_power_get_point(const imp_compliant_power_points *points, int lane, point *p) {
    const double *from = (const double *)points + lane;
    double *to = (double *)p;
    for (int k = 0; k < NUMBERS; k++) {
        to[k] = from[k * IMP_MOST_LANES];
    }
}

void imp_compliant_power_put_point(const point *p, imp_compliant_power_points *points, int lane) {
    const double *from = (const double *)p;
    double *to = (double *)points + lane;
    for (int k = 0; k < NUMBERS; k++) {
        to[k * IMP_MOST_LANES] = from[k];
    }
}

/* ---- marches ---- */

IMP_EACH_WIDTH(imp_compliant_power_add, (imp_compliant_power_block * block), block->width, (block))
IMP_EACH_WIDTH(imp_compliant_power_round, (imp_compliant_power_block * block), block->width,
               (block))

static void enter_law(const springs *k, imp_compliant_power_block *b, int lane) {
    b->coupled = k->coupled;
    b->a[lane] = k->a;
    b->c[lane] = k->c;
    b->mu[lane] = k->mu;
    b->kappa[lane] = k->kappa;
    b->damping[lane] = k->damping;
    b->slip[lane] = k->slip;
    b->q[lane] = k->q;
    b->g[lane] = k->g;
}

/* A point of which only the elongations and velocities are known. */
static void enter_point(const state *now, imp_compliant_power_points *points, int lane) {
    double *to = (double *)points + lane;
    for (int k = 0; k < NUMBERS; k++) {
        to[k * IMP_MOST_LANES] = 0;
    }
    points->y[U][lane] = now->u;
    points->y[DELTA][lane] = now->delta;
    points->y[V_T][lane] = now->v_t;
    points->y[V_N][lane] = now->v_n;
}

/* The entry of an account for the losses of a phase. */
static double *loss_of(imp_compliant_account *account, int number) {
    int slip = number / 2 < IMP_COMPLIANT_SLIPS ? number / 2 : IMP_COMPLIANT_SLIPS - 1;
    return &account->slip_loss[slip];
}

static imp_compliant_peak_force peak_force_of(const imp_compliant_power_sums *sums, int which,
                                              int lane) {
    return (imp_compliant_peak_force){.size = sums->peak[which].size[lane],
                                      .time = sums->peak[which].time[lane]};
}

static void put_peak_force(imp_compliant_power_sums *sums, int which, int lane,
                           imp_compliant_peak_force top) {
    sums->peak[which].size[lane] = top.size;
    sums->peak[which].time[lane] = top.time;
}

static void load_sums(march *m) {
    imp_compliant_account *account = m->problem->account;
    imp_compliant_power_sums *sums = &m->block->sums;
    int lane = m->lane;
    if (!account) {
        return;
    }
    m->block->peaks[lane] = account->want_peaks;
    sums->time[lane] = account->time;
    sums->approach[lane] = account->work_t_approach;
    sums->rebound[lane] = account->work_t_rebound;
    sums->loss[lane] = *loss_of(account, m->number);
    put_peak_force(sums, NORMAL, lane, account->normal);
    put_peak_force(sums, TANGENTIAL, lane, account->tangential);
}

void imp_compliant_power_store_sums(const march *m) {
    imp_compliant_account *account = m->problem->account;
    const imp_compliant_power_sums *sums = &m->block->sums;
    int lane = m->lane;
    if (!account) {
        return;
    }
    account->time = sums->time[lane];
    account->work_t_approach = sums->approach[lane];
    account->work_t_rebound = sums->rebound[lane];
    if (m->k.slip != 0) {
        *loss_of(account, m->number) = sums->loss[lane];
        account->slips = (int)(loss_of(account, m->number) - account->slip_loss) + 1;
    }
    account->normal = peak_force_of(sums, NORMAL, lane);
    account->tangential = peak_force_of(sums, TANGENTIAL, lane);
}

void imp_compliant_power_note_force(march *m, int which, double force, double time) {
    imp_compliant_power_sums *sums = &m->block->sums;
    imp_compliant_peak_force top = peak_force_of(sums, which, m->lane);
    double since = time - m->block->start.y[TIME][m->lane];
    note_force(&top, force, sums->time[m->lane] + since, true);
    put_peak_force(sums, which, m->lane, top);
}

void imp_compliant_power_add_step(march *m) {
    imp_compliant_power_block *b = m->block;
    int lane = m->lane;
    imp_compliant_power_put_point(&m->end, &b->at, lane);
    b->came[lane] = ENDED;
    imp_compliant_power_add(b);
    b->came[lane] = STOPPED;
}

void imp_compliant_power_march_from(const contact *c, const state *now, double slip,
                                    const bool *touches, march *m) {
    imp_compliant_power_block *b = m->block;
    int lane = m->lane;
    springs *k = &m->k;
    m->problem = &c->problem;
    m->search.purpose = STEP;
    *k = c->k;
    k->slip = slip;
    k->q = 1 - k->mu * slip * k->c;
    k->g = k->constrained ? k->c * k->q : k->c - k->mu * slip * k->a;
    enter_law(k, b, lane);
    enter_point(now, &b->start, lane);
    bool soon = now->delta <= imp_compliant_power_least_delta && now->v_n < 0;
    b->time_step[lane] =
        (now->delta == 0 || soon ? 0.025 : 0.15) / sqrt(1 + k->a + k->mu * fabs(k->c));
    b->impulse[lane] = INFINITY;
    b->best[lane] = b->rest[lane] = b->apex[lane] = b->from[lane] = 0;
    b->tries[lane] = b->whole[lane] = b->begins[lane] = 1;
    b->shown[lane] = c->problem.observer != NULL;
    b->accounts[lane] = c->problem.account != NULL;
    b->touches[FIRST][lane] = touches[FIRST];
    b->touches[SECOND][lane] = touches[SECOND];
    m->number = (int)now->phases - 1;
    load_sums(m);
}

point imp_compliant_power_start_of(const march *m) {
    point start;
    imp_compliant_power_get_point(&m->block->start, m->lane, &start);
    start.h = start.work_t = start.loss = 0;
    start.peaks[NORMAL] = start.peaks[TANGENTIAL] = 0;
    return start;
}

/* ---- the step at hand as a piece of the contact ---- */

typedef struct step_path {
    double begins; /* since the march began */
    point last;
    imp_compliant_instant start, end;
    imp_compliant_power_block *alone; /* the step in all of its lanes, for further points */
} step_path;

static void copy_step(const march *m, const point *start, imp_compliant_power_block *to) {
    const imp_compliant_power_block *from = m->block;
    to->width = IMP_LEAST_LANES;
    for (int lane = 0; lane < to->width; lane++) {
        enter_law(&m->k, to, lane);
        imp_compliant_power_put_point(start, &to->start, lane);
        to->by_u[lane] = from->by_u[m->lane];
        to->by_delta[lane] = from->by_delta[m->lane];
        to->sense[lane] = from->sense[m->lane];
    }
}

static imp_compliant_instant instant_of(const imp_compliant_power_block *b, int lane) {
    imp_compliant_instant now;
    double *to = (double *)&now;
    for (int k = 0; k < IMP_COMPLIANT_POWER_INSTANT; k++) {
        to[k] = b->instant[k][lane];
    }
    return now;
}
_Static_assert(sizeof(imp_compliant_instant) == IMP_COMPLIANT_POWER_INSTANT * sizeof(double),
               "an instant has a column for each of its numbers");

static step_path path_of(const march *m, imp_compliant_power_block *alone) {
    point start = imp_compliant_power_start_of(m);
    copy_step(m, &start, alone);
    imp_compliant_power_put_point(&start, &alone->at, 0);
    imp_compliant_power_put_point(&m->end, &alone->at, 1);
    imp_compliant_power_find_instant(alone);
    return (step_path){.begins = start.y[TIME],
                       .last = m->end,
                       .start = instant_of(alone, 0),
                       .end = instant_of(alone, 1),
                       .alone = alone};
}

/* Goes to the point of the step at a time before its end. */
static void go_to_time(const step_path *path, double time) {
    enum { MOST = 60 };
    imp_compliant_power_points *at = &path->alone->at;
    imp_bracket b = {.low = 0, .high = path->last.h};
    imp_compliant_power_put_point(&path->last, at, 0);
    for (int i = 0; i < MOST; i++) {
        double late = at->y[TIME][0] - time;
        if (fabs(late) <= 1e-15 * (1 + time)) {
            break;
        }
        imp_bracket_cut(&b, at->h[0], !(late > 0));
        at->h[0] = imp_bracket_next(&b, at->h[0] - late / at->pace[0]);
        imp_compliant_power_go_to(path->alone);
    }
}

static imp_compliant_instant step_at(const imp_compliant_piece *piece, double time) {
    const step_path *path = piece->motion;
    bool ends = path->begins + time >= path->last.y[TIME];
    imp_compliant_instant now = time <= 0 ? path->start : path->end;
    if (time > 0 && !ends) {
        go_to_time(path, path->begins + time);
        imp_compliant_power_find_instant(path->alone);
        now = instant_of(path->alone, 0);
    }
    now.time = time;
    return now;
}

void imp_compliant_power_show(const march *m) {
    imp_compliant_power_block alone = {.width = 0};
    step_path path = path_of(m, &alone);
    imp_compliant_piece piece = {
        .phase = m->k.slip == 0  ? IMP_STICK
                 : m->k.slip < 0 ? IMP_SLIP_BACK
                                 : IMP_SLIP_FORTH,
        .number = m->number,
        .duration = m->end.y[TIME] - path.begins,
        .motion = &path,
    };
    observe_piece(m->problem, &piece, step_at);
}

void imp_compliant_power_note_turn(march *m, const point *turn, state *now) {
    const double *y = turn->y, before = now->greatest.delta;
    imp_compliant_power_sums *sums = &m->block->sums;
    note_turn(now,
              &(peak){.delta = y[DELTA],
                      .p_n = now->p_n + y[P_N],
                      .time = now->time + y[TIME],
                      .work = now->work + y[WORK]},
              true);
    if (!m->problem->account) {
        return;
    }
    if (now->greatest.delta > before) {
        split_work(&sums->approach[m->lane], &sums->rebound[m->lane], turn->work_t, true);
    }
    imp_compliant_power_note_force(m, NORMAL, turn->force[NORMAL], y[TIME]);
    imp_compliant_power_note_force(m, TANGENTIAL, turn->force[TANGENTIAL], y[TIME]);
}

void imp_compliant_power_take_over(contact *c) {
    state *now = &c->now;
    double y[IMP_RK_SIZE];
    for (int k = 0; k < IMP_RK_SIZE; k++) {
        y[k] = c->march.block->start.y[k][c->march.lane];
    }
    c->damped += energy(now->delta) - energy(positive(y[DELTA])) - y[WORK];
    now->v_t = y[V_T];
    now->v_n = y[V_N];
    now->delta = positive(y[DELTA]);
    now->p_t += y[P_T];
    now->p_n += y[P_N];
    now->work += y[WORK];
    now->time += y[TIME];
}
