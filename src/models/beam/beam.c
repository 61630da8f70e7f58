/* A beam that strikes a round striker, or is struck: elastic vibration and Hertz contact in time. */
#include <math.h>
#include <petscsys.h>
#include <stdlib.h>

#include "base/error.h"
#include "models/beam/collision.h"
#include "models/beam/full.h"
#include "models/beam/newmark.h"
#include "models/beam/problem.h"
#include "models/petsc.h"
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
    MODES,
    TOLERANCE,
    N_COMMON,
};
enum { BOUNDARY, SECTION, STRIKER, SOLVER, N_CHOICES };
enum { GIVEN, CIRCULAR, N_SECTIONS };
enum { FIXED, FREE, N_STRIKERS };
enum { SINGLE = 1, MULTIPLE = 2 };
enum {
    MODE,
    KINEMATIC,
    KINETIC,
    VELOCITY_IN,
    VELOCITY_OUT,
    IMPULSE_COMPRESSION,
    IMPULSE_RESTITUTION,
    COMPRESSION_TIME,
    DURATION,
    SUB_IMPACTS,
    SUB_IMPACT_BEGIN,
    SUB_IMPACT_END,
    RIGID_ENERGY,
    MODE_ENERGY,
    VIBRATION_ENERGY,
    ENERGY_LOSS,
    PEAK_FORCE,
    BALL_RESTITUTION,
    GRAZING,
    CLOSENESS,
    UNCERTAINTY,
    STEPS,
    RESIDUAL,
    N_OUTPUTS
};

/* ---- parameters ---- */

#define POSITIVE .low = 0, .high = INFINITY, .low_open = true, .high_open = true
#define NOT_NEGATIVE .low = 0, .high = INFINITY, .high_open = true
#define FINITE .low = -INFINITY, .high = INFINITY, .low_open = true, .high_open = true

static const imp_parameter common[N_COMMON] = {
    [POSITION] = {"position", "1", "place of the contact, distance from the end over the length", 0,
                  1, .fallback = 0.68, .example = 0.68},
    [LENGTH] = {"length", "m", "length of the beam", POSITIVE, .fallback = 0.508, .example = 0.508},
    [RADIUS] = {"radius", "m",
                "radius of the beam's surface at the contact, and of a circular section", POSITIVE,
                .fallback = 6.35e-3, .example = 6.35e-3},
    [STRIKER_RADIUS] = {"striker_radius", "m", "radius of the striker, crosswise to the beam",
                        POSITIVE, .fallback = 6.35e-3, .example = 6.35e-3},
    [MODULUS] = {"modulus", "Pa", "Young's modulus of the beam", POSITIVE, .fallback = 68.3e9,
                 .example = 68.3e9},
    [STRIKER_MODULUS] = {"striker_modulus", "Pa", "Young's modulus of the striker", POSITIVE,
                         .fallback = 68.3e9, .example = 68.3e9},
    [POISSON] = {"poisson", "1", "Poisson's ratio of the beam", 0, 0.5, .fallback = 0.34,
                 .example = 0.34},
    [STRIKER_POISSON] = {"striker_poisson", "1", "Poisson's ratio of the striker", 0, 0.5,
                         .fallback = 0.34, .example = 0.34},
    [INTERNAL_DAMPING] = {"internal_damping", "Pa s", "viscosity of the beam's material",
                          NOT_NEGATIVE, .fallback = 0, .example = 1e6},
    [EXTERNAL_DAMPING] = {"external_damping", "kg/(m s)",
                          "resistance of the surroundings per length and speed", NOT_NEGATIVE,
                          .fallback = 0, .example = 0.1},
    [ELEMENTS] = {"elements", "1", "finite elements, a whole number", 1, IMP_BEAM_MOST_ELEMENTS,
                  .fallback = 80, .example = 80, .whole = true},
    [MODES] = {"modes", "1",
               "modes of the beam, its rigid ones included: a whole number, at most the nodes", 1,
               IMP_BEAM_MOST_MODES, .fallback = 25, .example = 25, .whole = true},
    [TOLERANCE] = {"tolerance", "1", "relative error of a step in contact", 1e-13, 1e-3,
                   .fallback = 1e-8, .example = 1e-8},
};

