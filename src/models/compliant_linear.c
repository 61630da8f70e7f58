#include "models/compliant_linear.h"

#include <math.h>

#include "num/trigonometry.h"

enum { STICK = 1, SLIP_BACK = 2, SLIP_FORTH = 3 };

/* A start this near to the cone is decided by where friction would lead it. */
static const double on_the_cone = 1e-11;
static const double half_turn = 3.14159265358979323846;

typedef struct peak {
    double delta, p_n, time, work;
} peak;

typedef struct state {
    double u, delta, v_t, v_n;
    double p_t, p_n, work, loss, time;
    peak greatest; /* of the indentation, so far */
    uint64_t sequence;
    int phases;
} state;

typedef imp_linear_modes modes;

/* LOST: the motion cannot be followed, its numbers are too large or not numbers. */
typedef enum phase_end { TO_STICK, TO_SLIP, SEPARATED, WEDGED, OUT_OF_BUDGET, LOST } phase_end;

static inline double larger(double a, double b) {
    return a > b ? a : b;
}

static void note_phase(state *now, int code) {
    if (now->phases < IMP_SEQUENCE_PHASES) {
        now->sequence |= (uint64_t)code << (2 * now->phases);
    }
    now->phases++;
}

static void note_turn(state *now, peak turn) {
    if (turn.delta > now->greatest.delta) {
        now->greatest = turn;
    }
}

/* Friction changes the slip speed by den per normal impulse; s is the direction of slip. */
static double slip_rate(const imp_linear_problem *p, double s) {
    if (p->constrained) {
        return (1 - p->mu * s * p->c) * (p->mu + s * p->c);
    }
    return p->mu * (1 - p->a) + s * p->c * (1 - p->mu * p->mu);
}

/* ---- slip: straight in the normal impulse ---- */

/* Normal impulse until the spring is released, for any sign of q; infinite if it never is. */
static double impulse_to_separation(double v, double delta, double q) {
    double square = v * v + q * delta * delta;
    if (!(square >= 0)) {
        return INFINITY;
    }
    double root = sqrt(square);
    double above = v > 0 ? delta * delta : root - v;
    double below = v > 0 ? root + v : q;
    double impulse = above / below;
    return impulse >= 0 ? impulse : INFINITY;
}

/* Time in which delta'' = -q delta goes from one compression to another, whose sum is given, while
 * it passes the impulse. The half-angle of the motion is at most a right angle. */
static double slip_time(double impulse, double sum, double q) {
    if (!(impulse > 0)) {
        return 0;
    }
    double z = q * impulse * impulse;
    double square = sum * sum;
    if (fabs(z) < 1e-3 * square) {
        double x = z / square;
        return 2 * impulse / sum * (1 - x * (1.0 / 3 - x * (1.0 / 5 - x * (1.0 / 7 - x / 9))));
    }
    double w = sqrt(fabs(q));
    return 2 / w * (q > 0 ? imp_angle(w * impulse, sum) : atanh(w * impulse / sum));
}

static void note_slip_turn(const imp_linear_problem *p, state *now, double q, double end) {
    double impulse = -now->v_n / q;
    if (!(p->want_turn && now->v_n < 0 && impulse > 0 && impulse <= end)) {
        return;
    }
    double work = impulse * now->v_n / 2;
    double delta = sqrt(now->delta * now->delta - 2 * work);
    double time = p->want_time ? slip_time(impulse, now->delta + delta, q) : 0;
    note_turn(now, (peak){delta, now->p_n + impulse, now->time + time, now->work + work});
}

