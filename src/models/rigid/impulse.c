#include "models/rigid/impulse.h"

#include <math.h>

#include "num/bracket.h"
#include "num/larger.h"

/* at_rest: a slip speed up to this counts as 0. slack: of the test whether friction can hold the
 * contact, so that rounding does not decide a cell exactly at the limit. */
static const double at_rest = 1e-12, slack = 1e-12;

/* ---- phases ---- */

/* Slip in direction s. Where friction cannot halt the slip (s c > mu a), 1 - mu s c would lose its
 * digits; there v_n is a sum of positive parts. A constrained body can only move along (c, 1). */
static inline imp_rigid_phase slip_phase(const imp_rigid_problem *p, double s) {
    double along = s * p->c, gain = along - p->friction * p->a;
    double v_n = gain > 0 && !p->constrained ? (p->determinant + along * gain) / p->a
                                             : 1 - p->friction * along;
    double v_t = p->constrained ? p->c * v_n : s * gain;
    return (imp_rigid_phase){.v_n = v_n, .v_t = v_t, .p_t = -s * p->friction};
}

/* A body guided along the normal (a = c = 0) sticks without friction. */
static inline imp_rigid_phase stick_phase(const imp_rigid_problem *p) {
    if (p->a == 0) {
        return (imp_rigid_phase){.v_n = 1};
    }
    return (imp_rigid_phase){.v_n = p->constrained ? 0 : p->determinant / p->a,
                             .p_t = -p->c / p->a};
}

static inline int slip_code(double s) {
    return s < 0 ? IMP_SLIP_BACK : IMP_SLIP_FORTH;
}

/* ---- the path up to the end of compression ---- */

/* A contact without initial slip has only one phase. */
static void start_from_rest(imp_rigid_path *path, bool wedges) {
    bool sticks = path->phase_code[1] == IMP_STICK;
    path->mode = wedges   ? IMP_RIGID_WEDGE
                 : sticks ? IMP_RIGID_GROSS_STICK
                          : IMP_RIGID_SLIP_FROM_REST;
    path->phase_code[0] = path->phase_code[1];
    path->phase_code[1] = 0;
    path->phase[0] = path->phase[1];
    path->halt = 0;
    path->v_n_halt = -1;
    path->compression = wedges ? 0 : 1 / path->phase[1].v_n;
    path->work = -path->compression / 2;
}

static inline void halt_in_compression(imp_rigid_path *path, bool sticks) {
    path->mode = sticks ? IMP_RIGID_COMPRESSION_STICK : IMP_RIGID_COMPRESSION_REVERSE;
    /* Only rounding could make v_n positive. */
    double v_n = imp_smaller(0, path->phase[0].v_n * path->halt - 1);
    path->v_n_halt = v_n;
    path->compression = path->halt - v_n / path->phase[1].v_n;
    path->work = ((v_n - 1) * path->halt + v_n * (path->compression - path->halt)) / 2;
}

void imp_rigid_coulomb_path(const imp_rigid_problem *p, imp_rigid_path *path) {
    double s = p->v_t < 0 ? -1 : 1, reversed = p->c < 0 ? -1 : 1;
    bool sticks = fabs(p->c) <= p->friction * p->a * (1 + slack);
    bool wedges = p->constrained && sticks && p->a > 0;
    path->phase[1] = sticks ? stick_phase(p) : slip_phase(p, reversed);
    path->phase_code[1] = sticks ? IMP_STICK : slip_code(reversed);
    if (fabs(p->v_t) <= at_rest) {
        start_from_rest(path, wedges);
        return;
    }
    path->phase_code[0] = slip_code(s);
    path->phase[0] = slip_phase(p, s);
    double turn = path->phase[0].v_n > 0 ? 1 / path->phase[0].v_n : INFINITY;
    double braking = p->friction * p->a - s * p->c;
    path->halt = braking > 0 ? fabs(p->v_t) / braking : INFINITY;
    if (p->constrained) {
        /* The slip speed is a multiple of v_n: both vanish together. */
        path->halt = turn;
    }
    if (path->halt < turn) {
        halt_in_compression(path, sticks);
        return;
    }
    path->v_n_halt = 0;
    path->compression = turn;
    path->work = -turn / 2;
    path->mode = wedges                            ? IMP_RIGID_WEDGE
                 : !(turn < INFINITY)              ? IMP_RIGID_NONE
                 : path->halt >= (1 + p->e) * turn ? IMP_RIGID_SLIDE
                 : sticks                          ? IMP_RIGID_RESTITUTION_STICK
                                                   : IMP_RIGID_RESTITUTION_REVERSE;
}

