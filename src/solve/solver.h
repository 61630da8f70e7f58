/* The only caller of a theory's solve: adds defaults, checks ranges, and writes NaN for undefined
 * outputs. */
#ifndef IMP_SOLVE_SOLVER_H
#define IMP_SOLVE_SOLVER_H

#include "models/signature.h"
#include "solve/follow.h"
#include "solve/variables.h"

/* The most cells that a kernel solves in one call. */
enum { IMP_BATCH = 256 };

/* As imp_open, for choices already made. */
imp_err imp_solver_open(const imp_signature *signature, imp_solver **solver);

/* Lets inputs follow others by formulas, each after those that it follows; inputs that the theory
 * lacks are left out. Calls leave these inputs out. IMP_ERR_MEMORY. */
imp_err imp_solver_follow(imp_solver *solver, const imp_follower *followers, int n);

/* Gives variables to the solver, whose signature has their theory, to free when it is closed. */
void imp_solver_own(imp_solver *solver, imp_variables *variables);

const imp_signature *imp_solver_signature(const imp_solver *solver);

#endif