static phase_end slip(const imp_linear_problem *p, state *now, double s) {
    note_phase(now, s < 0 ? SLIP_BACK : SLIP_FORTH);
    double q = 1 - p->mu * s * p->c;
    double rate = slip_rate(p, s);
    double speed = larger(0, s * now->v_t + p->mu * now->v_n);
    double separation = impulse_to_separation(now->v_n, now->delta, q);
    double halt = INFINITY;
    if (p->constrained) {
        /* The slip speed is a multiple of v_n: both vanish together. */
        halt = -now->v_n / q > 0 ? -now->v_n / q : INFINITY;
    } else if (p->mu > 0 && rate < 0) {
        halt = speed / -rate;
    }
    bool sticks = halt <= separation;
    double end = sticks ? halt : separation;
    if (!(end < INFINITY)) {
        return LOST;
    }
    note_slip_turn(p, now, q, end);
    double v_n = p->constrained && sticks ? 0 : now->v_n + q * end;
    double work = end * (now->v_n + v_n) / 2;
    double delta = sticks ? sqrt(larger(0, now->delta * now->delta - 2 * work)) : 0;
    now->loss += p->mu * end * (speed + (sticks ? 0 : larger(0, speed + rate * end))) / 2;
    if (p->want_time) {
        now->time += slip_time(end, now->delta + delta, q);
    }
    now->v_t = sticks ? -s * p->mu * v_n
                      : now->v_t + (p->constrained ? p->c * q : p->c - p->mu * s * p->a) * end;
    now->v_n = v_n;
    now->delta = delta;
    now->u = s * p->mu * delta;
    now->p_n += end;
    now->p_t -= p->mu * s * end;
    now->work += work;
    return sticks ? TO_STICK : SEPARATED;
}

/* ---- stick of a constrained body: one mode, closed form ---- */

/* The whole contact in stick: half a period of the only motion that the constraint allows. */
static phase_end gross_stick(const imp_linear_problem *p, state *now) {
    note_phase(now, STICK);
    double stiffness = 1 + p->c * p->c, w = sqrt(stiffness);
    note_turn(now, (peak){1 / w, 1 / stiffness, half_turn / (2 * w), -1 / (2 * stiffness)});
    now->time = half_turn / w;
    now->p_n = 2 / stiffness;
    now->p_t = 2 * p->c / stiffness;
    now->v_t = -now->v_t;
    now->v_n = -now->v_n;
    return SEPARATED;
}

/* Stick from rest (a constrained slip ends where v_n = 0). The body swings to the other cone face,
 * or, if it cannot reach that within half a period, forever: wedged. s: direction of the slip
 * before; lift = 1 - cos(phase), 0 at the start and 2 after half a period. */
static phase_end constrained_stick(const imp_linear_problem *p, state *now, double *s) {
    note_phase(now, STICK);
    double c = p->c, stiffness = 1 + c * c, q = 1 - p->mu * *s * c;
    double lift = 2 * p->mu * stiffness / (q * (p->mu - *s * c));
    if (!(lift >= 0 && lift <= 2)) {
        return WEDGED;
    }
    double w = sqrt(stiffness), swing = -now->delta * q / stiffness;
    double sine = sqrt(lift * (2 - lift)), phase = 2 * imp_angle(sqrt(lift), sqrt(2 - lift));
    double shortfall = (phase - sine) / w, time = phase / w;
    double delta = larger(0, now->delta + swing * lift);
    now->p_n += now->delta * time + swing * shortfall;
    now->p_t -= now->u * time - c * swing * shortfall;
    now->work += (now->delta - delta) * (now->delta + delta) / 2;
    now->time += time;
    now->v_n = -swing * w * sine;
    now->v_t = c * now->v_n;
    now->delta = delta;
    *s = -*s;
    now->u = *s * p->mu * delta;
    return TO_SLIP;
}

/* ---- stick of a free body: two modes ---- */

static modes normal_modes(const imp_linear_problem *p) {
    double half = (p->a - 1) / 2, r = sqrt(half * half + p->c * p->c);
    double t = half >= 0 ? half + r : p->c, n = half >= 0 ? p->c : r - half;
    double length = sqrt(t * t + n * n);
    if (length > 0) {
        t /= length;
        n /= length;
    } else {
        t = 1;
    }
    double first = (p->a + 1) / 2 + r;
    imp_pair square = {first, p->determinant / first};
    imp_pair w = imp_pair_sqrt(square);
    return (modes){p->a, p->c, p->determinant, {t, -n}, {n, t}, w, square, 1 / w};
}

/* Both modes move as y cos(w t) + z sin(w t). */
typedef struct motion {
    imp_pair y, z, size;
} motion;