static const imp_parameter pin_position = {
    "pin_position",
    "m",
    "distance of the pin from the end where position is 0: 0, "
    "or more than a hundredth of an element from either end",
    NOT_NEGATIVE,
    .fallback = 0.01905,
    .example = 0.01905};

static const imp_parameter angular_velocity = {"angular_velocity",
                                               "rad/s",
                                               "rotation of the beam before the contact, about the "
                                               "pin or its middle; negative closes beyond it",
                                               FINITE,
                                               .fallback = -6,
                                               .example = -6};

static const imp_parameter mass_per_length = {
    "mass_per_length",  "kg/m",           "mass of the beam per length", POSITIVE,
    .fallback = 0.3433, .example = 0.3433};

static const imp_parameter second_moment = {"second_moment",         "m^4",
                                            "second moment of area", POSITIVE,
                                            .fallback = 1.277e-9,    .example = 1.277e-9};

static const imp_parameter density = {"density", "kg/m^3",         "density of the beam",
                                      POSITIVE,  .fallback = 2710, .example = 2710};

static const imp_parameter striker_mass = {
    "striker_mass", "kg", "mass of the striker", POSITIVE, .fallback = NAN, .example = 0.05};

static const imp_parameter speed = {
    "speed", "m/s",         "speed of the striker towards the beam before the contact",
    FINITE,  .fallback = 0, .example = 0.1};

static const imp_parameter time_step = {
    "time_step", "s", "step of the Newmark scheme", POSITIVE, .fallback = 1e-7, .example = 1e-5};

static const imp_parameter window = {
    "window",        "s", "time after which the Newmark scheme stops", POSITIVE, .fallback = 0.012,
    .example = 0.012};

static const imp_parameter full_step = {"full_step",
                                        "1",
                                        "step of the unreduced system, in units of 1/S",
                                        POSITIVE,
                                        .fallback = 2e-5,
                                        .example = 1e-3};

static const imp_parameter *const parameters[N_COMMON] = {
    &common[POSITION],         &common[LENGTH],          &common[RADIUS],
    &common[STRIKER_RADIUS],   &common[MODULUS],         &common[STRIKER_MODULUS],
    &common[POISSON],          &common[STRIKER_POISSON], &common[INTERNAL_DAMPING],
    &common[EXTERNAL_DAMPING], &common[ELEMENTS],        &common[MODES],
    &common[TOLERANCE],
};

/* ---- choices ---- */

static const imp_parameter *const of_pinned[] = {&pin_position, &angular_velocity};
static const imp_parameter *const of_free[] = {&angular_velocity};
static const imp_option pinned = {"pinned", "turns about a pin", of_pinned, 2};
static const imp_option unsupported = {"free", "free at both ends, turns about its middle", of_free,
                                       1};
static const imp_option clamped = {"clamped", "held at the end where position is 0, at rest", NULL,
                                   0};
static const imp_option pinned_pinned = {"pinned_pinned", "pinned at both ends, at rest", NULL, 0};
static const imp_option *const boundaries[] = {&pinned, &unsupported, &clamped, &pinned_pinned};

static const imp_parameter *const of_given[] = {&mass_per_length, &second_moment};
static const imp_parameter *const of_circular[] = {&density};
static const imp_option given = {"given", "mass per length and second moment are given", of_given,
                                 2};
static const imp_option circular = {"circular", "a solid round bar of the given radius",
                                    of_circular, 1};
static const imp_option *const sections[] = {&given, &circular};

static const imp_parameter *const of_striker[] = {&striker_mass, &speed};
static const imp_option fixed_striker = {"fixed", "does not move", NULL, 0};
static const imp_option free_striker = {"free", "a free mass, for instance a ball", of_striker, 2};
static const imp_option *const strikers[] = {&fixed_striker, &free_striker};

