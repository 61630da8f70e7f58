#include "models/bounce/body.h"

#include <math.h>

#include "bodies/planar/body.h"
#include "models/theory.h"
#include "num/larger.h"
#include "num/trigonometry.h"

/* ---- parameters ---- */

static const imp_parameter *const of_sphere[] = {&imp_parameter_radius, &imp_parameter_mass};
static const imp_parameter *const of_rod[] = {&imp_parameter_length, &imp_parameter_mass};
#define SIZE(called, says)                                                                         \
    IMP_PARAMETER(called, "m", says, IMP_RANGE_NOT_NEGATIVE, .fallback = 1, .example = 0.5)
static const imp_parameter *const of_block[] = {SIZE("width", "side 1-2 of the block"),
                                                SIZE("height", "side 2-3 of the block"),
                                                &imp_parameter_mass};
static const imp_parameter *const of_capsule[] = {&imp_parameter_slenderness, &imp_parameter_radius,
                                                  &imp_parameter_mass};
/* A corner at the mass centre never touches: a body with fewer corners leaves the others there. */
#define CORNER(k, r, beta)                                                                         \
    IMP_PARAMETER("corner_distance_" #k, "m",                                                      \
                  "distance of corner " #k " from the mass centre; 0: there is no such corner",    \
                  IMP_RANGE_NOT_NEGATIVE, .fallback = (k) > 3 ? 0 : NAN, .example = r),            \
        IMP_PARAMETER("corner_angle_" #k, "rad",                                                   \
                      "angle from t to the line from the mass centre to corner " #k                \
                      ", toward n, at tilt 0",                                                     \
                      IMP_RANGE_FINITE, .fallback = (k) > 3 ? 0 : NAN, .example = beta)
static const imp_parameter *const of_points[] = {
    &imp_parameter_gyration_radius,
    &imp_parameter_mass,
    CORNER(1, 1, 0.2),
    CORNER(2, 0.9, 2.2),
    CORNER(3, 1.1, 4.1),
    CORNER(4, 0.8, 5.3),
    CORNER(5, 0, 0),
    CORNER(6, 0, 0),
    CORNER(7, 0, 0),
    CORNER(8, 0, 0),
};

/* ---- the hull ---- */

/* The centre of a disc about the mass centre, at tilt 0, and its number. */
typedef struct place {
    double x, y;
    int number;
} place;

/* Twice the area of the triangle, positive if a, b, c go around it counter-clockwise. */
static double area(const place *a, const place *b, const place *c) {
    return (b->x - a->x) * (c->y - a->y) - (b->y - a->y) * (c->x - a->x);
}

/* Places closer than this part of the body are one place, or on one side. */
static const double one_place = 1e-12;

/* Sorts the places by x, then y, and removes those that are others again. Returns their number. */
static int sort_places(place *p, int n, double size) {
    for (int i = 1; i < n; i++) {
        for (int j = i; j > 0; j--) {
            bool later = p[j - 1].x > p[j].x || (p[j - 1].x == p[j].x && p[j - 1].y > p[j].y);
            place higher = later ? p[j - 1] : p[j];
            p[j - 1] = later ? p[j] : p[j - 1];
            p[j] = higher;
        }
    }
    int left = 0;
    for (int i = 0; i < n; i++) {
        bool again = false;
        for (int j = 0; j < left; j++) {
            again |= fabs(p[i].x - p[j].x) + fabs(p[i].y - p[j].y) <= one_place * size;
        }
        if (!again) {
            p[left++] = p[i];
        }
    }
    return left;
}

/* Writes the corners of the convex hull of sorted places, counter-clockwise, the lower half from
 * the left and then the upper one, and returns their number. */
static int hull_of(const place *p, int n, double size, place *hull) {
    int count = 0;
    for (int half = 0; half < 2 && n > 1; half++) {
        int base = count;
        for (int i = 0; i < n; i++) {
            const place *next = &p[half ? n - 1 - i : i];
            while (count >= base + 2 &&
                   area(&hull[count - 2], &hull[count - 1], next) <= one_place * size * size) {
                count--;
            }
            hull[count++] = *next;
        }
        count--; /* the last place begins the other half */
    }
    return count;
}

/* ---- the flats ---- */