static motion motion_from(const modes *m, const state *now) {
    imp_pair y = m->t * now->u - m->n * now->delta;
    imp_pair z = (m->t * now->v_t + m->n * now->v_n) * m->inverse;
    return (motion){y, z, imp_pair_sqrt(y * y + z * z)};
}

/* Elongations and velocities of the modes at a time. */
typedef struct instant {
    imp_pair y, v;
    imp_pair_sincos turn; /* of w t */
} instant;

static inline instant at_time(const modes *m, const motion *x, double time) {
    imp_pair_sincos turn = imp_pair_sine_cosine(m->w * time);
    return (instant){.y = x->y * turn.cosine + x->z * turn.sine,
                     .v = m->w * (x->z * turn.cosine - x->y * turn.sine),
                     .turn = turn};
}

/* A time, elongations and velocities then, and the area under the elongations until then. */
typedef struct event {
    double time; /* infinite: no event; NaN: the budget is spent */
    imp_pair y, v, area;
} event;

static inline event event_at(const modes *m, const motion *x, double time, const instant *now) {
    imp_pair s = now->turn.sine, c = now->turn.cosine;
    /* 1 - cos without loss of digits, also for a slow mode. */
    imp_pair_bits right = c > 0;
    imp_pair rise = imp_pair_select(right, s * s, 1 - c) / imp_pair_select(right, 1 + c, s * 0 + 1);
    return (event){time, now->y, now->v, (x->y * s + x->z * rise) * m->inverse};
}

/* A little later (or earlier), by series: a phase w d of 0.4 leaves no error above rounding. */
static inline event later(const modes *m, const event *now, double d) {
    imp_pair q = m->square * (d * d), q2 = q * q;
    imp_pair rise = (0.5 - q * (1.0 / 24)) + q2 * (1.0 / 720 - q * (1.0 / 40320)) +
                    q2 * q2 * (1.0 / 3628800 - q * (1.0 / 479001600));
    imp_pair sine = (1 - q * (1.0 / 6)) + q2 * (1.0 / 120 - q * (1.0 / 5040)) +
                    q2 * q2 * (1.0 / 362880 - q * (1.0 / 39916800));
    imp_pair cosine = 1 - q * rise;
    sine *= d;
    return (event){now->time + d, now->y * cosine + now->v * sine,
                   now->v * cosine - now->y * m->square * sine,
                   now->area + now->y * sine + now->v * (rise * (d * d))};
}

/* Functions of time that are weighted sums of the modes' elongations (the margins to the two faces
 * of the cone) or velocities (v_n); their first roots are sought while they are positive. */
typedef struct sample {
    double value, slope;
} sample;

/* First positive roots of f + f' d - second d^2 / 2, where |f''| <= second: no root of f lies
 * before. Which of two forms loses no digits cannot be predicted: parts are selected, not paths. */
static inline imp_pair safe_steps(imp_pair f, imp_pair slope, imp_pair second) {
    imp_pair root = imp_pair_sqrt(slope * slope + 2 * second * f);
    imp_pair_bits falls = slope < 0;
    return imp_pair_select(falls, 2 * f, root + slope) /
           imp_pair_select(falls, root - slope, second);
}

static inline double safe_step(sample f, double second) {
    return safe_steps((imp_pair){f.value, 1}, (imp_pair){f.slope, 1}, (imp_pair){second, 1})[0];
}

/* Whether f is certain to fall until its root, which then lies within 1.25 Newton steps, and so near
 * that three steps of root_step find it to rounding. */
static inline bool near_root(sample f, double second, double fastest) {
    return f.slope < 0 && second * f.value <= 0.3 * f.slope * f.slope &&
           fastest * fabs(f.value) <= -0.3 * f.slope;
}

/* Step to the root by reversion of the series in d up to its fourth power. */
static inline double root_step(sample f, double second, double third, double fourth) {
    double scale = 1 / f.slope, t = -f.value * scale;
    double a = second * scale / 2, b = third * scale / 6, c = fourth * scale / 24;
    return t * (1 - t * (a - t * (2 * a * a - b + t * (5 * a * b - 5 * a * a * a - c))));
}