void imp_rigid_prescribed_path(const imp_rigid_problem *p, imp_rigid_path *path) {
    double ratio = p->friction;
    imp_rigid_phase phase = {1 + ratio * p->c, p->c + ratio * p->a, ratio};
    path->mode = phase.v_n > 0 ? IMP_RIGID_PRESCRIBED : IMP_RIGID_NONE;
    path->phase_code[0] = path->phase_code[1] = 0;
    path->phase[0] = path->phase[1] = phase;
    path->halt = INFINITY;
    path->v_n_halt = 0;
    path->compression = 1 / phase.v_n;
    path->work = -path->compression / 2;
}

static inline bool halts_in_compression(const imp_rigid_path *path) {
    return path->mode == IMP_RIGID_COMPRESSION_STICK || path->mode == IMP_RIGID_COMPRESSION_REVERSE;
}

static inline bool halts_in_restitution(const imp_rigid_path *path) {
    return path->mode == IMP_RIGID_RESTITUTION_STICK || path->mode == IMP_RIGID_RESTITUTION_REVERSE;
}

/* ---- laws of restitution ---- */

/* Normal impulse from the end of compression to the halt, 0 if that was before. */
static inline double before_halt(const imp_rigid_path *path) {
    return imp_larger(0, path->halt - path->compression);
}

double imp_rigid_newton(const imp_rigid_problem *p, const imp_rigid_path *path) {
    double first = before_halt(path), v_n = path->phase[0].v_n * first;
    return first > 0 ? first + imp_larger(0, p->e - v_n) / path->phase[1].v_n
                     : p->e / path->phase[1].v_n;
}

double imp_rigid_poisson(const imp_rigid_problem *p, const imp_rigid_path *path) {
    return p->e * path->compression;
}

double imp_rigid_energetic(const imp_rigid_problem *p, const imp_rigid_path *path) {
    double k2 = path->phase[1].v_n;
    if (halts_in_compression(path)) {
        return p->e * sqrt(-2 * path->work / k2);
    }
    /* Twice the work that is left at the halt. */
    double first = before_halt(path), v_n = path->phase[0].v_n * first;
    double full = p->e * path->compression;
    double left = path->phase[0].v_n * imp_larger(0, full - first) * (full + first);
    return first + left / (v_n + sqrt(v_n * v_n + k2 * left));
}

/* The compromise minimizes w1 (x - 1)^2 + w2 (sqrt(q) - 1)^2, where x is the rebound impulse over
 * that of the law poisson, and q(x) the work over that of the law energetic. Slip halts at x = d; k
 * is the rate of v_n after the halt over the rate before. half_derivative returns half the
 * derivative by x, and *slope the derivative of that. */
typedef struct compromise {
    double d, k, w1, w2;
} compromise;

static double half_derivative(const compromise *at, double x, double *slope) {
    double past = x - at->d, rate = at->d + at->k * past;
    double q = at->d * at->d + past * (at->d + rate), root = sqrt(q);
    double short_of = 1 - 1 / root;
    *slope = at->w1 + at->w2 * (rate * rate / (q * root) + short_of * at->k);
    return at->w1 * (x - 1) + at->w2 * short_of * rate;
}

enum { MOST_STEPS = 200, NEWTON_STEPS = 20 };

/* The root between the laws, by Newton's steps within the bracket and then by halving it. NaN if
 * MOST_STEPS do not suffice. */
static double minimum_of(const compromise *at, double one, double other, double guess) {
    imp_bracket b = {imp_smaller(one, other), imp_larger(one, other)};
    double x = guess;
    for (int i = 0; i < MOST_STEPS; i++) {
        double slope, value = half_derivative(at, x, &slope), next = x - value / slope;
        imp_bracket_cut(&b, x, !(value > 0));
        if (fabs(next - x) <= 1e-12 * next) {
            return next;
        }
        x = i < NEWTON_STEPS ? imp_bracket_next(&b, next) : imp_bracket_middle(&b);
        if (b.high - b.low <= 4e-16 * b.high) {
            return x;
        }
    }
    return NAN;
}