static const imp_parameter *const of_newmark[] = {&time_step, &window};
static const imp_parameter *const of_full[] = {&full_step};
static const imp_option modal = {
    "modal",
    "modes; TSRK 8vr, with damping 5dp, and TSARKIMEX where damping would ask for more than 2000 "
    "explicit steps in one contact time",
    NULL, 0};
static const imp_option modal_rk8 = {"modal_rk8", "modes by TSRK 8vr", NULL, 0};
static const imp_option modal_rk5 = {"modal_rk5", "modes by TSRK 5dp", NULL, 0};
static const imp_option modal_arkimex = {"modal_arkimex", "modes by TSARKIMEX", NULL, 0};
static const imp_option full = {"full", "all finite elements by TSALPHA2, to check the others",
                                of_full, 1};
static const imp_option newmark = {
    "newmark", "the published scheme, the contact force one step late, to reproduce its digits",
    of_newmark, 2};
static const imp_option *const solvers[] = {
    [IMP_BEAM_MODAL] = &modal,   [IMP_BEAM_RK8] = &modal_rk8,
    [IMP_BEAM_RK5] = &modal_rk5, [IMP_BEAM_ARKIMEX] = &modal_arkimex,
    [IMP_BEAM_FULL] = &full,     [IMP_BEAM_NEWMARK] = &newmark};

static const imp_choice choices[N_CHOICES] = {
    [BOUNDARY] = {"boundary", "how the beam is held", boundaries, IMP_COUNT(boundaries),
                  IMP_BEAM_PINNED},
    [SECTION] = {"section", "mass and stiffness of the beam", sections, N_SECTIONS, GIVEN},
    [STRIKER] = {"striker", "what the beam meets", strikers, N_STRIKERS, FIXED},
    [SOLVER] = {"solver", "how it is integrated", solvers, IMP_COUNT(solvers), IMP_BEAM_MODAL},
};

/* ---- outputs ---- */