/* Positive roots of a + b x - c x^2, with c > 0 and a > 0, or a = 0 and b > 0; 0 without one. */
static inline imp_pair safe_roots(imp_pair a, imp_pair b, imp_pair c) {
    imp_pair root = imp_pair_sqrt(b * b + 4 * a * c);
    imp_pair_bits falls = b < 0;
    imp_pair x = imp_pair_select(falls, 2 * a, root + b) / imp_pair_select(falls, root - b, 2 * c);
    return imp_pair_select(x > 0, x, (imp_pair){0, 0});
}

/* The cone: the margins mu delta - s u, positive inside. Lane 0 is the face s = -1, lane 1 s = +1. */
typedef struct cone {
    imp_pair r[2], pull[2];         /* by mode: weight of its elongation; that times w^2 */
    imp_pair second, fourth, fifth; /* bounds of derivatives */
    double fastest;
} cone;

static inline cone cone_of(const imp_linear_problem *p, const modes *m, const motion *x) {
    const imp_pair s = {-1, 1};
    cone k = {.fastest = m->w[0]};
    for (int i = 0; i < 2; i++) {
        k.r[i] = -(p->mu * m->n[i] + s * m->t[i]);
        k.pull[i] = k.r[i] * m->square[i];
        imp_pair part = imp_pair_abs(k.pull[i]) * x->size[i];
        k.second += part;
        k.fourth += part * m->square[i];
        k.fifth += part * (m->square[i] * m->w[i]);
    }
    return k;
}

static inline imp_pair weigh(const imp_pair weight[2], imp_pair modal) {
    return weight[0] * modal[0] + weight[1] * modal[1];
}

/* From rest on the plane the margins are odd in time: f' d + f3 d^3 / 6, and at worst the bound of
 * the fifth derivative against it. */
static imp_pair steps_from_rest(const cone *k, const instant *start) {
    imp_pair slope = weigh(k->r, start->v), none = {0, 0};
    imp_pair third = -weigh(k->pull, start->v);
    return imp_pair_sqrt(
        safe_roots(imp_pair_select(slope > 0, slope, none), third / 6, k->fifth / 120));
}

/* Where margin and slope are 0 and must not be found again: what is left over d^2 is
 * f2 / 2 + f3 d / 6, and at worst the bound of the fourth derivative against it. */
static imp_pair double_root_steps(const cone *k, const instant *start) {
    imp_pair second = -weigh(k->pull, start->y), none = {0, 0};
    imp_pair third = -weigh(k->pull, start->v);
    return safe_roots(imp_pair_select(second > 0, second, none) / 2, third / 6, k->fourth / 24);
}

/* The first step of a stick phase, which begins at rest (slip_before = 0), or on the face of the
 * slip before it. */
static double first_step(const modes *m, const motion *x, const cone *k, double slip_before) {
    instant start = {.y = x->y, .v = m->w * x->z};
    imp_pair step;
    if (slip_before == 0) {
        step = steps_from_rest(k, &start);
    } else {
        imp_pair_bits entered = {-(slip_before < 0), -(slip_before > 0)};
        step = imp_pair_select(entered, double_root_steps(k, &start),
                               safe_steps(weigh(k->r, start.y), weigh(k->r, start.v), k->second));
    }
    return step[1] < step[0] ? step[1] : step[0];
}

static inline double margin_step(const modes *m, const cone *k, int face, const event *now) {
    imp_pair r = {k->r[0][face], k->r[1][face]}, pull = r * m->square;
    sample f = {imp_pair_sum(r * now->y), imp_pair_sum(r * now->v)};
    return root_step(f, -imp_pair_sum(pull * now->y), -imp_pair_sum(pull * now->v),
                     imp_pair_sum(pull * m->square * now->y));
}

/* Whether a step was so long that its own error, of the fifth order, shows. */
static inline bool needs_polish(const modes *m, double step) {
    double phase = m->w[0] * step;
    return phase * phase > 1e-7;
}

enum { MAX_POLISH = 4 };

/* From near the root of the margin to the root. */
static event exit_from(const modes *m, const cone *k, int face, event near) {
    for (int i = 0; i < MAX_POLISH; i++) {
        double step = margin_step(m, k, face, &near);
        near = later(m, &near, step);
        if (!needs_polish(m, step)) {
            break;
        }
    }
    return near;
}

