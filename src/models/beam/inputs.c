#include "models/beam/inputs.h"

#include <math.h>

#include "base/constants.h"
#include "models/beam/petsc/interface.h"
#include "models/theory.h"

enum {
    POSITION,
    LENGTH,
    RADIUS,
    STRIKER_RADIUS,
    MODULUS,
    STRIKER_MODULUS,
    POISSON,
    STRIKER_POISSON,
    INTERNAL_DAMPING,
    EXTERNAL_DAMPING,
    ELEMENTS,
    MODE_COUNT,
    TOLERANCE,
};

/* ---- parameters ---- */

const imp_parameter *const imp_beam_parameters[IMP_BEAM_PARAMETERS] = {
    [POSITION] = IMP_PARAMETER(
        "position", "1", "place of the contact: distance from one end of the beam over the length",
        .low = 0, .high = 1, .fallback = 0.68, .example = 0.68),
    [LENGTH] = IMP_PARAMETER("length", "m", "length of the beam", IMP_RANGE_POSITIVE,
                             .fallback = 0.508, .example = 0.508),
    [RADIUS] = IMP_PARAMETER("radius", "m",
                             "radius of curvature of the beam's surface at the contact; also the "
                             "radius of a circular section",
                             IMP_RANGE_POSITIVE, .fallback = 6.35e-3, .example = 6.35e-3),
    [STRIKER_RADIUS] = IMP_PARAMETER("striker_radius", "m",
                                     "radius of curvature of the striker, across the beam's axis; "
                                     "the force of the contact is 4/3 E* (radius "
                                     "striker_radius)^(1/4) indentation^(3/2), as of crossed "
                                     "cylinders of equal radii",
                                     IMP_RANGE_POSITIVE, .fallback = 6.35e-3, .example = 6.35e-3),
    [MODULUS] = IMP_PARAMETER("modulus", "Pa", "Young's modulus of the beam", IMP_RANGE_POSITIVE,
                              .fallback = 68.3e9, .example = 68.3e9),
    [STRIKER_MODULUS] = IMP_PARAMETER("striker_modulus", "Pa", "Young's modulus of the striker",
                                      IMP_RANGE_POSITIVE, .fallback = 68.3e9, .example = 68.3e9),
    [POISSON] = IMP_PARAMETER("poisson_ratio", "1", "Poisson's ratio of the beam", .low = 0,
                              .high = 0.5, .fallback = 0.34, .example = 0.34),
    [STRIKER_POISSON] =
        IMP_PARAMETER("striker_poisson_ratio", "1", "Poisson's ratio of the striker", .low = 0,
                      .high = 0.5, .fallback = 0.34, .example = 0.34),
    [INTERNAL_DAMPING] = IMP_PARAMETER("internal_damping", "Pa s",
                                       "viscosity of the beam's material: stress over strain rate",
                                       IMP_RANGE_NOT_NEGATIVE, .fallback = 0, .example = 1e6),
    [EXTERNAL_DAMPING] = IMP_PARAMETER("external_damping", "kg/(m s)",
                                       "force of the surroundings on the beam per length and speed",
                                       IMP_RANGE_NOT_NEGATIVE, .fallback = 0, .example = 0.1),
    [ELEMENTS] =
        IMP_PARAMETER("elements", "1", "number of finite elements, a whole number", .low = 1,
                      .high = IMP_BEAM_MOST_ELEMENTS, .fallback = 80, .example = 80, .whole = true),
    [MODE_COUNT] = IMP_PARAMETER("mode_count", "1",
                                 "number of natural modes of the beam that are used, rigid modes "
                                 "included: a whole number, at most elements + 1",
                                 .low = 1, .high = IMP_BEAM_MOST_MODES, .fallback = 25,
                                 .example = 25, .whole = true),
    [TOLERANCE] = IMP_PARAMETER("tolerance", "1", "relative error of a step in contact",
                                .low = 1e-13, .high = 1e-3, .fallback = 1e-8, .example = 1e-8),
};

/* ---- choices ---- */

