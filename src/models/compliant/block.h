/* Contacts of a block of cells, as columns: problems and units in, results and account out. */
#ifndef IMP_MODELS_COMPLIANT_BLOCK_H
#define IMP_MODELS_COMPLIANT_BLOCK_H

#include <stddef.h>

#include "models/compliant/problem.h"

enum { IMP_COMPLIANT_BLOCK = 128 }; /* a multiple of the lanes of every processor */

/* One number for each cell of a block; a register takes its numbers from one line of the cache. */
typedef double imp_compliant_column[IMP_COMPLIANT_BLOCK] __attribute__((aligned(64)));

/* The numbers of an account but for its slips. */
#define IMP_COMPLIANT_SUMS(MEMBER)                                                                 \
    MEMBER(work_t_approach)                                                                        \
    MEMBER(work_t_rebound)                                                                         \
    MEMBER(slips)                                                                                  \
    MEMBER(normal_loss)                                                                            \
    MEMBER(tangential_loss)                                                                        \
    MEMBER(normal.size)                                                                            \
    MEMBER(normal.time)                                                                            \
    MEMBER(tangential.size)                                                                        \
    MEMBER(tangential.time)

#define IMP_COMPLIANT_COLUMN(name) imp_compliant_column name;

typedef struct imp_compliant_block {
    bool want_turn, want_time, want_account,
        want_peaks;               /* see imp_compliant_problem, imp_compliant_account */
    int64_t budget, whole_budget; /* of most contacts; of those that may need more */
    struct {
        IMP_COMPLIANT_GIVEN(IMP_COMPLIANT_COLUMN)
        imp_compliant_column constrained; /* 0 or 1 */
    } problem;
    imp_compliant_column exists; /* 0 or 1: 0 where there is no such cell, which is not solved */
    /* Units of the scaled problem, see imp_compliant_scales and imp_compliant_given; of the
     * contact. */
    imp_compliant_column time, impulse, root, speed;
    imp_compliant_column b11, b12, b22, mass, velocity_ratio;
    imp_compliant_column whole; /* see imp_motion_energy; set if it is wanted */
    /* Filled by a law. */
    struct {
        IMP_COMPLIANT_FOUND(IMP_COMPLIANT_COLUMN)
    } result;
    struct {
        imp_compliant_column work_t_approach, work_t_rebound, slips, slip_loss[IMP_COMPLIANT_SLIPS];
        imp_compliant_column normal_loss, tangential_loss;
        struct {
            imp_compliant_column size, time;
        } normal, tangential;
    } account;
    /* The body after the contact, if it is wanted: see imp_motion. */
    imp_compliant_column body_t, body_n, spin[2];
} imp_compliant_block;

/* A column of a block, and a number that some of its cells have in common. */
typedef struct imp_compliant_shared {
    double *column, value;
} imp_compliant_shared;

/* Enters numbers that cells have in common, from cell `at` to `end`. */
void imp_compliant_fill(const imp_compliant_shared *shared, size_t n_shared, size_t at, size_t end);

/* In which order lanes take the cells of a block; apart: not as they follow each other. */
typedef struct imp_compliant_order {
    size_t cell[IMP_COMPLIANT_BLOCK];
    bool apart;
} imp_compliant_order;

/* Blocks whose cells hertz and coupled solve together: few lanes are left without a cell. */
enum { IMP_COMPLIANT_BLOCKS = 2 };

/* Each solves the first n cells of one block after another. Linear: of a single one, any
 * restitution. room: imp_compliant_power_room() bytes of the caller, aligned to a line of the
 * cache, because threads may have little stack. */
void imp_compliant_linear_solve_blocks(imp_compliant_block *block, size_t n, void *room);
void imp_compliant_hertz_solve_blocks(imp_compliant_block *block, size_t n, void *room);
void imp_compliant_coupled_solve_blocks(imp_compliant_block *block, size_t n, void *room);
void imp_compliant_dashpot_solve_blocks(imp_compliant_block *block, size_t n, void *room);
size_t imp_compliant_power_room(void);

/* The outcome of cells that lanes leave to the code for one cell. */
enum { IMP_COMPLIANT_LEFT = -1 };

/* Finds the results and accounts of the first n cells of a block, or leaves them. Peak forces may
 * be left alone: then that of the normal force is NaN. */
void imp_compliant_dashpot_solve_block(imp_compliant_block *block, size_t n);

/* Solves the first n cells of a block, in this order. */
void imp_compliant_linear_solve_block(imp_compliant_block *block, size_t n,
                                      const imp_compliant_order *order);

#if IMP_LANES == 1
/* Whether a contact may take many steps: the faster of the two modes of stick swings more often
 * than this, about, while the slower one swings once. */
bool imp_compliant_swings(const imp_compliant_block *block, size_t i, double often);

/* The problem of cell i, and its account, which is used if it is wanted. Of a contact that may take
 * more steps than its budget allows the whole budget is the first one. */
imp_compliant_problem imp_compliant_problem_at(const imp_compliant_block *block, size_t i,
                                               imp_compliant_account *account);

/* Stores the result of cell i, and the account if it is wanted. */
void imp_compliant_store(imp_compliant_block *block, size_t i, const imp_compliant_result *result,
                         const imp_compliant_account *account);
#endif

#endif