/* Enters flat k, and returns whether the mass centre is above the line through its points. */
static bool enter_flat(imp_bounce_body *body, const place *p, int k) {
    int next = imp_bounce_next(body, k);
    double x = p[next].x - p[k].x, y = p[next].y - p[k].y, length = sqrt(x * x + y * y);
    imp_bounce_flat *flat = &body->flat[k];
    x /= length;
    y /= length;
    flat->angle = imp_heading(-y, x);
    for (int j = 0; j < body->n; j++) {
        flat->a[j] = x * p[j].x + y * p[j].y;
        flat->b[j] = x * p[j].y - y * p[j].x;
    }
    flat->b[next] = flat->b[k];
    bool between = body->n > 2 || (flat->a[k] <= 0 && flat->a[next] >= 0);
    return between && flat->b[k] <= one_place * length;
}

/* Enters the hull of n places; false if the mass centre is outside. */
static bool enter_hull(imp_bounce_body *body, place *p, int n) {
    place hull[2 * IMP_BOUNCE_POINTS];
    double size = 0;
    for (int i = 0; i < n; i++) {
        size = imp_larger(size, fabs(p[i].x) + fabs(p[i].y));
    }
    body->n = hull_of(p, sort_places(p, n, size), size, hull);
    bool inside = body->n > 1;
    for (int k = 0; k < body->n; k++) {
        body->number[k] = hull[k].number;
        body->r[k] = sqrt(hull[k].x * hull[k].x + hull[k].y * hull[k].y);
        body->reach = imp_larger(body->reach, body->r[k] + body->radius);
        inside &= enter_flat(body, hull, k);
    }
    for (int k = 0; k < body->n; k++) {
        double turn = body->flat[imp_bounce_before(body, k)].angle - body->flat[k].angle;
        body->corner[k] = turn > 0 ? turn : turn + 2 * IMP_PI;
    }
    return inside;
}

/* ---- the bodies ---- */

static bool sphere(const double *value, imp_bounce_body *body) {
    body->n = 1;
    body->number[0] = 1;
    body->radius = body->reach = value[0];
    body->gyration = sqrt(0.4) * value[0];
    body->mass = value[1];
    return true;
}

static bool rod(const double *value, imp_bounce_body *body) {
    place p[] = {{value[0] / 2, 0, 1}, {-value[0] / 2, 0, 2}};
    body->gyration = value[0] / sqrt(12);
    body->mass = value[1];
    return enter_hull(body, p, 2);
}

static bool block(const double *value, imp_bounce_body *body) {
    double x = value[0] / 2, y = value[1] / 2;
    place p[] = {{-x, -y, 1}, {x, -y, 2}, {x, y, 3}, {-x, y, 4}};
    body->gyration = sqrt((value[0] * value[0] + value[1] * value[1]) / 12);
    body->mass = value[2];
    return enter_hull(body, p, 4);
}

static bool capsule(const double *value, imp_bounce_body *body) {
    double radius = value[1], length = value[0] * radius;
    place p[] = {{length / 2, 0, 1}, {-length / 2, 0, 2}};
    body->radius = radius;
    body->gyration = sqrt(imp_capsule_gyration_squared(radius, length));
    body->mass = value[2];
    return enter_hull(body, p, 2);
}

static bool points(const double *value, imp_bounce_body *body) {
    place p[IMP_BOUNCE_POINTS];
    int n = 0;
    for (int k = 0; k < IMP_BOUNCE_POINTS; k++) {
        double r = value[2 + 2 * k];
        imp_sincos angle = imp_sine_cosine(value[3 + 2 * k]);
        if (r > 0) {
            p[n++] = (place){.x = r * angle.cosine, .y = r * angle.sine, .number = k + 1};
        }
    }
    body->gyration = value[0];
    body->mass = value[1];
    return enter_hull(body, p, n);
}

/* ---- the choice ---- */

const imp_option *const imp_bounce_bodies[IMP_BOUNCE_BODIES] = {
    IMP_OPTION_WITH("sphere", "solid sphere", of_sphere),
    IMP_OPTION_WITH("rod", "slender rod: corners 1 and 2 are the ends, 1 toward t at tilt 0",
                    of_rod),
    IMP_OPTION_WITH(
        "block",
        "uniform block: corners 1 to 4 go around counter-clockwise, 1 below toward -t at tilt 0",
        of_block),
    IMP_OPTION_WITH("capsule",
                    "solid cylinder with hemispherical ends 1 and 2, 1 toward t at tilt 0",
                    of_capsule),
    IMP_OPTION_WITH("points", "rock: the convex hull of up to 8 corners, and a gyration radius",
                    of_points),
};

bool imp_bounce_body_of(int code, const double *value, imp_bounce_body *body) {
    static bool (*const enter[IMP_BOUNCE_BODIES])(const double *, imp_bounce_body *) = {
        sphere, rod, block, capsule, points};
    *body = (imp_bounce_body){.radius = 0};
    return enter[code](value, body) && body->gyration > 0;
}