/* At a touch of a face from inside, rounding can leave its margin at or below 0: out if it falls,
 * otherwise on past the touch. */
static imp_pair steps_at_touch(const cone *k, imp_pair f, imp_pair slope, const instant *now) {
    imp_pair none = {0, 0}, past = 2 * slope / k->second, curved = double_root_steps(k, now);
    imp_pair touch = imp_pair_select(slope < 0, none, imp_pair_select(past > curved, past, curved));
    return imp_pair_select(f > 0, safe_steps(imp_pair_select(f > 0, f, none), slope, k->second),
                           touch);
}

/* When the motion leaves the cone, and through which face. */
static event cone_exit(const modes *m, const motion *x, const cone *k, double start,
                       int64_t *budget, int *face) {
    double time = start;
    while (--*budget > 0) {
        instant now = at_time(m, x, time);
        imp_pair f = weigh(k->r, now.y), slope = weigh(k->r, now.v);
        imp_pair step = ((f[0] > 0) & (f[1] > 0)) ? safe_steps(f, slope, k->second)
                                                  : steps_at_touch(k, f, slope, &now);
        int first = step[1] < step[0];
        *face = first;
        sample nearest = {f[first], slope[first]};
        if (near_root(nearest, k->second[first], k->fastest) &&
            -nearest.slope * step[1 - first] >= 1.25 * nearest.value) {
            return exit_from(m, k, first, event_at(m, x, time, &now));
        }
        double next = time + step[first];
        if (!(next > time)) {
            return event_at(m, x, time, &now);
        }
        if (!(next < INFINITY)) {
            return (event){.time = INFINITY};
        }
        time = next;
    }
    return (event){.time = NAN};
}

/* The state after a stick phase up to the instant. */
static void swing(const modes *m, const event *end, state *now) {
    double delta = -imp_pair_sum(m->n * end->y);
    now->p_t -= imp_pair_sum(m->t * end->area);
    now->p_n -= imp_pair_sum(m->n * end->area);
    now->work += (now->delta - delta) * (now->delta + delta) / 2;
    now->u = imp_pair_sum(m->t * end->y);
    now->delta = delta;
    now->v_t = imp_pair_sum(m->t * end->v);
    now->v_n = imp_pair_sum(m->n * end->v);
    now->time += end->time;
}

/* sign v_n as a function of time, and the step to its root from near by. */
static inline sample velocity(imp_pair weight, imp_pair pull, const instant *at) {
    return (sample){imp_pair_sum(weight * at->v), -imp_pair_sum(pull * at->y)};
}

static inline double velocity_step(const modes *m, imp_pair weight, imp_pair pull,
                                   const event *at) {
    sample f = {imp_pair_sum(weight * at->v), -imp_pair_sum(pull * at->y)};
    return root_step(f, -imp_pair_sum(pull * at->v), imp_pair_sum(pull * m->square * at->y),
                     imp_pair_sum(pull * m->square * at->v));
}

/* From rest v_n is even in time: f + f2 d^2 / 2, and at worst the bound of the fourth derivative. */
static double step_to_turn_from_rest(const modes *m, const motion *x, imp_pair pull, double value) {
    double second = -imp_pair_sum(pull * m->w * x->z);
    double fourth = imp_pair_sum(imp_pair_abs(pull) * m->square * m->w * x->size);
    return sqrt(
        safe_roots((imp_pair){value, 1}, (imp_pair){second / 2, 1}, (imp_pair){fourth / 24, 1})[0]);
}

/* The first zero of v_n after `start`, if it lies before `end`. f is the sample of sign v_n at the
 * start, positive from there on; back that at the end, seen backward: safe steps from both sides
 * soon show that there is no zero between. */