double imp_rigid_compromise(const imp_rigid_problem *p, const imp_rigid_path *path) {
    double most = imp_larger(p->weight[0], p->weight[1]);
    double w1 = p->weight[0] / most, w2 = p->weight[1] / most;
    double poisson = imp_rigid_poisson(p, path), energetic = imp_rigid_energetic(p, path);
    if (w1 == 0 || w2 == 0 || p->e == 0) {
        return w1 == 0 ? energetic : poisson;
    }
    double l = energetic / poisson, guess = l * (w1 * l + w2) / (w1 * l * l + w2);
    if (halts_in_compression(path)) {
        return guess * poisson; /* exact: there lambda_energetic = x / l */
    }
    compromise at = {before_halt(path) / poisson, path->phase[1].v_n / path->phase[0].v_n, w1, w2};
    return minimum_of(&at, 1, l, guess) * poisson;
}

/* ---- the result ---- */

static void end_wedged(const imp_rigid_problem *p, const imp_rigid_path *path,
                       imp_rigid_result *r) {
    double impulse = path->halt, p_t = path->phase[0].p_t * impulse;
    r->p_n = impulse;
    r->p_t = p_t;
    r->v_n = 0;
    r->v_t = 0;
    r->rebound = 0;
    r->p_t_compression = p_t;
    r->work_r = 0;
    r->work_t = p_t * p->v_t / 2;
    r->change = (p_t * p->v_t - impulse) / 2;
}

static inline void end_straight(double v_t, const imp_rigid_path *path, imp_rigid_result *r) {
    const imp_rigid_phase *phase = &path->phase[0];
    r->p_t = phase->p_t * r->p_n;
    r->p_t_compression = phase->p_t * r->compression;
    r->v_n = phase->v_n * r->rebound;
    r->v_t = v_t + phase->v_t * r->p_n;
    r->work_r = phase->v_n * r->rebound * r->rebound / 2;
    r->work_t = r->p_t * (v_t + r->v_t) / 2;
}

static inline void end_broken(double v_t, const imp_rigid_path *path, imp_rigid_result *r) {
    const imp_rigid_phase *first = &path->phase[0], *second = &path->phase[1];
    bool early = halts_in_compression(path);
    double rebound_first = early ? 0 : path->halt - path->compression;
    double compression_second = early ? path->compression - path->halt : 0;
    double rebound_second = imp_larger(0, r->rebound - rebound_first);
    double second_impulse = compression_second + rebound_second;
    double slip = first->p_t * path->halt, v_n = first->v_n * rebound_first;
    r->p_t = slip + second->p_t * second_impulse;
    r->p_t_compression =
        early ? slip + second->p_t * compression_second : first->p_t * path->compression;
    r->v_n = v_n + second->v_n * rebound_second;
    r->v_t = second->v_t * second_impulse;
    r->work_r = (v_n * rebound_first + (v_n + r->v_n) * rebound_second) / 2;
    r->work_t = (slip * v_t + second->p_t * second_impulse * r->v_t) / 2;
}

void imp_rigid_separate(const imp_rigid_problem *p, const imp_rigid_path *path, imp_rigid_law *law,
                        imp_rigid_result *r) {
    uint64_t first = (uint64_t)path->phase_code[0], second = (uint64_t)path->phase_code[1];
    bool broken = halts_in_compression(path) || halts_in_restitution(path);
    r->mode = path->mode;
    r->compression = path->compression;
    r->work_c = path->work;
    if (path->mode == IMP_RIGID_NONE || path->mode == IMP_RIGID_WEDGE) {
        r->outcome = path->mode == IMP_RIGID_NONE ? IMP_OUTSIDE : IMP_SOLVED;
        r->sequence = first | second << 2;
        end_wedged(p, path, r);
        return;
    }
    r->sequence = broken ? first | second << 2 : first;
    r->rebound = broken ? law(p, path) : p->e * path->compression;
    r->p_n = r->compression + r->rebound;
    double v_t = path->halt == 0 ? 0 : p->v_t;
    if (broken) {
        end_broken(v_t, path, r);
    } else {
        end_straight(v_t, path, r);
    }
    r->change = (r->p_t * (v_t + r->v_t) + r->p_n * (r->v_n - 1)) / 2;
    r->outcome = isnan(r->rebound) ? IMP_NO_CONVERGENCE : IMP_SOLVED;
}
