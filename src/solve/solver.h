/* The only caller of a theory's solve: adds defaults, checks ranges, and writes NaN for undefined
 * outputs. */
#ifndef IMP_SOLVE_SOLVER_H
#define IMP_SOLVE_SOLVER_H

#include "models/signature.h"
#include "solve/follow.h"
#include "solve/owned.h"
#include "solve/variables.h"

/* The most cells that a kernel solves in one call, unless its theory asks for more. */
enum { IMP_BATCH = 256 };

/* The most cells of a call of the theory's solve, at least IMP_BATCH. */
size_t imp_theory_batch(const imp_theory *theory);

/* As imp_open, for choices already made. */
imp_err imp_solver_open(const imp_signature *signature, imp_solver **solver);

/* Lets inputs follow others by formulas, each after those that it follows; inputs that the theory
 * lacks are left out. Calls leave these inputs out. IMP_ERR_MEMORY. */
imp_err imp_solver_follow(imp_solver *solver, const imp_follower *followers, int n);

/* Adds the values of inputs that follow others to those of the last call, of at most IMP_BATCH
 * cells. */
void imp_solver_followed(const imp_solver *solver, const double **in);

/* Gives the solver what the theory of its signature needs, variables and guests, to end when it is
 * closed. */
void imp_solver_own(imp_solver *solver, imp_variables *variables, imp_owned *owned);

const imp_signature *imp_solver_signature(const imp_solver *solver);

#endif
