#include "models/bounce/series.h"

#include <math.h>

#include "num/larger.h"
#include "num/trigonometry.h"

double imp_bounce_first_zero(const double *power, int order, double end) {
    double least = 0, fall = 0;
    for (int k = order; k > 0; k--) {
        least = (least + fabs(power[k])) * end;
        fall = k > 1 ? fall * end + k * (k - 1) * fabs(power[k]) : fall;
    }
    if (power[0] > least) {
        return INFINITY;
    }
    const int enough = 100; /* looks, where the series only touches 0 */
    double time = 0;
    for (int i = 0; i < enough && time < end; i++) {
        double value = power[order], rate = 0;
        for (int k = order - 1; k >= 0; k--) {
            rate = rate * time + value;
            value = value * time + power[k];
        }
        double step = value > 0 ? imp_bounce_earliest(value, rate, fall) : 0;
        time += step;
        if (step <= 0x1p-53 * time) {
            return time < end ? time : INFINITY;
        }
    }
    return time < end ? time : INFINITY;
}

/* ---- coefficients ---- */

/* The coefficient of t^n in a product, without the part of a[0] .. a[from - 1]. Two sums, which the
 * processor adds at the same time. */
static inline double product(const double *a, const double *b, int n, int from) {
    double even = 0, odd = 0;
    int j = from;
    for (; j < n; j += 2) {
        even += a[j] * b[n - j];
        odd += a[j + 1] * b[n - j - 1];
    }
    return j == n ? even + a[n] * b[0] + odd : even + odd;
}

/* In stick the energy is kept: inertia times turning = gravity + radius spin^2, times across. */
static double stick_turning(const imp_bounce_pivot *p, imp_bounce_series *s, int n) {
    double torque = p->gravity * s->across[n];
    if (p->radius == 0) {
        return torque / s->inertia[0];
    }
    s->inertia[n] = n > 0 ? -2 * p->radius * s->height[n] : s->inertia[0];
    s->weight[n] = product(s->spin, s->spin, n, 0); /* here the square of the spin */
    torque += p->radius * product(s->across, s->weight, n, 0);
    return (torque - product(s->inertia, s->turning, n, 1)) / s->inertia[0];
}

/* In slip: inertia times turning = lever times weight. */
static double slip_turning(const imp_bounce_pivot *p, imp_bounce_series *s, int n) {
    double arm = s->height[n] - (n > 0 ? 0 : p->radius);
    s->lever[n] = s->across[n] + p->friction * p->slip * arm;
    s->weight[n] = product(s->spin, s->swept, n, 0) + (n > 0 ? 0 : p->gravity);
    s->inertia[n] = product(s->across, s->lever, n, 0) + (n > 0 ? 0 : p->square);
    double torque = product(s->lever, s->weight, n, 0);
    return (torque - product(s->inertia, s->turning, n, 1)) / s->inertia[0];
}

static void begin(const imp_bounce_pivot *p, imp_bounce_series *s) {
    imp_sincos turned = imp_sine_cosine(p->alpha);
    s->alpha[0] = p->alpha;
    s->spin[0] = p->spin;
    s->across[0] = p->a * turned.cosine - p->b * turned.sine;
    s->height[0] = p->a * turned.sine + p->b * turned.cosine;
    double arm = s->height[0] - p->radius;
    s->inertia[0] = p->square + s->across[0] * s->across[0] + arm * arm;
}

/* The coefficients of t^n of products, of t^(n+1) of the angle, its spin, and the place. */
static void raise(const imp_bounce_pivot *p, imp_bounce_series *s, int n) {
    double up = 1.0 / (n + 1);
    s->sunk[n] = product(s->spin, s->across, n, 0);
    s->swept[n] = product(s->spin, s->height, n, 0);
    s->turning[n] = p->slip == 0 ? stick_turning(p, s, n) : slip_turning(p, s, n);
    s->alpha[n + 1] = s->spin[n] * up;
    s->spin[n + 1] = s->turning[n] * up;
    s->across[n + 1] = -s->swept[n] * up;
    s->height[n + 1] = s->sunk[n] * up;
}

/* What the last two terms of the angle are at the horizon, over its change and the tolerance. Both
 * may vanish by chance: odd ones do from rest, and that of t^6 with them where the line from the
 * contact to the mass centre is at 60 deg. The two terms before must then be small as well, within
 * a thousand times what an even decay from t^2 to the tolerance makes of them: 1000 tolerance^(1 -
 * 2 / (n - 2)). */
