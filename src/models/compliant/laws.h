/* The laws of the theory `compliant`: their parameters, scales and solvers. A new one is its
 * solver, its functions in laws.c and a row in laws.def. */
#ifndef IMP_MODELS_COMPLIANT_LAWS_H
#define IMP_MODELS_COMPLIANT_LAWS_H

#include "models/compliant/rim.h"

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