static const imp_output outputs[N_OUTPUTS] = {
    [MODE] = IMP_OUTPUT_MODE,
    [KINEMATIC] = IMP_OUTPUT_KINEMATIC(0),
    [KINETIC] = IMP_OUTPUT_KINETIC(0),
    [VELOCITY_IN] = {.name = "relative_velocity_in",
                     .unit = "1",
                     .meaning =
                         "approach of the rigid motions before the contact, per length and S"},
    [VELOCITY_OUT] = {.name = "relative_velocity_out",
                      .unit = "1",
                      .meaning = "the same at the last separation, negative as they part"},
    [IMPULSE_COMPRESSION] = {.name = "impulse_compression",
                             .unit = "1",
                             .meaning = "impulse until the rigid motions stop approaching, per "
                                        "mass_per_length length^2 S"},
    [IMPULSE_RESTITUTION] = {.name = "impulse_restitution",
                             .unit = "1",
                             .meaning = "impulse from then on, per mass_per_length length^2 S"},
    [COMPRESSION_TIME] = {.name = "compression_time",
                          .unit = "1",
                          .meaning = "when the rigid motions stop approaching, per 1/S"},
    [DURATION] = {.name = "duration",
                  .unit = "1",
                  .meaning = "time from the first touch to the last separation, per 1/S"},
    [SUB_IMPACTS] = {.name = "sub_impacts", .unit = "1", .meaning = "separate contacts"},
    [SUB_IMPACT_BEGIN] = {.name = "sub_impact_begin",
                          .unit = "1",
                          .meaning = "beginnings of the first sub-impacts, per 1/S",
                          .dimension = "sub_impact",
                          .length = IMP_BEAM_SUB_IMPACTS},
    [SUB_IMPACT_END] = {.name = "sub_impact_end",
                        .unit = "1",
                        .meaning = "ends of the first sub-impacts, per 1/S",
                        .dimension = "sub_impact",
                        .length = IMP_BEAM_SUB_IMPACTS},
    [RIGID_ENERGY] = {.name = "rigid_energy",
                      .unit = "1",
                      .meaning = "energy of the rigid motions and the striker at the last "
                                 "separation, over the initial energy"},
    [MODE_ENERGY] = {.name = "mode_energy",
                     .unit = "1",
                     .meaning = "energy of each of the first four flexible modes, likewise",
                     .dimension = "flexible_mode",
                     .length = IMP_BEAM_MODE_ENERGIES},
    [VIBRATION_ENERGY] = {.name = "vibration_energy",
                          .unit = "1",
                          .meaning = "energy of all flexible modes, likewise"},
    [ENERGY_LOSS] = {.name = "energy_loss",
                     .unit = "1",
                     .meaning = "energy dissipated by damping, over the initial energy"},
    [PEAK_FORCE] = {.name = "peak_force",
                    .unit = "1",
                    .meaning = "greatest contact force, per modulus second_moment / length^2"},
    [BALL_RESTITUTION] = {.name = "ball_restitution",
                          .unit = "1",
                          .meaning = "rebound of the striker over the approach: impulse over "
                                     "striker_mass and approach speed, less one"},
    [GRAZING] = {.name = "grazing",
                 .unit = "1",
                 .meaning = "1 where a touch or a parting was so nearly missed that the result may "
                            "jump within the errors, or where uncertainty is above 1e-5; "
                            "otherwise 0"},
    [CLOSENESS] = {.name = "closeness",
                   .unit = "1",
                   .meaning =
                       "normal speed that separates the closest call from a grazing one, over "
                       "the approach speed"},
    [UNCERTAINTY] = {.name = "uncertainty",
                     .unit = "1",
                     .meaning = "what errors of the integration, amplified by later sub-impacts, "
                                "may have left in kinematic_restitution"},
    [STEPS] = {.name = "steps", .unit = "1", .meaning = "steps of the integrator"},
    [RESIDUAL] = IMP_OUTPUT_RESIDUAL,
};

static const imp_mode modes[] = {
    {SINGLE, "single", "one contact"},
    {MULTIPLE, "multiple", "several sub-impacts"},
};

static bool has_output(const imp_theory *theory, const int *chosen, int output) {
    (void)theory;
    bool by_modes = chosen[SOLVER] != IMP_BEAM_FULL && chosen[SOLVER] != IMP_BEAM_NEWMARK;
    return (output != BALL_RESTITUTION || chosen[STRIKER] == FREE) &&
           (output != UNCERTAINTY || by_modes);
}

/* ---- cells ---- */

typedef struct workspace {
    imp_beam_mode_cache *cache;
    imp_beam_problem problem;
    imp_beam_room room;
} workspace;

/* What an error of PETSc means for a cell. */
static imp_outcome outcome_of(PetscErrorCode error) {
    switch (error) {
    case PETSC_ERR_FP:
        return IMP_NOT_FINITE;
    case PETSC_ERR_CONV_FAILED:
    case PETSC_ERR_NOT_CONVERGED:
        return IMP_NO_CONVERGENCE;
    default:
        return IMP_LIBRARY_ERROR;
    }
}

static imp_err open_workspace(const imp_theory *self, const int *chosen, void **work) {
    (void)chosen;
    *work = NULL;
    imp_err error = imp_petsc_start();
    if (error) {
        return error;
    }
    workspace *made = calloc(1, sizeof *made);
    if (!made || imp_beam_store_create(&made->store)) {
        free(made);
        return imp_fail(IMP_ERR_MEMORY, "%s: out of memory", self->name);
    }
    *work = made;
    return IMP_OK;
}

static void close_workspace(void **work) {
    workspace *gone = *work;
    if (gone) {
        /* What PETSc cannot free is lost; there is nobody to tell. */
        (void)!imp_beam_store_destroy(&gone->store);
        imp_beam_kicks_free(&gone->room.kicks);
        free(gone);
    }
    *work = NULL;
}