/* Places of parameters among those of their option. */
enum { PIN_POSITION, PINNED_VELOCITY };
enum { FREE_VELOCITY };
enum { MASS_PER_LENGTH, SECOND_MOMENT };
enum { DENSITY };
enum { STRIKER_MASS, STRIKER_SPEED };
enum { TIME_STEP, WINDOW };
enum { FULL_STEP };

static const imp_parameter angular_velocity =
    IMP_PARAMETER_OF("angular_velocity", "rad/s",
                     "angular velocity of the beam before the contact, about the pin or the "
                     "middle; negative: the part beyond that point approaches the striker",
                     IMP_RANGE_FINITE, .fallback = -6, .example = -6);

static const imp_parameter *const of_pinned[] = {
    [PIN_POSITION] = IMP_PARAMETER("pin_position", "m",
                                   "distance of the pin from the end where position is 0: 0, or "
                                   "more than a hundredth of an element from either end",
                                   IMP_RANGE_NOT_NEGATIVE, .fallback = 0.01905, .example = 0.01905),
    [PINNED_VELOCITY] = &angular_velocity};
static const imp_parameter *const of_free[] = {[FREE_VELOCITY] = &angular_velocity};
static const imp_option *const boundaries[] = {
    [IMP_BEAM_PINNED] =
        IMP_OPTION_WITH("pinned", "rotates about a pin before the contact", of_pinned),
    [IMP_BEAM_FREE] = IMP_OPTION_WITH(
        "free", "free at both ends, rotates about the middle before the contact", of_free),
    [IMP_BEAM_CLAMPED] =
        IMP_OPTION("clamped", "clamped at the end where position is 0, at rest before the contact"),
    [IMP_BEAM_PINNED_PINNED] =
        IMP_OPTION("pinned_pinned", "pinned at both ends, at rest before the contact"),
};

static const imp_parameter *const of_given[] = {
    [MASS_PER_LENGTH] = IMP_PARAMETER("mass_per_length", "kg/m", "mass of the beam per length",
                                      IMP_RANGE_POSITIVE, .fallback = 0.3433, .example = 0.3433),
    [SECOND_MOMENT] = IMP_PARAMETER("second_moment", "m^4", "second moment of area",
                                    IMP_RANGE_POSITIVE, .fallback = 1.277e-9, .example = 1.277e-9)};
static const imp_parameter *const of_circular[] = {
    [DENSITY] = IMP_PARAMETER("density", "kg/m^3", "density of the beam", IMP_RANGE_POSITIVE,
                              .fallback = 2710, .example = 2710)};
static const imp_option *const sections[] = {
    [IMP_BEAM_GIVEN_SECTION] =
        IMP_OPTION_WITH("given", "mass per length and second moment are given", of_given),
    [IMP_BEAM_CIRCULAR_SECTION] =
        IMP_OPTION_WITH("circular",
                        "a solid round bar of the given radius: mass_per_length = density pi "
                        "radius^2, second_moment = pi radius^4 / 4",
                        of_circular),
};

static const imp_parameter *const of_striker[] = {
    [STRIKER_MASS] = IMP_PARAMETER("striker_mass", "kg", "mass of the striker", IMP_RANGE_POSITIVE,
                                   .fallback = NAN, .example = 0.05),
    [STRIKER_SPEED] = IMP_PARAMETER("speed", "m/s",
                                    "speed of the striker towards the beam before the contact, in "
                                    "addition to the rotation of the beam",
                                    IMP_RANGE_FINITE, .fallback = 0, .example = 0.1)};
static const imp_option *const strikers[] = {
    [IMP_BEAM_FIXED_STRIKER] = IMP_OPTION("fixed", "a striker that does not move"),
    [IMP_BEAM_FREE_STRIKER] =
        IMP_OPTION_WITH("free", "a free mass, for instance a ball", of_striker),
};

static const imp_parameter *const of_newmark[] = {
    [TIME_STEP] = IMP_PARAMETER("time_step", "s", "step of the Newmark scheme", IMP_RANGE_POSITIVE,
                                .fallback = 1e-7, .example = 1e-5),
    [WINDOW] =
        IMP_PARAMETER("window", "s", "time from first touch after which the Newmark scheme stops",
                      IMP_RANGE_POSITIVE, .fallback = 0.012, .example = 0.012)};