static double excess(const imp_bounce_series *s, int n, double horizon) {
    const double tolerance = 1e-17;
    static const double before[] = {3.2e-6,  4.6e-9,  1.8e-10, 2.5e-11,
                                    6.8e-12, 2.7e-12, 1.3e-12}; /* n = 6, 8 .. 18 */
    double powers = horizon * horizon, size = fabs(s->alpha[1]) * horizon, earlier = 0;
    size += fabs(s->alpha[2]) * powers;
    for (int k = 3; k < n; k++) {
        powers *= horizon;
        earlier =
            k == n - 3 ? (fabs(s->alpha[k]) + fabs(s->alpha[k + 1]) * horizon) * powers : earlier;
    }
    double terms = (fabs(s->alpha[n - 1]) + fabs(s->alpha[n]) * horizon) * powers;
    double last = terms > tolerance * size ? terms / (tolerance * size) : 0;
    double most = before[n / 2 - 3] * size;
    return earlier > most ? imp_larger(last, earlier / most) : last;
}

/* ---- the length ---- */

/* When value + rate t + half t^2 vanishes; value >= 0. */
static double reaches(double value, double rate, double half) {
    double square = rate * rate - 4 * half * value;
    if (!((half < 0 || rate < 0) && square >= 0)) {
        return INFINITY;
    }
    double root = sqrt(square);
    double time = rate < 0 ? 2 * value / (root - rate) : (rate + root) / (-2 * half);
    return time > 0 ? time : INFINITY;
}

/* When the body is at a flat, as far as the first terms tell. */
static double arrival(const imp_bounce_pivot *p, const imp_bounce_series *s) {
    double sign = p->left ? 1 : -1, raised = sign * s->alpha[0];
    double rate = sign * s->alpha[1], half = sign * s->alpha[2];
    return imp_smaller(reaches(raised, rate, half), reaches(p->corner - raised, -rate, -half));
}

static double root_16(double x) {
    return sqrt(sqrt(sqrt(sqrt(x))));
}

/* ---- what follows from the angle ---- */

static void velocity_of(const imp_bounce_pivot *p, imp_bounce_series *s) {
    double pull = p->friction * p->slip;
    for (int n = 0; n < s->order; n++) {
        double swept = s->swept[n] - p->radius * s->spin[n];
        s->velocity[n] = p->slip == 0 ? swept : pull * (s->sunk[n] - (n == 1 ? p->gravity : 0));
        if (p->slip != 0 && n == 0) {
            s->velocity[0] = p->velocity;
        }
        s->speed[n] = p->slip * (s->velocity[n] - swept);
        s->x[n + 1] = s->velocity[n] / (n + 1);
    }
    s->x[0] = p->x;
    s->velocity[s->order] = s->speed[s->order] = 0;
    s->speed[0] = p->sets_off ? 0 : s->speed[0];
}

static void forces_of(const imp_bounce_pivot *p, imp_bounce_series *s) {
    int order = s->order;
    for (int n = 0; n <= order; n++) {
        bool known = n + 1 < order;
        s->normal[n] = (n > 0 ? 0 : p->gravity) - (known ? (n + 1) * s->sunk[n + 1] : 0);
        s->tangential[n] = known ? (n + 1) * s->velocity[n + 1] : 0;
    }
    s->lost[0] = p->lost;
    for (int n = 0; n < order; n++) {
        double power = p->slip == 0 ? 0 : p->friction * product(s->normal, s->speed, n, 0);
        s->lost[n + 1] = power / (n + 1);
    }
    s->weight[order] = s->inertia[order] = 0;
}

void imp_bounce_expand(const imp_bounce_pivot *p, double horizon, imp_bounce_series *s) {
    const int first = 6; /* orders at which to look whether this is enough */
    double left = 0;
    begin(p, s);
    for (int n = 0; n < IMP_BOUNCE_ORDER; n++) {
        raise(p, s, n);
        s->order = n + 1;
        if (s->order == 2) {
            horizon = imp_smaller(horizon, 1.25 * arrival(p, s));
        }
        left = s->order >= first && s->order % 2 == 0 ? excess(s, s->order, horizon) : 1;
        if (left == 0) {
            break;
        }
    }
    s->length = left > 0 ? 0.9 * horizon / root_16(imp_larger(left, 1)) : horizon;
    velocity_of(p, s);
    forces_of(p, s);
}