/* The parameters of the chosen options, which follow the common ones. */
static void read_options(const int *chosen, const double *next, imp_beam_case *c) {
    if (c->boundary == IMP_BEAM_PINNED) {
        c->pin = *next++;
    }
    if (c->boundary == IMP_BEAM_PINNED || c->boundary == IMP_BEAM_FREE) {
        c->angular_velocity = *next++;
    }
    if (chosen[SECTION] == GIVEN) {
        c->mass_per_length = *next++;
        c->second_moment = *next++;
    } else {
        const double pi = 3.14159265358979323846;
        double area = pi * c->radius * c->radius;
        c->mass_per_length = *next++ * area;
        c->second_moment = area * c->radius * c->radius / 4;
    }
    if (chosen[STRIKER] == FREE) {
        c->striker_mass = *next++;
        c->striker_speed = *next++;
    }
    if (chosen[SOLVER] == IMP_BEAM_FULL) {
        c->full_step = *next++;
    } else if (chosen[SOLVER] == IMP_BEAM_NEWMARK) {
        c->time_step = *next++;
        c->window = *next++;
    }
}

/* Takes the values of a cell in the order of the signature. */
static imp_beam_case read_case(const int *chosen, const double *value) {
    imp_beam_case c = {
        .boundary = (imp_beam_boundary)chosen[BOUNDARY],
        .position = value[POSITION],
        .length = value[LENGTH],
        .radius = value[RADIUS],
        .striker_radius = value[STRIKER_RADIUS],
        .modulus = value[MODULUS],
        .striker_modulus = value[STRIKER_MODULUS],
        .poisson = value[POISSON],
        .striker_poisson = value[STRIKER_POISSON],
        .internal_damping = value[INTERNAL_DAMPING],
        .external_damping = value[EXTERNAL_DAMPING],
        .elements = value[ELEMENTS],
        .modes = value[MODES],
        .tolerance = value[TOLERANCE],
        .striker_mass = INFINITY,
    };
    read_options(chosen, value + N_COMMON, &c);
    return c;
}

/* Whether the contact is known to close not at all: the beam turns about the pin or its middle. */
static bool turns_away(const imp_beam_case *c) {
    double axis = c->boundary == IMP_BEAM_PINNED ? c->pin / c->length : 0.5;
    return (c->position - axis) * c->angular_velocity >= 0;
}

static const char *refuse(const int *chosen, const double *value, const char **name) {
    imp_beam_case c = read_case(chosen, value);
    bool turns = c.boundary == IMP_BEAM_PINNED || c.boundary == IMP_BEAM_FREE;
    const struct {
        bool wrong;
        const char *name, *why;
    } faults[] = {
        {chosen[STRIKER] == FIXED && !turns, "boundary",
         "this beam is at rest and never meets a fixed striker; allowed: striker=free"},
        {c.modes > c.elements + 1, "modes", "more modes than nodes; allowed: at most elements + 1"},
        {c.boundary == IMP_BEAM_PINNED && c.pin > c.length, "pin_position",
         "the pin is not on the beam; allowed: 0 to length"},
        {chosen[STRIKER] == FIXED && turns && turns_away(&c), "position",
         "the beam does not turn towards the striker here; allowed: a place beyond the pin (or the "
         "middle of a free beam) if angular_velocity is negative, before it if positive"},
    };
    for (size_t f = 0; f < sizeof faults / sizeof *faults; f++) {
        if (faults[f].wrong) {
            *name = faults[f].name;
            return faults[f].why;
        }
    }
    return NULL;
}

/* Where errors have been amplified to more than this, and to more than a thousandfold, the collision
 * is solved again with errors so small that a tenth of it is left. */
static const double uncertain = 1e-5;

/* Modal schemes. The first solution is seen by nobody: it only tells how precise the one that counts
 * has to be, for which work->problem has the tolerance then. */
