/* A search over a theory is a theory too: its parameters are those of the theory but the ones that are
 * searched over, its outputs are what was found, and what the theory says there. Grid, scheduler and
 * map need not know.
 *
 *   boundary  where a category (`of`) enters or leaves a set of its codes: every change in the range
 *   target    where a real output takes a value
 *   maximum, minimum   of a real output, over one parameter or two
 */
#ifndef IMP_SOLVE_SEARCH_SEARCH_H
#define IMP_SOLVE_SEARCH_SEARCH_H

#include "base/text.h"
#include "models/signature.h"

enum { IMP_MAX_OVER = 2, IMP_MAX_ROOTS = 64, IMP_MIN_SAMPLES = 2, IMP_MAX_SAMPLES = 1 << 16 };

#define IMP_FINDS(X)                                                                               \
    X(BOUNDARY, boundary)                                                                          \
    X(TARGET, target)                                                                              \
    X(MAXIMUM, maximum)                                                                            \
    X(MINIMUM, minimum)

typedef enum imp_find {
#define FIND_ENUM(symbol, name) IMP_FIND_##symbol,
    IMP_FINDS(FIND_ENUM)
#undef FIND_ENUM
} imp_find;

enum { IMP_FIND_COUNT = 4 };

/* A parameter that is searched over. */
typedef struct imp_over {
    const imp_parameter *parameter;
    double from, to; /* SI, from < to */
    int samples;
    bool logarithmic;
} imp_over;

typedef struct imp_search_plan {
    const imp_theory *theory;
    imp_find find;
    imp_over over[IMP_MAX_OVER];
    int n_over;       /* 2 only for extremes */
    int of;           /* output of the theory */
    uint64_t inside;  /* boundary: bit c is set for a code c of the set */
    double value;     /* target */
    double tolerance; /* width of a bracket over the span; 0: neighbouring doubles */
    int max_roots;    /* boundary, target: 1 .. IMP_MAX_ROOTS are stored */
} imp_search_plan;

typedef struct imp_search imp_search;

/* Makes the theory of a search; the plan is copied. Ended by imp_search_free, which accepts NULL.
 * NULL when memory is out. */
imp_search *imp_search_make(const imp_search_plan *plan);
void imp_search_free(imp_search **search);

/* Whether a parameter of the theory is searched over, or says the same thing as one that is. */
bool imp_search_covers(const imp_search_plan *plan, const imp_parameter *parameter);

const imp_theory *imp_search_theory(const imp_search *search);
const imp_search_plan *imp_search_plan_of(const imp_search *search);

/* "boundary of mode in wedge, over angle from 0.1 to 1.5 (128 samples), tolerance 1e-12". Everything that
 * the results depend on. */
void imp_search_print(const imp_search *search, imp_text *text);

/* Shorter, for the title of a figure, angles in degrees. */
void imp_search_print_title(const imp_search *search, imp_text *text);

const char *imp_find_name(imp_find find);

/* The bit c of `inside` for a code by name; false if the category has no such code. */
bool imp_search_code(const imp_theory *theory, int output, const char *name, uint64_t *bit);

#endif