static event next_turn(const modes *m, const motion *x, double sign, double start, sample f,
                       double end, sample back, int64_t *budget) {
    imp_pair weight = sign * m->n, pull = weight * m->square;
    double limit = imp_pair_sum(imp_pair_abs(pull) * x->size * m->w);
    double reach = back.value > 0 ? safe_step(back, limit) : 0, time = start;
    double step = imp_pair_sum(imp_pair_abs(x->y)) > 0 || start > 0
                      ? safe_step(f, limit)
                      : step_to_turn_from_rest(m, x, pull, f.value);
    while (--*budget > 0) {
        double next = time + step;
        if (!(next + reach < end && next > time)) {
            return (event){.time = INFINITY};
        }
        time = next;
        instant at = at_time(m, x, time);
        f = velocity(weight, pull, &at);
        if (near_root(f, limit, m->w[0])) {
            event turn = event_at(m, x, time, &at);
            for (int i = 0; i < MAX_POLISH; i++) {
                step = velocity_step(m, weight, pull, &turn);
                turn = later(m, &turn, step);
                if (!needs_polish(m, step)) {
                    break;
                }
            }
            return turn;
        }
        f.value = larger(0, f.value);
        step = safe_step(f, limit);
    }
    return (event){.time = NAN};
}

/* dv_n/dt in stick. */
static double normal_acceleration(const imp_linear_problem *p, const state *now) {
    return now->delta - p->c * now->u;
}

/* Notes every local maximum of the indentation before `end`, where `after` is the state: the zeros
 * of v_n, all of them, because the compression can recur. */
static bool note_stick_turns(const imp_linear_problem *p, const modes *m, const motion *x,
                             double end, const state *after, int64_t *budget, state *now) {
    sample f = {now->v_n, normal_acceleration(p, now)};
    sample back = {after->v_n, -normal_acceleration(p, after)};
    double sign = f.value < 0 || (f.value == 0 && f.slope < 0) ? -1 : 1, time = 0;
    f = (sample){sign * f.value, sign * f.slope};
    for (;;) {
        sample from_end = {sign * back.value, sign * back.slope};
        event next = next_turn(m, x, sign, time, f, end, from_end, budget);
        if (!(next.time > time && next.time < end)) {
            return !isnan(next.time);
        }
        state turn = *now;
        swing(m, &next, &turn);
        if (sign < 0) {
            note_turn(now, (peak){turn.delta, turn.p_n, turn.time, turn.work});
        }
        time = next.time;
        sign = -sign;
        f = (sample){0, fabs(normal_acceleration(p, &turn))};
    }
}

/* s: direction of the slip before, 0 at the start; on return that of the slip that follows. */
static phase_end free_stick(const imp_linear_problem *p, const modes *m, int64_t *budget,
                            state *now, double *s) {
    note_phase(now, STICK);
    motion x = motion_from(m, now);
    cone k = cone_of(p, m, &x);
    int face = 0;
    event end = cone_exit(m, &x, &k, first_step(m, &x, &k, *s), budget, &face);
    if (!(end.time < INFINITY)) {
        return isnan(end.time) ? OUT_OF_BUDGET : LOST;
    }
    double scale = imp_pair_sum(imp_pair_abs(m->n) * x.size);
    state after = *now;
    swing(m, &end, &after);
    /* The outcome must not depend on whether turns are wanted. They are few and do not count, unless
     * one mode is much faster: then they are always sought, and do count. */
    bool many = m->w[0] > 1e3 * m->w[1];
    int64_t enough = INT64_C(1) << 24;
    if ((p->want_turn || many) &&
        !note_stick_turns(p, m, &x, end.time, &after, many ? budget : &enough, now)) {
        return OUT_OF_BUDGET;
    }
    after.greatest = now->greatest;
    *now = after;
    if (now->delta <= 1e-13 * scale) {
        now->delta = 0;
        return SEPARATED;
    }
    *s = face == 0 ? -1 : 1;
    now->u = *s * p->mu * now->delta;
    return TO_SLIP;
}

/* ---- the whole contact ---- */

/* At the rim of the cone, stick is what friction can hold: slip that would slow down. Without
 * friction nothing sticks. */
static bool sticks_at_start(const imp_linear_problem *p, double s) {
    double speed = fabs(p->v_t);
    if (p->constrained) {
        return speed <= p->mu;
    }
    if (fabs(speed - p->mu) <= on_the_cone * larger(speed, p->mu)) {
        return p->mu > 0 && slip_rate(p, s) < 0;
    }
    return speed < p->mu;
}