static const imp_parameter *const of_full[] = {
    [FULL_STEP] = IMP_PARAMETER("full_step", "1", "step of the unreduced system, times " IMP_BEAM_S,
                                IMP_RANGE_POSITIVE, .fallback = 5e-5, .example = 1e-3)};
#define BY_PETSC(title, text)                                                                      \
    (&(const imp_option){.name = (title), .meaning = (text), .without_petsc = "collocation"})
static const imp_option *const solvers[] = {
    [IMP_BEAM_MODAL] = BY_PETSC(
        "modal", "natural modes by TSRK: 8vr without damping, 5dp with damping; by TSARKIMEX where "
                 "damping would need more than 2000 explicit steps in one contact time"),
    [IMP_BEAM_RK8] = BY_PETSC("modal_rk8", "natural modes by TSRK 8vr"),
    [IMP_BEAM_RK5] = BY_PETSC("modal_rk5", "natural modes by TSRK 5dp"),
    [IMP_BEAM_ARKIMEX] = BY_PETSC("modal_arkimex", "natural modes by TSARKIMEX"),
    [IMP_BEAM_FULL] = &(
        const imp_option){.name = "full",
                          .meaning = "all finite elements by TSALPHA2, to check the other methods",
                          .parameters = of_full,
                          .n_parameters = IMP_COUNT(of_full),
                          .without_petsc = "collocation"},
    [IMP_BEAM_NEWMARK] = IMP_OPTION_WITH("newmark",
                                         "the published scheme, with the contact force one step "
                                         "late, to reproduce the published digits",
                                         of_newmark),
    [IMP_BEAM_COLLOCATION] = IMP_OPTION(
        "collocation", "natural modes, each moved exactly under a polynomial of the contact force; "
                       "without PETSc, and many times faster than the other methods"),
};

const imp_choice imp_beam_choices[IMP_BEAM_CHOICES] = {
    [IMP_BEAM_BOUNDARY] =
        IMP_CHOICE("boundary", "how the beam is held", boundaries, IMP_BEAM_PINNED),
    [IMP_BEAM_SECTION] =
        IMP_CHOICE("section", "mass and stiffness of the beam", sections, IMP_BEAM_GIVEN_SECTION),
    [IMP_BEAM_STRIKER] =
        IMP_CHOICE("striker", "the body that the beam meets", strikers, IMP_BEAM_FIXED_STRIKER),
    [IMP_BEAM_SOLVER] = IMP_CHOICE("solver", "method of integration", solvers, IMP_BEAM_MODAL),
};

/* ---- cells ---- */

static void read_boundary(const double *value, imp_beam_case *c) {
    if (c->boundary == IMP_BEAM_PINNED) {
        c->pin = value[PIN_POSITION];
        c->angular_velocity = value[PINNED_VELOCITY];
    } else if (c->boundary == IMP_BEAM_FREE) {
        c->angular_velocity = value[FREE_VELOCITY];
    }
}

static void read_section(int section, const double *value, imp_beam_case *c) {
    if (section == IMP_BEAM_GIVEN_SECTION) {
        c->mass_per_length = value[MASS_PER_LENGTH];
        c->second_moment = value[SECOND_MOMENT];
    } else {
        double area = IMP_PI * c->radius * c->radius;
        c->mass_per_length = value[DENSITY] * area;
        c->second_moment = area * c->radius * c->radius / 4;
    }
}

static void read_striker(int striker, const double *value, imp_beam_case *c) {
    if (striker == IMP_BEAM_FREE_STRIKER) {
        c->striker_mass = value[STRIKER_MASS];
        c->striker_speed = value[STRIKER_SPEED];
    }
}

static void read_solver(int solver, const double *value, imp_beam_case *c) {
    if (solver == IMP_BEAM_FULL) {
        c->full_step = value[FULL_STEP];
    } else if (solver == IMP_BEAM_NEWMARK) {
        c->time_step = value[TIME_STEP];
        c->window = value[WINDOW];
    }
}

