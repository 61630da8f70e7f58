/* Linear springs, and springs with dashpots: the same bits for one cell alone and for every width
 * of registers, number of cells and place in a block. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "models/compliant/block.h"
#include "num/lanes/width.h"
#include "support/random.h"
#include "support/suite.h"

typedef void solve_block(imp_compliant_block *block, size_t n, const imp_compliant_order *order);
#define DECLARE(lanes) solve_block imp_compliant_linear_solve_block_##lanes;
IMP_WIDTHS(DECLARE)

/* Now and then constrained, without friction, or with loss of energy in the normal spring. */
static void draw(imp_compliant_block *b, size_t at, random_source *source) {
    double a = random_log(source, 0.01, 100), lean = random_between(source, -0.999, 0.999);
    double kind = random_between(source, 0, 1);
    bool constrained = kind > 0.1 && kind < 0.4;
    b->problem.c[at] = lean * sqrt(a);
    b->problem.a[at] = constrained ? b->problem.c[at] * b->problem.c[at] : a;
    b->problem.determinant[at] = constrained ? 0 : a * (1 - lean) * (1 + lean);
    b->problem.constrained[at] = constrained;
    b->problem.v_t[at] = constrained ? -b->problem.c[at] : random_between(source, -3, 3);
    b->problem.mu[at] = kind > 0.95 ? 0 : random_between(source, 0, 2);
    b->problem.restitution[at] = kind > 0.3 && kind < 0.7 ? random_between(source, 0.05, 1) : 1;
    b->exists[at] = random_between(source, 0, 1) < 0.98;
}

static imp_compliant_block empty(void) {
    return (imp_compliant_block){.want_turn = true,
                                 .want_time = true,
                                 .want_account = true,
                                 .want_peaks = true,
                                 .budget = 100000,
                                 .whole_budget = 100000};
}

/* The cells from `first` on as the first ones of another block. */
static imp_compliant_block moved(const imp_compliant_block *whole, size_t first) {
    imp_compliant_block part = empty();
    for (size_t i = first; i < IMP_COMPLIANT_BLOCK; i++) {
        imp_compliant_account account;
        imp_compliant_problem p = imp_compliant_problem_at(whole, i, &account);
#define PUT(name) part.problem.name[i - first] = p.name;
        IMP_COMPLIANT_GIVEN(PUT)
#undef PUT
        part.problem.constrained[i - first] = p.constrained;
        part.exists[i - first] = whole->exists[i];
    }
    return part;
}

static bool same_numbers(double a, double b) {
    return memcmp(&a, &b, sizeof a) == 0;
}

/* Whether all that cell i of one block found has the bits of cell k of the other. */
static bool same(const imp_compliant_block *one, size_t i, const imp_compliant_block *other,
                 size_t k) {
    bool equal = one->result.outcome[i] == other->result.outcome[k];
    if (one->result.outcome[i] != IMP_SOLVED) {
        return equal;
    }
#define SAME(name) equal = equal && same_numbers(one->result.name[i], other->result.name[k]);
    IMP_COMPLIANT_FOUND(SAME)
#undef SAME
#define SAME(name) equal = equal && same_numbers(one->account.name[i], other->account.name[k]);
    IMP_COMPLIANT_SUMS(SAME)
#undef SAME
    for (int slip = 0; slip < IMP_COMPLIANT_SLIPS; slip++) {
        equal = equal &&
                same_numbers(one->account.slip_loss[slip][i], other->account.slip_loss[slip][k]);
    }
    return equal;
}

/* One after another, by one law or the other, as the theory does. */
static void solve_each(imp_compliant_block *b) {
    imp_compliant_memory memory = {.loading = {.a = 0}};
    for (size_t i = 0; i < IMP_COMPLIANT_BLOCK; i++) {
        imp_compliant_account account;
        imp_compliant_problem problem = imp_compliant_problem_at(b, i, &account);
        imp_compliant_result result = {.outcome = IMP_OUTSIDE};
        if (b->exists[i] != 0) {
            result = problem.restitution < 1 ? imp_compliant_bilinear_solve(&problem, &memory)
                                             : imp_compliant_linear_solve(&problem, &memory);
        }
        imp_compliant_store(b, i, &result, &account);
    }
}

/* As they follow each other, or backward. */
static imp_compliant_order order_of(size_t n, bool apart) {
    imp_compliant_order order = {.apart = apart};
    for (size_t i = 0; i < IMP_COMPLIANT_BLOCK; i++) {
        order.cell[i] = apart && i < n ? n - 1 - i : i;
    }
    return order;
}

