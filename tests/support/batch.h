/* Cells of one theory with its choices made, by the names of parameters and outputs. */
#ifndef TESTS_SUPPORT_BATCH_H
#define TESTS_SUPPORT_BATCH_H

#include "impact.h"
#include "support/random.h"
#include "support/suite.h"

typedef struct batch {
    imp_solver *solver;
    const imp_theory *theory;
    size_t n;
    double *in[IMP_MAX_PARAMETERS];
    bool left[IMP_MAX_PARAMETERS]; /* not given, because another one is given in its place */
    double *out[IMP_MAX_OUTPUTS];  /* n * length values, cell by cell */
    uint8_t *outcome;
} batch;

/* Room for n cells, every parameter at its default, or at its example if it has none; a parameter
 * that stands for another one is not given. choices: "body=rod law=newton"; those that are left out
 * take their defaults. Ends the program if the theory or a choice is unknown.
 * The caller closes the batch with batch_close. */
batch batch_open(const char *theory, const char *choices, size_t n);
/* The same with a solver, which the batch then owns. */
batch batch_of(imp_solver *solver, size_t n);
/* As many cells of the same theory with the same inputs; the choices are those of the batch. */
batch batch_again(const batch *of, const char *choices);
void batch_close(batch *b);
void batch_close_all(batch *const *batches);

/* The n values of a parameter or an output. Ends the program if there is none of that name. */
double *batch_in(const batch *b, const char *parameter);
double *batch_out(const batch *b, const char *output);

/* Values per cell of an output. */
size_t batch_length(const batch *b, int output);

/* Sets a parameter in every cell; several of them. */
typedef struct batch_value {
    const char *parameter;
    double value;
} batch_value;
void batch_set(const batch *b, const char *parameter, double value);
void batch_set_all(const batch *b, const batch_value *values);

/* From now on this parameter is given in place of the one that it stands for. */
void batch_stand_in(batch *b, const char *parameter);

/* From now on this parameter, which may stand beside the one that it stands for, is given. */
void batch_give(batch *b, const char *parameter);

/* The inputs from a cell on, as imp_solve takes them: IMP_MAX_PARAMETERS of them. */
void batch_inputs(const batch *b, size_t first, const double **in);

/* The inputs of a cell, as imp_trace takes them: IMP_MAX_PARAMETERS of them. */
void batch_values(const batch *b, size_t i, double *value);

/* Gives the history of a cell to a recorder; returns its outcome. Ends the program if there is
 * none. */
imp_outcome batch_trace(const batch *b, size_t i, imp_recorder *recorder);

/* A random value of a parameter about its example, within its range; the example itself of whole
 * numbers and of times, on which the cost of a cell depends. */
double batch_draw(const imp_parameter *parameter, random_source *source);

void batch_solve(const batch *b);
void batch_solve_all(const batch *const *batches);

/* The same for lists: BATCH_SET(&b, {"mass", 2}, {"angle", 1}), whose values may be computed in any
 * order; BATCH_SOLVE(&one, &other), in this order; BATCH_CLOSE(&one, &other). */
#define BATCH_SET(b, ...) batch_set_all(b, (const batch_value[]){__VA_ARGS__, {NULL, 0}})
#define BATCH_SOLVE(...) batch_solve_all((const batch *const[]){__VA_ARGS__, NULL})
#define BATCH_CLOSE(...) batch_close_all((batch *const[]){__VA_ARGS__, NULL})

/* Name of the mode of a cell, "none" where it has none. */
const char *batch_mode(const batch *b, size_t i);

/* Text of the sequence of a cell. Valid until the next call. */
const char *batch_sequence(const batch *b, size_t i);

/* The outcome and the parameters of a cell at full precision. Valid until the next call. */
const char *batch_text(const batch *b, size_t i);

/* Whether two results have the same bits; all NaN count as the same. */
bool batch_same(double a, double b);

bool batch_has_mode(const batch *b, size_t i, const char *mode);

/* Checks of a cell, whose messages have its text: of a condition; of any value; of an output or of
 * the mode, which they name, too. */
#define CHECK_CELL(b, i, condition) CHECK(condition, "%s", batch_text(b, i))
#define CHECK_CELL_NEAR(b, i, actual, expected, tolerance)                                         \
    CHECK_NEAR(actual, expected, tolerance, "%s", batch_text(b, i))
#define CHECK_OUTPUT(b, i, output, expected, tolerance)                                            \
    CHECK_NEAR(batch_out(b, output)[i], expected, tolerance, "%s of %s", output, batch_text(b, i))
#define CHECK_MODE(b, i, mode)                                                                     \
    CHECK(batch_has_mode(b, i, mode), "%s instead of %s: %s", batch_mode(b, i), mode,              \
          batch_text(b, i))

#endif
