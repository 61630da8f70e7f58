#include "num/circle.h"

#include <math.h>
#include <stdbool.h>

#include "base/constants.h"
#include "num/bracket.h"
#include "num/larger.h"

/* With t = tan(x/2) the function times (1 + t^2)^2 is a quartic. |t| <= 1 is half the circle; on
 * the other half the odd harmonics change sign. */
typedef struct quartic {
    double c[5]; /* c[k] t^k */
    double size; /* largest possible value on |t| <= 1 */
    bool negative_below,
        negative_above; /* its sign at t = -1 and t = 1, the same for both halves */
} quartic;

static quartic quartic_of(const imp_harmonics *f, double half) {
    double c1 = half * f->c1, s1 = half * f->s1;
    return (quartic){
        .c = {f->mean + c1 + f->c2, 2 * s1 + 4 * f->s2, 2 * f->mean - 6 * f->c2, 2 * s1 - 4 * f->s2,
              f->mean - c1 + f->c2},
        .size = 4 * (fabs(f->mean) + fabs(c1) + fabs(s1) + fabs(f->c2) + fabs(f->s2)),
        .negative_below = f->mean - f->c2 - s1 < 0,
        .negative_above = f->mean - f->c2 + s1 < 0,
    };
}

/* Value of the polynomial of degree n; *slope: its derivative. */
static double value_of(const double *c, int n, double t, double *slope) {
    double value = c[n], derivative = 0;
    for (int k = n - 1; k >= 0; k--) {
        derivative = derivative * t + value;
        value = value * t + c[k];
    }
    *slope = derivative;
    return value;
}

/* The zero of a polynomial between two points where its signs differ: Newton's method, kept inside
 * a bracket that shrinks, until a step is lost in rounding. Such a step may lead out of the
 * bracket. */
static double zero_between(const double *c, int n, double low, double high, bool rises) {
    imp_bracket b = {.low = low, .high = high};
    double slope, t = imp_bracket_middle(&b);
    for (int i = 0; i < 200; i++) {
        double value = value_of(c, n, t, &slope);
        imp_bracket_cut(&b, t, (value < 0) == rises);
        double guess = t - value / slope, next = imp_bracket_next(&b, guess);
        if (fabs(guess - t) <= 2e-16) {
            return guess;
        }
        if (!imp_bracket_holds(&b, next)) {
            return next;
        }
        t = next;
    }
    return t;
}

/* Writes the sign changes in (-1, 1] of a polynomial of degree n, given those of its derivative
 * (turns). Between two of these the polynomial is monotone, so no zero is missed. */
static int sign_changes(const double *c, int n, const double *turns, int n_turns, double *zeros) {
    double low = -1, slope;
    bool negative = value_of(c, n, low, &slope) < 0;
    int found = 0;
    for (int i = 0; i <= n_turns; i++) {
        double high = i < n_turns ? turns[i] : 1;
        bool next = value_of(c, n, high, &slope) < 0;
        if (next != negative) {
            zeros[found++] = zero_between(c, n, low, high, negative);
        }
        low = high;
        negative = next;
    }
    return found;
}

/* Writes the sign changes in (-1, 1] of c[0] + c[1] t + c[2] t^2. Scaled, so that no square leaves
 * the range of doubles. */
static int quadratic_changes(const double *c, double *zeros) {
    double scale = imp_larger(fabs(c[2]), imp_larger(fabs(c[1]), fabs(c[0])));
    double a = c[2] / scale, half = c[1] / scale / 2, rest = c[0] / scale;
    double square = half * half - a * rest;
    if (!(square > 0)) {
        return 0;
    }
    double sum = half < 0 ? sqrt(square) - half : -half - sqrt(square);
    double one = sum / a, other = rest / sum;
    double low = imp_smaller(one, other), high = imp_larger(one, other);
    int found = 0;
    if (low > -1 && low <= 1) {
        zeros[found++] = low;
    }
    if (high > -1 && high <= 1) {
        zeros[found++] = high;
    }
    return found;
}

/* Turning points of the quartic in (-1, 1], from those of its derivative. */
static int turning_points(const quartic *q, double *turns) {
    const double *c = q->c;
    const double second[] = {2 * c[2], 6 * c[3], 12 * c[4]};
    const double first[] = {c[1], 2 * c[2], 3 * c[3], 4 * c[4]};
    double two[2];
    int n = quadratic_changes(second, two);
    return sign_changes(first, 3, two, n, turns);
}

/* Rounding makes up to so many zeros of a quartic with a triple zero: two at each turning point,
 * and changes of sign beside them. */
enum { ROOM = 3 * 2 + 4 };

/* Writes the zeros of a quartic in (-1, 1]. A turning point whose value is lost in rounding is a
 * double zero, written twice. */