static PetscErrorCode collide(workspace *work, imp_beam_scheme scheme, int64_t budget,
                              imp_beam_witness *witness, imp_beam_result *result) {
    const double left = 0.1, finest = 1e-13;
    imp_beam_problem *problem = &work->problem;
    double most = fmax(uncertain, 1e3 * problem->tolerance);
    PetscFunctionBeginUser;
    PetscCall(imp_beam_collide(&work->room, problem, scheme, budget, NULL, result));
    bool again =
        result->outcome == IMP_SOLVED && problem->tolerance > finest && result->uncertainty > most;
    int64_t steps = again ? result->steps : 0, samples = again ? result->samples : 0;
    if (again) {
        problem->tolerance = fmax(finest, problem->tolerance * left * most / result->uncertainty);
    }
    if (again || witness) {
        PetscCall(imp_beam_collide(&work->room, problem, scheme, budget - steps - samples, witness,
                                   result));
        result->steps += steps;
        result->samples += samples;
    }
    PetscFunctionReturn(0);
}

static PetscErrorCode solve_case(workspace *work, const int *chosen, int64_t budget,
                                 const imp_beam_case *c, imp_beam_witness *witness,
                                 imp_beam_result *result) {
    imp_beam_scheme scheme = (imp_beam_scheme)chosen[SOLVER];
    const imp_beam_modes *found;
    imp_beam_units units;
    PetscFunctionBeginUser;
    PetscCall(imp_beam_problem_make(c, work->store, scheme == IMP_BEAM_FULL, &work->problem, &units,
                                    &found, &result->outcome));
    if (result->outcome != IMP_SOLVED) {
        PetscFunctionReturn(0);
    }
    if (scheme == IMP_BEAM_NEWMARK) {
        imp_beam_newmark(&work->room, &work->problem, c->time_step * units.rate,
                         c->window * units.rate, budget, witness, result);
    } else if (scheme == IMP_BEAM_FULL) {
        PetscCall(imp_beam_full(&work->room, &work->problem, found, c->position, c->full_step,
                                budget, witness, result));
    } else {
        PetscCall(collide(work, scheme, budget, witness, result));
    }
    PetscFunctionReturn(0);
}

static void put(double *const *out, int output, size_t i, double value) {
    if (out[output]) {
        out[output][i] = value;
    }
}

static void put_list(double *const *out, int output, size_t i, const double *values, int length) {
    for (int k = 0; out[output] && k < length; k++) {
        out[output][i * (size_t)length + (size_t)k] = values[k];
    }
}

/* Below this a touch or a parting may be missed or invented by the errors of the integration. */
static double grazing_limit(const imp_beam_problem *problem) {
    return 0.01 * pow(problem->tolerance / 1e-8, 0.5);
}

static void put_cell(const imp_beam_problem *problem, const imp_beam_result *r, double *const *out,
                     size_t i) {
    double mass = problem->mass * problem->approach;
    put(out, MODE, i, r->sub_impacts > 1 ? MULTIPLE : SINGLE);
    put(out, KINEMATIC, i, -r->velocity_out / r->velocity_in);
    put(out, KINETIC, i, (r->impulse - r->impulse_compression) / r->impulse_compression);
    put(out, VELOCITY_IN, i, r->velocity_in);
    put(out, VELOCITY_OUT, i, r->velocity_out);
    put(out, IMPULSE_COMPRESSION, i, r->impulse_compression);
    put(out, IMPULSE_RESTITUTION, i, r->impulse - r->impulse_compression);
    put(out, COMPRESSION_TIME, i, r->compression_time);
    put(out, DURATION, i, r->duration);
    put(out, SUB_IMPACTS, i, r->sub_impacts);
    put_list(out, SUB_IMPACT_BEGIN, i, r->begin, IMP_BEAM_SUB_IMPACTS);
    put_list(out, SUB_IMPACT_END, i, r->end, IMP_BEAM_SUB_IMPACTS);
    put(out, RIGID_ENERGY, i, r->rigid_energy);
    put_list(out, MODE_ENERGY, i, r->mode_energy, IMP_BEAM_MODE_ENERGIES);
    put(out, VIBRATION_ENERGY, i, r->vibration_energy);
    put(out, ENERGY_LOSS, i, r->dissipated);
    put(out, PEAK_FORCE, i, r->peak_force);
    put(out, BALL_RESTITUTION, i, r->impulse / mass - 1);
    put(out, GRAZING, i, r->closeness < grazing_limit(problem) || r->uncertainty > uncertain);
    put(out, CLOSENESS, i, r->closeness);
    put(out, UNCERTAINTY, i, r->uncertainty);
    put(out, STEPS, i, (double)r->steps);
    put(out, RESIDUAL, i, r->residual);
}

