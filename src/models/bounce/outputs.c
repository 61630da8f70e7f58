#include "models/bounce/outputs.h"

#include <math.h>

#include "models/bounce/state.h"
#include "models/theory.h"
#include "num/larger.h"

/* ---- the table ---- */

#define NONE (IMP_MODE_BIT(IMP_BOUNCE_AMBIGUOUS) | IMP_MODE_BIT(IMP_BOUNCE_JAM))
#define NO_FACE (NONE | IMP_MODE_BIT(IMP_BOUNCE_LEAVES))
#define NO_IMPACT .undefined_when = "the body does not strike the plane"
#define NO_SECOND .undefined_when = "the body does not strike the plane a second time"
#define NO_CONTACT .undefined_when = "the motion is not known up to a contact that lasts"

#define ONE(k)                                                                                     \
    { k, #k, "touches the plane with point " #k }
#define TWO(code, i, k)                                                                            \
    { code, #i "-" #k, "points " #i " and " #k " touch the plane" }
/* A body rests on one point, or on two of eight. */
static const imp_mode faces[] = {
    ONE(1),        ONE(2),        ONE(3),        ONE(4),        ONE(5),        ONE(6),
    ONE(7),        ONE(8),        TWO(9, 1, 2),  TWO(10, 1, 3), TWO(11, 1, 4), TWO(12, 1, 5),
    TWO(13, 1, 6), TWO(14, 1, 7), TWO(15, 1, 8), TWO(16, 2, 3), TWO(17, 2, 4), TWO(18, 2, 5),
    TWO(19, 2, 6), TWO(20, 2, 7), TWO(21, 2, 8), TWO(22, 3, 4), TWO(23, 3, 5), TWO(24, 3, 6),
    TWO(25, 3, 7), TWO(26, 3, 8), TWO(27, 4, 5), TWO(28, 4, 6), TWO(29, 4, 7), TWO(30, 4, 8),
    TWO(31, 5, 6), TWO(32, 5, 7), TWO(33, 5, 8), TWO(34, 6, 7), TWO(35, 6, 8), TWO(36, 7, 8)};

const imp_output imp_bounce_outputs[IMP_BOUNCE_N_OUTPUTS] = {
#define OUTPUT(code, value, ...) [IMP_BOUNCE_OF_##code] = __VA_ARGS__,
#include "models/bounce/outputs.def"
};

const imp_mode imp_bounce_modes[IMP_BOUNCE_N_MODES] = {
    {IMP_BOUNCE_REST, "rest", "the body comes to rest"},
    {IMP_BOUNCE_ROLL, "roll", "the body rolls on, or stands as a disc, for ever"},
    {IMP_BOUNCE_SLIDE, "slide", "the body slides on without friction for ever"},
    {IMP_BOUNCE_LEAVES, "leaves",
     "without gravity the body leaves the plane for good, or touches the plane without a force"},
    {IMP_BOUNCE_AMBIGUOUS, "ambiguous",
     "two points strike at one instant, whose order decides: solved up to there"},
    {IMP_BOUNCE_JAM, "jam",
     "no force, or more than one, keeps a sliding point on the plane (Painleve): solved up to "
     "there"},
};

/* ---- values ---- */

static double if_struck(const imp_bounce_tally *t, int64_t times, double value) {
    return t->impacts >= times ? value : NAN;
}

static double if_settled(const imp_bounce_tally *t, double value) {
    return t->settled ? value : NAN;
}

/* The code of a sequence of points; see imp_sequence_text. */
static double sequence_of(const imp_bounce_tally *t) {
    int n = t->impacts < IMP_SEQUENCE_POINTS ? (int)t->impacts : IMP_SEQUENCE_POINTS;
    uint64_t end = UINT64_C(1) << (3 * n);
    return (double)(IMP_SEQUENCE_OF_POINTS | end | t->sequence);
}

/* The code of two points, or of one. */
static double face_of(int one, int other) {
    int low = one < other ? one : other, high = one < other ? other : one, n = IMP_BOUNCE_POINTS;
    if (low == 0) {
        return high;
    }
    /* The pairs whose lower number is less come first. */
    return n + (low - 1) * (2 * n - low) / 2 + high - low;
}

/* ---- amplification ---- */

/* The parameters with each changed up (+1), down (-1) or not at all (0) by its sign in a row. */
static imp_bounce_problem nudged(const imp_bounce_problem *p, const int *sign, double nudge) {
    imp_bounce_problem q = *p;
    double *value[] = {&q.friction,   &q.gravity,    &q.tilt,        &q.drop,           &q.spin,
                       &q.velocity_t, &q.velocity_n, &q.restitution, &q.stiffness_ratio};
    for (int k = 0; k < IMP_COUNT(value); k++) {
        *value[k] *= 1 + sign[k] * nudge;
    }
    return q;
}

static double change(double a, double b, double unit) {
    return fabs(a - b) / imp_larger(fabs(a), unit);
}

/* The largest change of a time, a place or an angle from one cell to its neighbour. */
static double difference(const imp_bounce_cell *a, const imp_bounce_cell *b) {
    const imp_bounce_tally *s = &a->tally, *t = &b->tally;
    bool alike = a->outcome == b->outcome && a->mode == b->mode && s->impacts == t->impacts &&
                 s->sequence == t->sequence && a->rest_left == b->rest_left &&
                 a->rest_right == b->rest_right;
    if (!alike) {
        return 1;
    }
    double reach = a->p.body.reach;
    double most = imp_larger(change(a->m.time, b->m.time, 1), change(a->m.x, b->m.x, reach));
    most = imp_larger(most, change(imp_bounce_angle(a), imp_bounce_angle(b), 1));
    most = imp_larger(most, change(s->first.time, t->first.time, 1));
    most = imp_larger(most, change(s->second.time, t->second.time, 1));
    if (s->largest_index == t->largest_index) {
        most = imp_larger(most, change(s->largest.time, t->largest.time, 1));
    }
    if (s->settled) {
        most = imp_larger(most, change(s->settle.time, t->settle.time, 1));
        most = imp_larger(most, change(s->settle.x, t->settle.x, reach));
        most = imp_larger(most, change(s->settle_angle, t->settle_angle, 1));
    }
    return most;
}

/* A neighbour of the cell: the relative change of its parameters, and the sign of each. */
typedef struct neighbour {
    double nudge;
    int sign[9];
} neighbour;

static double growth_to(const imp_bounce_cell *c, const neighbour *to) {
    imp_bounce_problem p = nudged(&c->p, to->sign, to->nudge);
    imp_bounce_cell next;
    imp_bounce_run(&p, &next);
    return imp_smaller(difference(c, &next), 1) / to->nudge;
}

/* How much the cell changes with its parameters. A second neighbour takes as long as the cell
 * itself, and says more only where much grows: the clatter of a body that falls flat ends the
 * growth of all but the smallest changes, and in 1 cell of 100 changes of two parameters make up
 * for each other. Restitution is at most 1, and goes down. */
static double amplification_of(const imp_bounce_cell *c) {
    static const neighbour near = {0x1p-44, {-1, 1, 1, -1, -1, 1, -1, -1, 1}};
    static const neighbour farther = {0x1p-32, {1, 1, 1, 1, 1, 1, 1, -1, 1}};
    const double much = 0x1p12;
    double growth = growth_to(c, &near);
    return growth > much ? imp_larger(growth, growth_to(c, &farther)) : growth;
}

void imp_bounce_put(const imp_bounce_cell *c, double *const *out, size_t i) {
    const imp_bounce_tally *t = &c->tally;
    bool wanted = out[IMP_BOUNCE_OF_AMPLIFICATION] || out[IMP_BOUNCE_OF_UNCERTAINTY];
    bool ended = !(NONE >> c->mode & 1);
    double amplification = wanted && ended ? amplification_of(c) : NAN;
#define OUTPUT(code, value, ...)                                                                   \
    IMP_PUT_ROW(imp_bounce_outputs, IMP_BOUNCE_OF_##code, c->mode, value)
#include "models/bounce/outputs.def"
    if (out[IMP_BOUNCE_OF_FACE] && NO_FACE >> c->mode & 1) {
        out[IMP_BOUNCE_OF_FACE][i] = 0; /* as codes are where they are not defined */
    }
}