static int quartic_zeros(const quartic *q, double *zeros) {
    double turns[3], slope;
    int n_turns = turning_points(q, turns), found = 0;
    double low = -1;
    bool negative = q->negative_below;
    for (int i = 0; i <= n_turns; i++) {
        double high = i < n_turns ? turns[i] : 1, value = value_of(q->c, 4, high, &slope);
        bool next = i < n_turns ? value < 0 : q->negative_above;
        bool touches = i < n_turns && high < 1 - 1e-9 && fabs(value) <= 1e-16 * q->size;
        if (touches) {
            zeros[found++] = high;
            zeros[found++] = high;
            /* The sign is the same on both sides of a touch. */
            next = negative;
        } else if (next != negative) {
            zeros[found++] = zero_between(q->c, 4, low, high, negative);
        }
        low = high;
        negative = next;
    }
    return found;
}

/* The direction of a unit vector; the angle 0 never becomes nearly a full turn. */
static imp_direction direction_to(double c, double s) {
    double angle = imp_heading(s, c);
    angle += angle < 0 ? 2 * IMP_PI : 0;
    return (imp_direction){.angle = angle < 2 * IMP_PI ? angle : 0, .c = c, .s = s};
}

/* A direction along an axis is exact. */
static imp_direction direction_of(double t, double half) {
    t = fabs(t) < 1e-15 ? 0 : t;
    double square = t * t, size = 1 + square;
    return direction_to(half * (1 - t) * (1 + t) / size, half * 2 * t / size);
}

/* A unit vector along axis 1, but for rounding, is along it. */
static imp_direction direction_beside(double c, double s) {
    bool along = fabs(s) < 1e-15;
    return direction_to(along ? (c < 0 ? -1 : 1) : c, along ? 0 : s);
}

/* Enters a direction into an ascending list of n. */
static void enter(imp_direction *list, int n, imp_direction zero) {
    for (; n > 0 && list[n - 1].angle > zero.angle; n--) {
        list[n] = list[n - 1];
    }
    list[n] = zero;
}

/* ---- triple zeros ---- */

/* The same for the function turned round the circle. */
static double size_of(const imp_harmonics *f) {
    return fabs(f->mean) + sqrt(f->c1 * f->c1 + f->s1 * f->s1) +
           sqrt(f->c2 * f->c2 + f->s2 * f->s2);
}

/* The second and the third derivative. */
static double bend_at(const imp_harmonics *f, double c, double s) {
    return -(f->c1 * c + f->s1 * s) - 4 * (f->c2 * (c - s) * (c + s) + f->s2 * (2 * s * c));
}

static double twist_at(const imp_harmonics *f, double c, double s) {
    return f->c1 * s - f->s1 * c + 8 * (f->c2 * (2 * s * c) - f->s2 * (c - s) * (c + s));
}

/* What rounding of the coefficients may leave of a value of 0, over the size. */
static const double lost = 2e-15;

/* Whether in a direction in which the second derivative vanishes the slope is so small that it
 * makes no difference to a zero: the values at the turning points on both sides, (2 slope / 3)
 * sqrt(2 slope / twist), would be lost in rounding. */
static bool is_flat(const imp_harmonics *f, double c, double s) {
    const double least_twist = 0.01;
    double size = size_of(f), twist = fabs(twist_at(f, c, s)) / size;
    double slope = fabs(imp_harmonics_slope(f, c, s)) / size;
    return twist >= least_twist && slope * slope * slope <= 9.0 / 8 * twist * lost * lost;
}

bool imp_harmonics_falls(const imp_harmonics *f, double c, double s) {
    const double straight = 1e-12;
    bool triple = fabs(bend_at(f, c, s)) <= straight * size_of(f) && is_flat(f, c, s);
    return (triple ? twist_at(f, c, s) : imp_harmonics_slope(f, c, s)) < 0;
}

/* Zeros so near to a triple one are this one. */
static const double near = 1e-4;

/* Turns a unit vector by the angle whose tangent is `by`. */
static void turn(double *c, double *s, double by) {
    double length = sqrt(1 + by * by), turned = (*c - *s * by) / length;
    *s = (*s + *c * by) / length;
    *c = turned;
}

/* Moves a zero to the triple zero beside it, if there is one: where the second derivative vanishes,
 * with value and slope lost in rounding. The value alone tells its place to 1e-5 only. */
static bool move_to_triple(const imp_harmonics *f, imp_direction *zero) {
    const double gentle = 1e-7, nothing = 1e-15;
    double size = size_of(f), c = zero->c, s = zero->s, moved = 0;
    if (!(fabs(imp_harmonics_slope(f, c, s)) <= gentle * size)) {
        return false;
    }
    for (int i = 0; i < 4; i++) {
        double by = -bend_at(f, c, s) / twist_at(f, c, s);
        moved += by;
        if (!(fabs(moved) <= near)) {
            return false;
        }
        turn(&c, &s, by);
    }
    if (fabs(imp_harmonics_at(f, c, s)) > lost * size || !is_flat(f, c, s)) {
        return false;
    }
    if (fabs(moved) > nothing) {
        *zero = direction_beside(c, s);
    }
    return true;
}