static void check_by(solve_block *by, int lanes, const imp_compliant_block *whole) {
    for (size_t first = 0; first < IMP_COMPLIANT_BLOCK; first += 9) {
        imp_compliant_block part = moved(whole, first);
        size_t n = IMP_COMPLIANT_BLOCK - first;
        imp_compliant_order order = order_of(n, first % 2 != 0);
        by(&part, n, &order);
        for (size_t i = 0; i < n; i++) {
            CHECK(same(whole, first + i, &part, i), "%d lanes, cell %zu of %zu", lanes, i, n);
        }
    }
}

static void widths(void) {
    random_source source = {1117};
    int solved = 0;
    for (int k = 0; k < 200; k++) {
        imp_compliant_block whole = empty();
        for (size_t i = 0; i < IMP_COMPLIANT_BLOCK; i++) {
            draw(&whole, i, &source);
        }
        solve_each(&whole);
        for (size_t i = 0; i < IMP_COMPLIANT_BLOCK; i++) {
            solved += whole.result.outcome[i] == IMP_SOLVED;
        }
#define CHECK_WIDTH(lanes)                                                                         \
    if (lanes <= imp_lane_width()) {                                                               \
        check_by(imp_compliant_linear_solve_block_##lanes, lanes, &whole);                         \
    }
        IMP_WIDTHS(CHECK_WIDTH)
    }
    CHECK(solved > 200 * IMP_COMPLIANT_BLOCK * 9 / 10, "%d", solved);
}

/* ---- springs and dashpots ---- */

typedef void solve_dashpots(imp_compliant_block *block, size_t n);
#define DECLARE_DASHPOTS(lanes) solve_dashpots imp_compliant_dashpot_solve_block_##lanes;
IMP_WIDTHS(DECLARE_DASHPOTS)

/* What lanes leave to the code for one cell, beside what they take. */
static void make_corner(imp_compliant_block *b, size_t at, random_source *source) {
    double a = b->problem.a[at], mu = b->problem.mu[at];
    double s = b->problem.v_t[at] < 0 ? -1 : 1, q = 1 - mu * s * b->problem.c[at];
    int which = (int)random_between(source, 0, 9);
    double strong = random_log(source, 10, 1e6), weak = random_log(source, 1e-9, 1e-5);
    b->problem.damping[at] = which == 0 ? 0 : which == 1 ? strong : b->problem.damping[at];
    b->problem.drag[at] = which == 2 ? 0 : which == 3 ? strong : b->problem.drag[at];
    if (which == 4 && q > 0) { /* critical in slip */
        b->problem.damping[at] = 2 / sqrt(q);
    } else if (which == 5) { /* critical in stick, where the directions part */
        b->problem.drag[at] = 2 / sqrt(a);
    } else if (which == 6) {
        b->problem.by_elongation[at] = 1;
    } else if (which == 7) {
        b->problem.v_t[at] = b->problem.constrained[at] != 0 ? b->problem.v_t[at] : weak;
    } else if (which == 8) {
        b->problem.mu[at] = weak;
    }
}

static void draw_dashpots(imp_compliant_block *b, random_source *source) {
    for (size_t i = 0; i < IMP_COMPLIANT_BLOCK; i++) {
        draw(b, i, source);
        double a = random_log(source, 0.2, 5), lean = random_between(source, -0.9, 0.9);
        if (b->problem.constrained[i] == 0) {
            bool apart = random_between(source, 0, 1) < 0.1;
            b->problem.c[i] = apart ? 0 : lean * sqrt(a);
            b->problem.a[i] = a;
            b->problem.determinant[i] = apart ? a : a * (1 - lean) * (1 + lean);
        }
        bool alike = random_between(source, 0, 1) < 0.1;
        b->problem.restitution[i] = 1;
        b->problem.damping[i] = random_between(source, 0, 3);
        b->problem.drag[i] = alike ? b->problem.damping[i] : random_between(source, 0, 3);
        if (alike && random_between(source, 0, 1) < 0.7) { /* force and pull vanish one soon after
                                                            * the other */
            b->problem.drag[i] *= 1 + random_log(source, 1e-6, 0.3);
        }
        b->problem.by_elongation[i] = 0;
        if (random_between(source, 0, 1) < 0.3) {
            make_corner(b, i, source);
        }
    }
}

static void check_dashpots_by(solve_dashpots *by, int lanes, const imp_compliant_block *whole) {
    for (size_t first = 0; first < IMP_COMPLIANT_BLOCK; first += 9) {
        imp_compliant_block part = moved(whole, first);
        size_t n = IMP_COMPLIANT_BLOCK - first;
        by(&part, n);
        for (size_t i = 0; i < n; i++) {
            CHECK(same(whole, first + i, &part, i), "%d lanes, cell %zu of %zu", lanes, i, n);
        }
    }
}

static void check_near(double lanes, double one, const char *what, size_t i) {
    CHECK_NEAR(lanes, one, 1e-10 * fmax(1, fabs(one)), "%s of cell %zu", what, i);
}

/* ---- how well a cell is known ---- */

/* What the code for one cell finds. */
typedef struct solved {
    imp_compliant_result result;
    imp_compliant_account account;
} solved;

static solved solve_one(imp_compliant_problem problem, bool want_peaks) {
    imp_compliant_memory memory = {.loading = {.a = 0}};
    solved found = {.account = {.want_peaks = want_peaks}};
    problem.account = &found.account;
    found.result = imp_compliant_dashpot_solve(&problem, &memory);
    return found;
}

/* The problem with one of its numbers changed by a part of itself. */
static imp_compliant_problem changed(const imp_compliant_problem *problem, int which, double part) {
    imp_compliant_problem p = *problem;
    double *const number[] = {&p.c,  &p.mu, &p.damping, &p.drag, p.constrained ? &p.c : &p.a,
                              &p.v_t};
    *number[which] *= 1 + part;
    p.a = p.constrained ? p.c * p.c : p.a;
    p.determinant = p.constrained ? 0 : p.a - p.c * p.c;
    p.v_t = p.constrained ? -p.c : p.v_t;
    return p;
}

/* How far rounding may move a number that is found, the double `at` bytes from the beginning of
 * `solved`. Each operation rounds, and a chain of stable ones finds what is exact for given numbers
 * that are off by some hundred roundings. So the number may be off by so much times the sum of its
 * derivatives by all that is given, its condition. */
static double blur_of(const imp_compliant_problem *p, size_t at) {
    enum { GIVEN = 6 };
    const double roundings = 1e-13, step = 1e-9;
    double sum = 0;
    for (int k = 0; k < GIVEN; k++) {
        double value[2];
        for (int side = 0; side < 2; side++) {
            imp_compliant_problem beside = changed(p, k, side ? step : -step);
            solved found = solve_one(beside, true);
            value[side] = *(const double *)((const char *)&found + at);
        }
        double change = fabs(value[1] - value[0]) / (2 * step);
        sum += isfinite(change) ? change : 0;
    }
    return roundings * sum;
}

/* Up to 1e-10, or to what rounding may do in a cell that has a worse condition. part: the size of
 * what the number is a difference of. */
static void check_known(double lanes, double one, const imp_compliant_problem *p, size_t at,
                        double part, const char *what) {
    double tolerance = 1e-10 * fmax(1, fmax(fabs(one), part));
    if (!suite_near(lanes, one, tolerance)) {
        tolerance = fmax(tolerance, blur_of(p, at));
    }
    CHECK_NEAR(lanes, one, tolerance, "%s of c %a mu %a damping %a drag %a v_t %a", what, p->c,
               p->mu, p->damping, p->drag, p->v_t);
}

/* Against the code for one cell. */
static void check_values(const imp_compliant_block *b, size_t i) {
    imp_compliant_account account;
    imp_compliant_problem problem = imp_compliant_problem_at(b, i, &account);
    bool peaks = !isnan(b->account.normal.size[i]);
    solved one = solve_one(problem, true);
    double work = fabs(one.account.work_t_approach); /* the rest of the whole is work_t_rebound */
    CHECK(one.result.outcome == b->result.outcome[i] &&
              one.result.sequence == b->result.sequence[i],
          "cell %zu: %g, one alone %g", i, b->result.sequence[i], one.result.sequence);
#define NEAR(name)                                                                                 \
    check_known(b->result.name[i], one.result.name, &problem, offsetof(solved, result.name), 0,    \
                #name);
    IMP_COMPLIANT_FOUND(NEAR)
#undef NEAR
#define NEAR(name)                                                                                 \
    if (strcmp(#name, "tangential.time") == 0) { /* several peaks may be equally high */           \
        CHECK(!peaks || b->account.name[i] >= 0, "time of cell %zu", i);                           \
    } else if (peaks || strstr(#name, ".") == NULL) {                                              \
        check_known(b->account.name[i], one.account.name, &problem,                                \
                    offsetof(solved, account.name),                                                \
                    strcmp(#name, "work_t_rebound") == 0 ? work : 0, #name);                       \
    }
    IMP_COMPLIANT_SUMS(NEAR)
#undef NEAR
}

/* Cells that lanes took, those of them that wedged, and cells that lanes left. */
typedef struct tally {
    int taken, wedged, left;
} tally;

static void check_block(const imp_compliant_block *drawn, tally *found) {
    imp_compliant_block whole = *drawn;
    imp_compliant_dashpot_solve_block_2(&whole, IMP_COMPLIANT_BLOCK);
    for (size_t i = 0; i < IMP_COMPLIANT_BLOCK; i++) {
        found->left += whole.result.outcome[i] == IMP_COMPLIANT_LEFT;
        if (whole.result.outcome[i] == IMP_SOLVED) {
            found->taken++;
            found->wedged += whole.result.mode[i] == IMP_COMPLIANT_WEDGE;
            check_values(&whole, i);
        }
    }
#define CHECK_DASHPOTS(lanes)                                                                      \
    if (lanes <= imp_lane_width()) {                                                               \
        check_dashpots_by(imp_compliant_dashpot_solve_block_##lanes, lanes, &whole);               \
    }
    IMP_WIDTHS(CHECK_DASHPOTS)
}

/* Checks blocks of cells that are drawn one by one. */
static tally check_drawn(uint64_t seed, int blocks,
                         void (*draw_cell)(imp_compliant_block *b, size_t at,
                                           random_source *source)) {
    random_source source = {seed};
    tally found = {0};
    for (int k = 0; k < blocks; k++) {
        imp_compliant_block drawn = empty();
        for (size_t i = 0; i < IMP_COMPLIANT_BLOCK; i++) {
            draw_cell(&drawn, i, &source);
        }
        check_block(&drawn, &found);
    }
    return found;
}

static void dashpots(void) {
    enum { BLOCKS = 100, CELLS = BLOCKS * IMP_COMPLIANT_BLOCK };
    random_source source = {1118};
    tally found = {0};
    for (int k = 0; k < BLOCKS; k++) {
        imp_compliant_block drawn = empty();
        draw_dashpots(&drawn, &source);
        check_block(&drawn, &found);
    }
    CHECK(found.taken > CELLS * 7 / 10 && found.left > CELLS / 20 && found.wedged > CELLS / 50,
          "%d in lanes, %d of them wedged, %d left", found.taken, found.wedged, found.left);
}

/* Free bodies whose normal force hardly changes in a slip, or that are nearly constrained. */
static void draw_even(imp_compliant_block *b, size_t at, random_source *source) {
    bool nearly_constrained = at % 2 != 0;
    double a = random_log(source, 0.2, 5), s = random_between(source, 0, 1) < 0.5 ? -1 : 1;
    double part = nearly_constrained ? random_log(source, 2e-4, 1e-3) : 0.5;
    double c = s * sqrt(a * (1 - part)), sign = random_between(source, 0, 1) < 0.5 ? -1 : 1;
    double q = sign * random_log(source, 2.1e-3, 0.02);
    b->problem.a[at] = a;
    b->problem.c[at] = c;
    b->problem.determinant[at] = a - c * c;
    b->problem.v_t[at] = s * random_between(source, 0.1, 3);
    b->problem.mu[at] = nearly_constrained ? random_between(source, 0, 0.3) : (1 - q) / fabs(c);
    b->problem.restitution[at] = 1;
    b->problem.damping[at] = random_between(source, 0.05, 0.8);
    b->problem.drag[at] = random_between(source, 0.05, 0.8);
    b->exists[at] = 1;
}

static void even_dashpots(void) {
    enum { BLOCKS = 40, CELLS = BLOCKS * IMP_COMPLIANT_BLOCK };
    tally found = check_drawn(1119, BLOCKS, draw_even);
    CHECK(found.taken > CELLS * 8 / 10, "%d in lanes, %d left", found.taken, found.left);
}

/* About critical: of free bodies the slip, where u also relaxes about as fast as the force, or both
 * directions; of guided ones the stick. */
static void draw_critical(imp_compliant_block *b, size_t at, random_source *source) {
    double a = random_log(source, 0.2, 5), lean = random_between(source, -0.9, 0.9);
    double v_t = random_between(source, -3, 3), mu = random_between(source, 0.01, 2);
    double off = random_log(source, 1e-10, 0.3), other = random_log(source, 0.02, 0.3);
    bool guided = at % 3 == 0, slips = at % 3 == 1;
    double c = lean * sqrt(a), q = 1 - (v_t < 0 ? -mu : mu) * c;
    double near = 1 + (at % 2 == 0 ? off : -off), ratio = slips && q > 0 ? 2 / sqrt(q) : 2;
    double whole = 2 * sqrt(1 + c * c) * near, part = random_between(source, 0.1, 0.9);
    b->problem.c[at] = c;
    b->problem.a[at] = guided ? c * c : a;
    b->problem.determinant[at] = guided ? 0 : a - c * c;
    b->problem.constrained[at] = guided;
    b->problem.v_t[at] = guided ? -c : v_t;
    b->problem.mu[at] = mu;
    b->problem.restitution[at] = 1;
    b->problem.damping[at] = guided ? part * whole : ratio * near;
    b->problem.drag[at] = guided           ? fmin((1 - part) * whole / (c * c), 90)
                          : slips && q > 0 ? (1 + other) / sqrt(q)
                                           : 2 / sqrt(a) * (1 + other);
    b->exists[at] = 1;
}

static void critical_dashpots(void) {
    enum { BLOCKS = 60, CELLS = BLOCKS * IMP_COMPLIANT_BLOCK };
    tally found = check_drawn(1120, BLOCKS, draw_critical);
    CHECK(found.taken > CELLS * 8 / 10, "%d in lanes, %d left", found.taken, found.left);
}

/* Guided bodies that hardly swing. Those that stick from rest reach a face of the cone when little
 * is left: it was told as a wedge. */
static void draw_late(imp_compliant_block *b, size_t at, random_source *source) {
    double c = (at % 2 == 0 ? 1 : -1) * random_log(source, 0.3, 3);
    double decay = random_log(source, 4.5, 200), part = random_between(source, 0.05, 0.95);
    double whole = 2 * sqrt((1 + c * c) / (1 + 1 / (decay * decay))); /* decay: over the swing */
    b->problem.c[at] = c;
    b->problem.a[at] = c * c;
    b->problem.determinant[at] = 0;
    b->problem.constrained[at] = 1;
    b->problem.v_t[at] = -c;
    b->problem.mu[at] = random_log(source, 0.5, 500);
    b->problem.restitution[at] = 1;
    b->problem.damping[at] = part * whole;
    b->problem.drag[at] = (1 - part) * whole / (c * c);
    b->exists[at] = 1;
}

static void late_dashpots(void) {
    enum { BLOCKS = 20, CELLS = BLOCKS * IMP_COMPLIANT_BLOCK };
    tally found = check_drawn(1121, BLOCKS, draw_late);
    CHECK(found.taken > CELLS * 7 / 10, "%d in lanes, %d left", found.taken, found.left);
}

/* Guided bodies that creep back while the plane pulls. Their slip is so brief that hardly any
 * elongation is left at rest, which tells when the contact ends: lanes were off by 5e-4 of the
 * time, and solved what is lost in rounding. */
static void draw_pulled(imp_compliant_block *b, size_t at, random_source *source) {
    double c = (at % 2 == 0 ? 1 : -1) * random_log(source, 0.3, 3);
    double near = 1 + random_log(source, 1e-10, 0.3), apart = 1 + random_log(source, 1e-4, 3);
    double drag = 2 * sqrt(1 + c * c) * near / (apart + c * c);
    b->problem.c[at] = c;
    b->problem.a[at] = c * c;
    b->problem.determinant[at] = 0;
    b->problem.constrained[at] = 1;
    b->problem.v_t[at] = -c;
    b->problem.mu[at] = random_log(source, 2, 200);
    b->problem.restitution[at] = b->problem.by_elongation[at] = 1;
    b->problem.damping[at] = at % 3 == 0 ? drag : apart * drag;
    b->problem.drag[at] = at % 3 == 0 ? apart * drag : drag;
    b->exists[at] = 1;
}

static void pulled_dashpots(void) {
    enum { BLOCKS = 60, CELLS = BLOCKS * IMP_COMPLIANT_BLOCK };
    tally found = check_drawn(1122, BLOCKS, draw_pulled);
    CHECK(found.taken > CELLS / 20, "%d in lanes, %d left", found.taken, found.left);
}

/* Strong dashpots in both directions, of free and of guided bodies. */
static void draw_strong(imp_compliant_block *b, size_t at, random_source *source) {
    double a = random_log(source, 0.2, 5), lean = random_between(source, -0.95, 0.95);
    double c = lean * sqrt(a), slope = tan(random_between(source, -1.4, 1.4));
    bool guided = at % 2 == 0;
    b->problem.c[at] = guided ? slope : c;
    b->problem.a[at] = guided ? slope * slope : a;
    b->problem.determinant[at] = guided ? 0 : a * (1 - lean) * (1 + lean);
    b->problem.constrained[at] = guided;
    b->problem.v_t[at] = guided ? -slope : random_between(source, -3, 3);
    b->problem.mu[at] = random_between(source, 0.01, 1.5);
    b->problem.restitution[at] = 1;
    b->problem.damping[at] = 2 * random_log(source, 4, 140);
    b->problem.drag[at] = 2 * random_log(source, 4, 140) / sqrt(b->problem.a[at]);
    b->exists[at] = 1;
}

/* A cell of a block by the code for one cell. */
static imp_compliant_result solve_alone(const imp_compliant_block *b, size_t at) {
    imp_compliant_memory memory = {.loading = {.a = 0}};
    imp_compliant_account account;
    imp_compliant_problem problem = imp_compliant_problem_at(b, at, &account);
    return imp_compliant_dashpot_solve(&problem, &memory);
}

/* The code for one cell has less digits of guided bodies: test_dashpot_series compares these. */
static void strong_dashpots(void) {
    enum { BLOCKS = 40, CELLS = BLOCKS * IMP_COMPLIANT_BLOCK };
    random_source source = {1122};
    int taken = 0;
    for (int k = 0; k < BLOCKS; k++) {
        imp_compliant_block whole = empty();
        for (size_t i = 0; i < IMP_COMPLIANT_BLOCK; i++) {
            draw_strong(&whole, i, &source);
        }
        imp_compliant_dashpot_solve_block_2(&whole, IMP_COMPLIANT_BLOCK);
        for (size_t i = 0; i < IMP_COMPLIANT_BLOCK; i++) {
            imp_compliant_result one = solve_alone(&whole, i);
            if (whole.result.outcome[i] == IMP_SOLVED) {
                taken++;
                CHECK(one.sequence == whole.result.sequence[i], "cell %zu: %g, one alone %g", i,
                      whole.result.sequence[i], one.sequence);
                check_near(whole.result.v_n[i], one.v_n, "v_n", i);
                check_near(whole.result.v_t[i], one.v_t, "v_t", i);
            }
        }
#define CHECK_STRONG(lanes)                                                                        \
    if (lanes <= imp_lane_width()) {                                                               \
        check_dashpots_by(imp_compliant_dashpot_solve_block_##lanes, lanes, &whole);               \
    }
        IMP_WIDTHS(CHECK_STRONG)
    }
    CHECK(taken > CELLS * 97 / 100, "%d of %d in lanes", taken, CELLS);
}

/* Lanes and the code for one cell agree, and lanes solve more than a share of the cells. */
static void check_taken(uint64_t seed,
                        void (*draw_cell)(imp_compliant_block *, size_t, random_source *),
                        int percent) {
    enum { BLOCKS = 40, CELLS = BLOCKS * IMP_COMPLIANT_BLOCK };
    tally found = check_drawn(seed, BLOCKS, draw_cell);
    CHECK(found.taken > CELLS * percent / 100, "%d in lanes, %d left", found.taken, found.left);
}

/* A free body without losses of its own: b11 / b22, and b12 as a part of the most that it can
 * be. */
static void put_body(imp_compliant_block *b, size_t at, double a, double lean) {
    b->problem.a[at] = a;
    b->problem.c[at] = lean * sqrt(a);
    b->problem.determinant[at] = a * (1 - lean) * (1 + lean);
    b->problem.restitution[at] = 1;
    b->exists[at] = 1;
}

/* Of a contact: the most of its tangential approach, and from where to where its friction and its
 * damping ratios lie. */
typedef struct ranges {
    double v_t, mu[2], normal[2], tangential[2];
} ranges;

static void put_contact(imp_compliant_block *b, size_t at, const ranges *in,
                        random_source *source) {
    b->problem.v_t[at] = random_between(source, -in->v_t, in->v_t);
    b->problem.mu[at] = random_between(source, in->mu[0], in->mu[1]);
    b->problem.damping[at] = 2 * random_log(source, in->normal[0], in->normal[1]);
    b->problem.drag[at] =
        2 * random_log(source, in->tangential[0], in->tangential[1]) / sqrt(b->problem.a[at]);
}

/* A strong dashpot beside a weak one, of free bodies. */
static void draw_unequal(imp_compliant_block *b, size_t at, random_source *source) {
    double strong = 2 * random_log(source, 4, 140), weak = 2 * random_log(source, 0.01, 1);
    double a = random_log(source, 0.2, 5), lean = random_between(source, -0.95, 0.95);
    bool along = at % 3 == 0;
    put_body(b, at, a, lean);
    b->problem.v_t[at] = random_between(source, -3, 3);
    b->problem.mu[at] = random_between(source, 0.01, 1.5);
    b->problem.damping[at] = along ? weak : strong;
    b->problem.drag[at] = (along ? strong : weak) / sqrt(a);
}

static void unequal_dashpots(void) {
    check_taken(1123, draw_unequal, 97);
}

/* Sticks that begin near one face of the cone, which the force draws nearer: some reach it, others
 * just pass it and reach the other one later. */
static void draw_grazing(imp_compliant_block *b, size_t at, random_source *source) {
    double ratio = random_log(source, 0.8, 12), a = random_log(source, 1.5, 5);
    double mu = random_between(source, 0.1, 1.5), share = random_between(source, 0.3, 1);
    double lean = at % 2 == 0 ? 0 : random_between(source, -0.2, 0.2);
    double drag = 2 * ratio * random_between(source, 0.3, 0.7) / sqrt(a);
    put_body(b, at, a, lean);
    b->problem.mu[at] = mu;
    b->problem.damping[at] = 2 * ratio;
    b->problem.drag[at] = drag;
    b->problem.v_t[at] = (at % 3 == 0 ? -1 : 1) * share * mu * 2 * ratio / drag;
}

static void grazing_dashpots(void) {
    check_taken(1124, draw_grazing, 97);
}

/* Free bodies whose directions move alike, as a sphere with the stiffness ratio 3.5 and equal
 * damping ratios does: a pull that begins in stick vanishes with the force. Lanes left half of
 * them, and searched for the ends of the others. */
static void draw_alike(imp_compliant_block *b, size_t at, random_source *source) {
    double mu = random_between(source, 0.01, 1.5), damping = 2 * random_log(source, 0.01, 140);
    put_body(b, at, 1, 0);
    b->problem.mu[at] = mu;
    b->problem.damping[at] = b->problem.drag[at] = damping;
    b->problem.v_t[at] = (at % 2 == 0 ? mu : 3) * random_between(source, -1, 1);
}

static void alike_dashpots(void) {
    check_taken(1126, draw_alike, 97);
}

/* Their pull stays the part of the force that it is at first touch: one within the cone sticks to
 * the end, whatever the dashpots. */
static void alike_sticks(void) {
    random_source source = {1129};
    for (int k = 0; k < 40; k++) {
        imp_compliant_block whole = empty();
        for (size_t i = 0; i < IMP_COMPLIANT_BLOCK; i++) {
            draw_alike(&whole, i, &source);
            double share = random_between(&source, 0.01, 0.99);
            whole.problem.v_t[i] = (i % 2 == 0 ? share : -share) * whole.problem.mu[i];
        }
        imp_compliant_dashpot_solve_block_2(&whole, IMP_COMPLIANT_BLOCK);
        for (size_t i = 0; i < IMP_COMPLIANT_BLOCK; i++) {
            imp_compliant_result one = solve_alone(&whole, i);
            CHECK(one.mode == IMP_COMPLIANT_GROSS_STICK, "cell %zu: mode %g", i, (double)one.mode);
            CHECK(whole.result.outcome[i] != IMP_SOLVED ||
                      whole.result.mode[i] == IMP_COMPLIANT_GROSS_STICK,
                  "cell %zu in lanes: mode %g", i, whole.result.mode[i]);
        }
    }
}

/* Free bodies whose force swings, while the pull creeps behind a strong dashpot: in slip the lead
 * of the slip speed begins below 0, and a stick ends about when the force does. */
static void draw_creeping(imp_compliant_block *b, size_t at, random_source *source) {
    static const ranges in = {4, {0.01, 1.5}, {0.01, 0.95}, {1, 30}};
    double a = random_log(source, 0.2, 5), lean = random_between(source, -0.7, 0.7);
    put_body(b, at, a, at % 2 == 0 ? 0 : lean);
    put_contact(b, at, &in, source);
}

static void creeping_dashpots(void) {
    check_taken(1127, draw_creeping, 97);
}

/* Free bodies whose directions act strongly on each other, so that in a stick the indentation may
 * turn several times, behind a weak tangential dashpot. */
static void draw_turning(imp_compliant_block *b, size_t at, random_source *source) {
    static const ranges in = {2, {0.3, 1.5}, {0.02, 10}, {0.02, 0.3}};
    double a = random_log(source, 0.5, 15), lean = random_between(source, 0.6, 0.97);
    put_body(b, at, a, at % 2 == 0 ? lean : -lean);
    put_contact(b, at, &in, source);
}

static void turning_dashpots(void) {
    check_taken(1130, draw_turning, 97);
}

/* Free bodies whose directions act strongly on each other, behind a strong normal dashpot and a
 * weak tangential one: in a stick one motion swings, by up to a whole turn, beside one that
 * creeps. */
static void draw_swinging(imp_compliant_block *b, size_t at, random_source *source) {
    static const ranges in = {4, {0.05, 2}, {0.8, 4}, {0.008, 0.2}};
    double a = random_log(source, 0.2, 15), lean = 1 - random_log(source, 0.01, 0.3);
    put_body(b, at, a, at % 2 == 0 ? lean : -lean);
    put_contact(b, at, &in, source);
}

static void swinging_dashpots(void) {
    check_taken(1131, draw_swinging, 97);
}

/* Free bodies that are much lighter along the plane than across it: behind a strong normal dashpot
 * and a weak tangential one a stick swings through several turns beside a slower motion, and a
 * contact may pass through many sticks and slips. Lanes left those of more than 12. */
static void draw_quick(imp_compliant_block *b, size_t at, random_source *source) {
    static const ranges in = {10, {0.01, 1.5}, {0.8, 2}, {0.002, 0.02}};
    double a = random_log(source, 200, 900), lean = random_between(source, -0.03, 0.03);
    put_body(b, at, a, at % 3 == 0 ? 0 : lean);
    put_contact(b, at, &in, source);
}

static void quick_dashpots(void) {
    check_taken(1132, draw_quick, 97);
}

/* Free bodies in whose first slip u relaxes as fast as the force creeps, nearly or exactly, with
 * one root or both. Lanes left all of them. */
static void draw_triple(imp_compliant_block *b, size_t at, random_source *source) {
    double a = random_log(source, 0.2, 5), drawn = random_between(source, -0.7, 0.7);
    double v_t = random_between(source, -4, 4), mu = random_between(source, 0.01, 1.5);
    double off = random_log(source, 1e-12, 1e-3), near = 1 + (at % 2 == 0 ? off : -off);
    double lean = at % 3 == 0 ? 0 : drawn, q = 1 - (v_t < 0 ? -mu : mu) * lean * sqrt(a);
    double over = at % 5 < 3 ? near : 1 + random_log(source, 0.01, 2), root = sqrt(fmax(q, 0.01));
    double decay = over > 1 ? over - sqrt((over - 1) * (over + 1)) : over;
    put_body(b, at, a, lean);
    b->problem.v_t[at] = v_t;
    b->problem.mu[at] = mu;
    b->problem.damping[at] = 2 * over / root;
    b->problem.drag[at] = (at % 4 == 0 ? 1 : near) / (decay * root);
}

static void triple_dashpots(void) {
    check_taken(1128, draw_triple, 70);
}

/* Guided bodies in whose first slip u relaxes about as fast as the force creeps. The parts of the
 * rate of u nearly cancel then: lanes were off by up to 6e-10 of the time, of a bad condition or
 * not. */
static void draw_meeting(imp_compliant_block *b, size_t at, random_source *source) {
    double size = random_log(source, 0.7, 4), c = at % 2 == 0 ? size : -size;
    double mu = random_between(source, 0.5, 2), q = 1 + mu * size;
    double damping = 2 / sqrt(q) * random_between(source, 1.1, 3), half = q * damping / 2;
    double near = random_log(source, 1e-4, 0.05), rate = q / (half + sqrt(half * half - q));
    b->problem.c[at] = c;
    b->problem.a[at] = c * c;
    b->problem.determinant[at] = 0;
    b->problem.constrained[at] = 1;
    b->problem.v_t[at] = -c;
    b->problem.mu[at] = mu;
    b->problem.restitution[at] = 1;
    b->problem.damping[at] = damping;
    b->problem.drag[at] = (1 + (at % 3 == 0 ? -near : near)) / rate;
    b->exists[at] = 1;
}

static void meeting_dashpots(void) {
    enum { BLOCKS = 60, CELLS = BLOCKS * IMP_COMPLIANT_BLOCK };
    tally found = check_drawn(1125, BLOCKS, draw_meeting);
    CHECK(found.taken > CELLS / 2, "%d in lanes, %d left", found.taken, found.left);
}

/* Cells in which the code for one cell and lanes did not agree: one took for a face of the cone
 * what underflow had left of a bound, one took a force of rounding for a slip as force and pull
 * vanished together, one put the turn where the slip before it halts. */
static void single_dashpots(void) {
    static const struct {
        double c, mu, damping, drag, by_elongation;
    } cells[] = {
        {0x1.7ad106ee6c65fp+1, 0x1.91be1ea06a8ccp+6, 0x1.3dc9b7217f326p-1, 0x1.9f7620b04cba7p-1, 1},
        {-0x1.22988d22d681fp+0, 0x1.234a6d9225c0ep+0, 0x1.85a0dddffbf61p+0, 0x1.85a0dddffbf61p+0,
         0},
        {0x1.eea264abf587ap-1, 0x1.579fcb58652p-7, 0x1.4e59110aa524p-7, 0x1.4e5a2b60fb41cp-7, 0},
    };
    imp_compliant_block drawn = empty();
    for (int i = 0; i < SUITE_COUNT(cells); i++) {
        double c = cells[i].c;
        drawn.problem.c[i] = c;
        drawn.problem.a[i] = c * c;
        drawn.problem.constrained[i] = drawn.problem.restitution[i] = drawn.exists[i] = 1;
        drawn.problem.v_t[i] = -c;
        drawn.problem.mu[i] = cells[i].mu;
        drawn.problem.damping[i] = cells[i].damping;
        drawn.problem.drag[i] = cells[i].drag;
        drawn.problem.by_elongation[i] = cells[i].by_elongation;
    }
    tally found = {0};
    check_block(&drawn, &found);
    CHECK(found.taken == SUITE_COUNT(cells), "%d in lanes, %d left", found.taken, found.left);
}

SUITE("compliant lanes", widths, dashpots, even_dashpots, critical_dashpots, late_dashpots,
      pulled_dashpots, strong_dashpots, unequal_dashpots, grazing_dashpots, meeting_dashpots,
      alike_dashpots, alike_sticks, creeping_dashpots, turning_dashpots, swinging_dashpots,
      quick_dashpots, triple_dashpots, single_dashpots)