static bool is_finite(const imp_beam_result *r) {
    double sum = r->velocity_out + r->impulse + r->impulse_compression + r->compression_time +
                 r->duration + r->rigid_energy + r->vibration_energy + r->dissipated +
                 r->peak_force + r->closeness;
    return isfinite(sum) && r->impulse_compression > 0;
}

/* Memory that is out is no property of the cell. */
static imp_err solve_cell(workspace *work, const int *chosen, int64_t budget,
                          const imp_beam_case *c, imp_beam_witness *witness,
                          imp_beam_result *result, imp_outcome *outcome) {
    PetscErrorCode error = solve_case(work, chosen, budget, c, witness, result);
    if (error == PETSC_ERR_MEM) {
        return imp_fail(IMP_ERR_MEMORY, "beam: out of memory");
    }
    *outcome = error                                                 ? outcome_of(error)
               : result->outcome == IMP_SOLVED && !is_finite(result) ? IMP_NOT_FINITE
                                                                     : result->outcome;
    return IMP_OK;
}

static int count_parameters(const int *chosen) {
    int n = N_COMMON;
    for (int c = 0; c < N_CHOICES; c++) {
        n += choices[c].options[chosen[c]]->n_parameters;
    }
    return n;
}

static imp_err solve(const int *chosen, void *work, int64_t budget, size_t n,
                     const double *const *in, double *const *out, uint8_t *outcome) {
    workspace *w = work;
    int n_parameters = count_parameters(chosen);
    imp_err error = IMP_OK;
    for (size_t i = 0; !error && i < n; i++) {
        double value[IMP_MAX_PARAMETERS];
        for (int p = 0; p < n_parameters; p++) {
            value[p] = in[p][i];
        }
        imp_beam_case c = read_case(chosen, value);
        imp_beam_result result;
        imp_outcome end = IMP_PENDING;
        error = solve_cell(w, chosen, budget, &c, NULL, &result, &end);
        outcome[i] = (uint8_t)end;
        if (end == IMP_SOLVED) {
            put_cell(&w->problem, &result, out, i);
        }
    }
    return error;
}

/* ---- histories ---- */

enum {
    H_TIME,
    H_INDENTATION,
    H_RATE,
    H_VELOCITY,
    H_FORCE,
    H_RIGID,
    H_VIBRATION,
    H_DISSIPATED,
    N_COLUMNS
};
enum { IN_CONTACT = 1, APART = 2 };

static const imp_output columns[N_COLUMNS] = {
    [H_TIME] = {.name = "time", .unit = "1", .meaning = "time since the first touch, per 1/S"},
    [H_INDENTATION] = {.name = "contact_displacement",
                       .unit = "1",
                       .meaning = "indentation, per length; negative: the gap"},
    [H_RATE] = {.name = "contact_velocity", .unit = "1", .meaning = "its rate, per length and S"},
    [H_VELOCITY] = {.name = "relative_velocity",
                    .unit = "1",
                    .meaning = "approach of the rigid motions, per length and S"},
    [H_FORCE] = {.name = "force",
                 .unit = "1",
                 .meaning = "contact force, per modulus second_moment / length^2"},
    [H_RIGID] = {.name = "rigid_energy",
                 .unit = "1",
                 .meaning = "energy of the rigid motions and the striker over the initial energy"},
    [H_VIBRATION] = {.name = "vibration_energy",
                     .unit = "1",
                     .meaning = "energy of the flexible modes, likewise"},
    [H_DISSIPATED] = {.name = "dissipated_energy",
                      .unit = "1",
                      .meaning = "dissipated so far, likewise; with that stored in the contact the "
                                 "three add up to 1"},
};