/* Of n zeros in ascending order, those that rounding makes of a triple one become this one. Returns
 * the number that is left. */
static int merge_triple(const imp_harmonics *f, imp_direction *zeros, int n) {
    imp_direction triple = {.angle = 0};
    bool found = false;
    for (int i = 0; i < n && !found; i++) {
        triple = zeros[i];
        found = move_to_triple(f, &triple);
    }
    if (!found) {
        return n;
    }
    int left = 0;
    for (int i = 0; i < n; i++) {
        double along = zeros[i].c * triple.c + zeros[i].s * triple.s;
        double across = zeros[i].s * triple.c - zeros[i].c * triple.s;
        if (along < 0 || fabs(across) > 2 * near) {
            zeros[left++] = zeros[i];
        }
    }
    enter(zeros, left, triple);
    return left + 1;
}

/* ---- double zeros where the halves of the circle meet ---- */

/* Values lost in rounding, over the size. */
static const double touch = 4e-16;

/* Whether the function touches 0 where both halves end, in the direction (0, end): its value there
 * and that at the turning point beside it are lost in rounding. Each half by itself would take what
 * is left of them for changes of sign. */
static bool touches_end(const imp_harmonics *f, double end) {
    const double least_bend = 1e-6;
    double most = fabs(f->mean) + fabs(f->c1) + fabs(f->s1) + fabs(f->c2) + fabs(f->s2);
    double value = fabs(imp_harmonics_at(f, 0, end));
    /* So it is nearly always, and cheaper to see. */
    if (value > touch * most) {
        return false;
    }
    double size = size_of(f), bend = fabs(bend_at(f, 0, end));
    double slope = imp_harmonics_slope(f, 0, end);
    return value <= touch * size && bend > least_bend * size &&
           slope * slope <= 2 * touch * size * bend;
}

/* The zeros of a function that touches 0 in the direction (0, end): this one twice and, with u =
 * tan(y/2) and the angle y from there, those of a quadratic, by u^2 times which the function times
 * (1 + u^2)^2 / 2 is left. They are exact if the touch is. Scaled, so that no square leaves the
 * range of doubles. */
static int zeros_with_touch(const imp_harmonics *f, double end, imp_direction *zeros) {
    double scale = size_of(f), half = 2 * f->s2 / scale;
    double rest = (f->mean + 3 * f->c2) / scale, a = (f->mean - f->c2) / scale;
    double square = half * half - a * rest;
    zeros[0] = zeros[1] = (imp_direction){.angle = IMP_PI * (1 - end / 2), .c = 0, .s = end};
    bool touches = fabs(square) <= touch;
    if (!touches && square < 0) {
        return 2;
    }
    double root = touches ? 0 : sqrt(square), sum = half < 0 ? root - half : -half - root;
    for (int k = 0; k < 2; k++) {
        bool first = touches ? fabs(a) > fabs(rest) : k == 0;
        double over = first ? sum : rest, under = first ? a : sum;
        double size = over * over + under * under;
        double c = -end * (2 * over * under / size);
        double s = end * ((under - over) * (under + over) / size);
        /* A simple zero by Newton's method, if the touch is none in the last digits. */
        for (int i = 0; i < 2 && !touches; i++) {
            turn(&c, &s, -imp_harmonics_at(f, c, s) / imp_harmonics_slope(f, c, s));
        }
        enter(zeros, 2 + k, direction_beside(c, s));
    }
    return 4;
}

/* The zeros in ascending order, all that rounding makes. */
static int all_zeros(const imp_harmonics *f, imp_direction *all) {
    int found = 0;
    for (double half = 1; half >= -1; half -= 2) {
        if (touches_end(f, half)) {
            return zeros_with_touch(f, half, all);
        }
    }
    for (double half = 1; half >= -1; half -= 2) {
        quartic q = quartic_of(f, half);
        double t[ROOM];
        int n = q.size > 0 ? quartic_zeros(&q, t) : 0;
        for (int i = 0; i < n; i++) {
            enter(all, found++, direction_of(t[i], half));
        }
    }
    return found;
}

int imp_harmonics_zeros(const imp_harmonics *f, imp_direction zeros[IMP_MOST_ZEROS]) {
    imp_direction all[2 * ROOM];
    int found = merge_triple(f, all, all_zeros(f, all));
    found = found < IMP_MOST_ZEROS ? found : IMP_MOST_ZEROS;
    for (int i = 0; i < found; i++) {
        zeros[i] = all[i];
    }
    return found;
}