/* The parameters of the chosen options, which follow the common ones choice by choice. */
static void read_options(const int *chosen, const double *next, imp_beam_case *c) {
    const double *of[IMP_BEAM_CHOICES];
    for (int k = 0; k < IMP_BEAM_CHOICES; k++) {
        of[k] = next;
        next += imp_beam_choices[k].options[chosen[k]]->n_parameters;
    }
    read_boundary(of[IMP_BEAM_BOUNDARY], c);
    read_section(chosen[IMP_BEAM_SECTION], of[IMP_BEAM_SECTION], c);
    read_striker(chosen[IMP_BEAM_STRIKER], of[IMP_BEAM_STRIKER], c);
    read_solver(chosen[IMP_BEAM_SOLVER], of[IMP_BEAM_SOLVER], c);
}

imp_beam_case imp_beam_read_case(const int *chosen, const double *value) {
    imp_beam_case c = {
        .boundary = (imp_beam_boundary)chosen[IMP_BEAM_BOUNDARY],
        .position = value[POSITION],
        .length = value[LENGTH],
        .radius = value[RADIUS],
        .striker_radius = value[STRIKER_RADIUS],
        .modulus = value[MODULUS],
        .striker_modulus = value[STRIKER_MODULUS],
        .poisson_ratio = value[POISSON],
        .striker_poisson_ratio = value[STRIKER_POISSON],
        .internal_damping = value[INTERNAL_DAMPING],
        .external_damping = value[EXTERNAL_DAMPING],
        .elements = value[ELEMENTS],
        .mode_count = value[MODE_COUNT],
        .tolerance = value[TOLERANCE],
        .striker_mass = INFINITY,
    };
    read_options(chosen, value + IMP_BEAM_PARAMETERS, &c);
    return c;
}

/* Whether the contact is known never to close: the beam turns about the pin or its middle. */
static bool turns_away(const imp_beam_case *c) {
    double axis = c->boundary == IMP_BEAM_PINNED ? c->pin / c->length : 0.5;
    return (c->position - axis) * c->angular_velocity >= 0;
}

bool imp_beam_lacks_petsc(const int *chosen) {
    return !&imp_beam_by_petsc && solvers[chosen[IMP_BEAM_SOLVER]]->without_petsc;
}

const char *imp_beam_refuse(const imp_instance *instance, const double *value, const char **name) {
    imp_beam_case c = imp_beam_read_case(instance->chosen, value);
    bool turns = c.boundary == IMP_BEAM_PINNED || c.boundary == IMP_BEAM_FREE;
    const struct {
        bool wrong;
        const char *name, *why;
    } faults[] = {
        {imp_beam_lacks_petsc(instance->chosen), "solver", IMP_BEAM_NO_PETSC},
        {instance->chosen[IMP_BEAM_STRIKER] == IMP_BEAM_FIXED_STRIKER && !turns, "boundary",
         "a beam with this boundary is at rest and never meets a fixed striker; allowed: "
         "striker=free"},
        {c.mode_count > c.elements + 1, "mode_count",
         "more modes than nodes; allowed: at most elements + 1"},
        {c.boundary == IMP_BEAM_PINNED && c.pin > c.length, "pin_position",
         "the pin is not on the beam; allowed: 0 to length"},
        {instance->chosen[IMP_BEAM_STRIKER] == IMP_BEAM_FIXED_STRIKER && turns && turns_away(&c),
         "position",
         "the beam does not turn towards the striker here; allowed: a place beyond the pin (for a "
         "free beam: the middle) if angular_velocity is negative, before the pin or middle if it "
         "is positive"},
    };
    for (size_t f = 0; f < sizeof faults / sizeof *faults; f++) {
        if (faults[f].wrong) {
            *name = faults[f].name;
            return faults[f].why;
        }
    }
    return NULL;
}

int imp_beam_value_count(const int *chosen) {
    int n = IMP_BEAM_PARAMETERS;
    for (int c = 0; c < IMP_BEAM_CHOICES; c++) {
        n += imp_beam_choices[c].options[chosen[c]]->n_parameters;
    }
    return n;
}