static phase_end run_phases(const imp_linear_problem *p, modes *m, state *now) {
    int64_t budget = p->budget;
    double s = p->v_t < 0 ? -1 : 1;
    phase_end end = TO_SLIP;
    if (sticks_at_start(p, s)) {
        if (p->constrained) {
            return gross_stick(p, now);
        }
        s = 0;
        end = TO_STICK;
    }
    while (end == TO_STICK || end == TO_SLIP) {
        if (--budget <= 0) {
            return OUT_OF_BUDGET;
        }
        if (end == TO_SLIP) {
            end = slip(p, now, s);
        } else if (p->constrained) {
            end = constrained_stick(p, now, &s);
        } else {
            if (!(m->a == p->a && m->c == p->c && m->determinant == p->determinant)) {
                *m = normal_modes(p);
            }
            end = free_stick(p, m, &budget, now, &s);
        }
    }
    return end;
}

static imp_compliant_mode classify(const state *now, phase_end end) {
    int first = now->sequence & 3, third = (int)(now->sequence >> 4) & 3;
    if (end == WEDGED) {
        return IMP_COMPLIANT_WEDGE;
    }
    switch (now->phases) {
    case 1:
        return first == STICK ? IMP_COMPLIANT_GROSS_STICK : IMP_COMPLIANT_GROSS_SLIP;
    case 2:
        return first == STICK ? IMP_COMPLIANT_STICK_SLIP : IMP_COMPLIANT_MULTIPLE;
    case 3:
        return first == STICK   ? IMP_COMPLIANT_MULTIPLE
               : first == third ? IMP_COMPLIANT_SAME
                                : IMP_COMPLIANT_REVERSED;
    case 4:
        return first == STICK ? IMP_COMPLIANT_STICK_SLIP_STICK_SLIP : IMP_COMPLIANT_MULTIPLE;
    default:
        return IMP_COMPLIANT_MULTIPLE;
    }
}

/* Kinetic energy that an impulse at the contact can take away: v . B^-1 v / 2. */
static double kinetic_energy(const imp_linear_problem *p, double v_t, double v_n) {
    if (p->constrained) {
        return v_n * v_n / 2;
    }
    double along = v_t - p->c * v_n;
    return (along * along / p->determinant + v_n * v_n) / 2;
}

/* A cell that does not conserve energy is not called solved: friction beyond 1e10 or so leaves no
 * digits of the stick's end. */
static imp_outcome judge(double accounted, double initial) {
    if (!isfinite(accounted) || !isfinite(initial)) {
        return IMP_NOT_FINITE;
    }
    return fabs(accounted - initial) <= 1e-6 * initial ? IMP_SOLVED : IMP_NO_CONVERGENCE;
}

imp_linear_result imp_linear_solve(const imp_linear_problem *problem, imp_linear_modes *m) {
    state now = {.v_t = problem->v_t, .v_n = -1};
    phase_end end = run_phases(problem, m, &now);
    if (end == OUT_OF_BUDGET || end == LOST) {
        return (imp_linear_result){.outcome = end == LOST ? IMP_NOT_FINITE : IMP_BUDGET};
    }
    double elastic = (now.delta * now.delta + now.u * now.u) / 2;
    double initial = kinetic_energy(problem, problem->v_t, -1);
    double kept = kinetic_energy(problem, now.v_t, now.v_n) + (end == WEDGED ? elastic : 0);
    return (imp_linear_result){
        .outcome = judge(kept + now.loss, initial),
        .mode = classify(&now, end),
        .sequence = now.sequence,
        .v_t = now.v_t,
        .v_n = now.v_n,
        .p_t = now.p_t,
        .p_n = now.p_n,
        .p_n_turn = now.greatest.p_n,
        .t_turn = now.greatest.time,
        .work_approach = now.greatest.work,
        .work_rebound = now.work - now.greatest.work,
        .duration = now.time,
        .loss = now.loss,
        .initial = initial,
        .balance = (kept + now.loss - initial) / initial,
    };
}