static const imp_mode phases[] = {
    {IN_CONTACT, "contact", "beam and striker touch"},
    {APART, "flight", "they do not"},
};

static const imp_mode events[] = {
    {IMP_BEAM_TOUCH, "touch", "a sub-impact begins"},
    {IMP_BEAM_GREATEST_COMPRESSION, "compressed", "the rigid motions stop approaching"},
    {IMP_BEAM_SEPARATION, "separation", "a sub-impact ends"},
};

static const imp_history history = {
    .columns = columns,
    .n_columns = N_COLUMNS,
    .phases = phases,
    .n_phases = IMP_COUNT(phases),
    .events = events,
    .n_events = IMP_COUNT(events),
};

/* Turns what it sees into rows. */
typedef struct scribe {
    imp_beam_witness witness;
    const imp_beam_problem *problem;
    imp_recorder *recorder;
    double last[N_COLUMNS];
} scribe;

static void write_row(imp_beam_witness *witness, double time, const double *state, bool contact,
                      int event) {
    scribe *s = (scribe *)witness;
    const imp_beam_problem *p = s->problem;
    double row[N_COLUMNS];
    if (event == 0 && s->witness.next >= s->recorder->samples) {
        return; /* the last sample is the last separation */
    }
    row[H_TIME] = time;
    row[H_INDENTATION] = imp_beam_indentation(p, state);
    row[H_RATE] = imp_beam_indentation_rate(p, state);
    row[H_VELOCITY] = imp_beam_relative_velocity(p, state);
    row[H_FORCE] = imp_beam_force(p, row[H_INDENTATION]);
    row[H_RIGID] = imp_beam_rigid_energy(p, state) / p->energy;
    row[H_VIBRATION] = imp_beam_vibration_energy(p, state) / p->energy;
    row[H_DISSIPATED] = state[2 * p->n + 1] / p->energy;
    for (int c = 0; c < N_COLUMNS; c++) {
        s->last[c] = row[c];
    }
    s->recorder->record(s->recorder, row, contact ? IN_CONTACT : APART, event);
}

static imp_err trace(const int *chosen, void *work, int64_t budget, const double *value,
                     imp_recorder *recorder, imp_outcome *outcome) {
    workspace *w = work;
    imp_beam_case c = read_case(chosen, value);
    imp_beam_result result;
    scribe s = {.witness = {.see = write_row}, .problem = &w->problem, .recorder = recorder};
    /* Once for the duration, and again for the rows. */
    imp_err error = solve_cell(w, chosen, budget, &c, NULL, &result, outcome);
    if (error || *outcome == IMP_OUTSIDE) {
        return error;
    }
    s.witness.spacing = *outcome == IMP_SOLVED && recorder->samples > 1
                            ? result.duration / (recorder->samples - 1)
                            : INFINITY;
    error = solve_cell(w, chosen, budget, &c, &s.witness, &result, outcome);
    if (!error && *outcome == IMP_SOLVED && recorder->samples > 1) {
        recorder->record(recorder, s.last, APART, 0);
    }
    return error;
}

const imp_theory imp_theory_beam = {
    .name = "beam",
    .title = "elastic beam against a round striker, Hertz contact",
    .source = "Journal of Applied Mechanics 91 (2024) 011011",
    .residual = "energy: initial kinetic energy = rigid + vibration + dissipated at the end",
    .results_version = 2,
    .needs_petsc = true,
    .budget = 200000,
    IMP_THEORY_TABLES,
    .has_output = has_output,
    .open = open_workspace,
    .close = close_workspace,
    .solve = solve,
    .history = &history,
    .trace = trace,
    .refuse = refuse,
};
