/* The laws of the theory `compliant`: their parameters, scales and solvers. A new one is its
 * solver, its functions in laws.c and a row in laws.def. */
#ifndef IMP_MODELS_COMPLIANT_LAWS_H
#define IMP_MODELS_COMPLIANT_LAWS_H

#include "models/compliant/block.h"

/* Place of normal_stiffness among the parameters of every law. */
enum { IMP_COMPLIANT_STIFFNESS };

/* Evaluations that a contact may take if nothing else is said. Those in stick grow with the ratio
 * of the frequencies: 85,000 at an inertia coupling of 1 - 1e-10, a million at the ends of the
 * ranges. All of them take .3 s of one core. */
enum { IMP_COMPLIANT_BUDGET = 4000000 };

/* Units of the scaled problem in SI. */
typedef struct imp_compliant_scales {
    double square, root;  /* r^2 and r of problem.h */
    double time, impulse; /* s, N s */
} imp_compliant_scales;

/* The quantities that the scales of a law depend on. mass: 1 / b22, kg; stiffness: of the normal
 * spring, N/m or N/m^1.5; speed: |v_n(0)|, m/s. */
typedef struct imp_compliant_given {
    double stiffness_ratio, mass, stiffness, speed;
} imp_compliant_given;

/* ---- rim.c: starts beside the rim of the cone of friction ---- */

/* The rim decides whether a contact begins in stick or in slip. Numbers of a scaled problem are
 * rounded; a start that rounding has put on the rim, or across it, is put back on its side. */

/* A start as it was given; damping: times |v_n(0)|. */
typedef struct imp_compliant_start {
    double friction, stiffness_ratio, velocity_ratio, damping;
} imp_compliant_start;

typedef struct imp_compliant_rim {
    /* Whether one of n starts may be so near to the rim that rounding decides. Cheap, and true for
     * a few others. NULL, as `speed` and `inside`, where the solver alone decides. */
    bool (*near)(const imp_compliant_block *block, size_t at, size_t n);
    /* The size of v_t on the rim, in the bits of the law's solver. */
    double (*speed)(double mu, double damping);
    /* Above 0 inside the cone, 0 on the rim, below 0 outside, by numbers of 32 digits. */
    double (*inside)(const imp_compliant_start *start);
} imp_compliant_rim;

extern const imp_compliant_rim imp_compliant_linear_rim, imp_compliant_coupled_rim,
    imp_compliant_hertz_rim, imp_compliant_dashpot_rim;

/* The v_t of a free body on its side of the rim. */
double imp_compliant_on_its_side(const imp_compliant_rim *rim, const imp_compliant_start *start,
                                 double mu, double v_t);

/* Puts n starts of one body on their sides of the rim, in a block from `at` on, unless the body is
 * constrained; friction, stiffness_ratio: their columns. */
void imp_compliant_settle(const imp_compliant_rim *rim, const double *friction,
                          const double *stiffness_ratio, size_t n, imp_compliant_block *block,
                          size_t at);

typedef struct imp_compliant_law {
    imp_option option; /* parameter 0 is normal_stiffness */
    imp_compliant_scales (*scales)(const imp_compliant_given *given);
    /* Enters the law's own parameters of n cells from `first` on into a block from `at` on. value:
     * their columns, in the order of the option's; speed: |v_n(0)|. The block has no dashpots and a
     * restitution of 1 where the law enters none. NULL: the scales have all of them. */
    void (*enter)(const double *const *value, size_t first, size_t n, double speed,
                  imp_compliant_block *block, size_t at);
    const imp_compliant_rim *rim;
    imp_compliant_solve *(*solver)(const imp_compliant_problem *problem);
    /* Solves the first n cells of one block after another, with the results of those solvers. */
    void (*solve_blocks)(imp_compliant_block *block, size_t n, void *room);
    /* At most. Of more than one, contacts that may take many steps have the whole budget. */
    size_t blocks;
} imp_compliant_law;

enum {
#define LAW(name, ...) IMP_COMPLIANT_LAW_##name,
#include "models/compliant/laws.def"
    IMP_COMPLIANT_LAWS
};

extern const imp_option *const imp_compliant_law_options[IMP_COMPLIANT_LAWS];

const imp_compliant_law *imp_compliant_law_at(int code);

/* ---- history.c ---- */

extern const imp_history imp_compliant_history;

/* Solves the problem and records its history; speed: |v_n(0)|, m/s. The history of a contact that
 * wedges ends after one period of the last stick. */
imp_outcome imp_compliant_record(imp_compliant_problem problem, imp_compliant_solve *solve,
                                 const imp_compliant_scales *scales, double speed,
                                 imp_recorder *recorder);

#endif
