/* A search over a theory is itself a theory: its parameters are those of the theory without the
 * ones that are searched over; its outputs are the places found and the outputs of the theory at
 * these places. Grid, scheduler and map treat a search like any theory.
 *
 *   boundary  where a category (`of`), a sequence or a count enters or leaves a set of its values:
 *             every change in the range
 *   target    where a real output takes a value
 *   maximum, minimum   of a real output, over one parameter or two
 *   junction  where three values or more of a category, a sequence or a count meet, over two
 *   turning   where a boundary of such values, or of a level of a real output, has an extreme in
 *             the first of two parameters over the second
 */
#ifndef IMP_SOLVE_SEARCH_SEARCH_H
#define IMP_SOLVE_SEARCH_SEARCH_H

#include "base/text.h"
#include "models/signature.h"
#include "solve/follow.h"

enum {
    IMP_MAX_OVER = 2,
    IMP_MAX_ROOTS = 64,
    IMP_MIN_SAMPLES = 2,
    IMP_MAX_SAMPLES = 1 << 16,
    IMP_MAX_SET = 32,
    IMP_MAX_PASSES = 3
};

/* Of the ways to search: raised when places or flags that a search finds change. */
enum { IMP_SEARCH_VERSION = 18 };

struct imp_search;
struct imp_search_plan;
struct imp_search_work;

/* Over two parameters a search begins with a survey, a refinement of their rectangle, in passes
 * that go over it more and more closely. Nodes of earlier passes are known. */
typedef struct imp_search_pass {
    int halvings;   /* of the cells between samples */
    int first;      /* as in refine/plan.h */
    double bracket; /* width of a bracket and error of a chord, as a part of the range */
    int unprobed;   /* as in refine/plan.h */
    bool bands;     /* likewise; of squares: if the survey has them, too, or the search is dear */
    /* Left out if the earlier passes took more than `most` cells, and as many again for a number of
     * tiles in which three labels meet, unless none of these is guessed to hold a junction. */
    int64_t most;
    /* Of a pass without bands after one with them: left out if what strips take without is guessed
     * to be many cells, and more than this part of those so far that are beyond `most`. */
    double strips;
} imp_search_pass;

/* One kind of search: a file with this constant, and a line of kinds.def. */
typedef struct imp_search_kind {
    const char *name;  /* the word after `find:` in a config */
    imp_kind looks_at; /* kind of the output `of`; a set of values: also a sequence or a count */
    bool needs_set, needs_value; /* a set of codes (`in`), a number (`value`) */
    bool takes_values;           /* `of` is a category, a sequence or a count, without a set */
    bool takes_levels;           /* then with a set too, or a real output with a number (`value`) */
    bool finds_roots; /* a list of at most max_roots places; otherwise there is one place */
    int least_over, most_over;              /* how many parameters it can search over */
    int samples, roots;                     /* defaults of `samples` and `max_roots` */
    imp_search_pass passes[IMP_MAX_PASSES]; /* over two parameters */
    int n_passes;
    /* Over squares around boxes that no chord divides; up to `most` cells where no tile is guessed
     * to hold a junction, otherwise as many again as for a pass, or for each tile that is, and an
     * eighth more; 0: all of them. */
    imp_search_pass closer;
    int64_t dear;            /* beyond so many cells for each place found; see `bands` */
    imp_search_pass between; /* `halvings` of the brackets of crossings, up to `most` cells */
    double tolerance;        /* default, as a part of the range */
    /* Adds the outputs for the places found. */
    void (*add_outputs)(struct imp_search *search);
    /* Solves n cells from the first one of the workspace on. */
    void (*solve)(struct imp_search_work *work, int n, uint8_t *outcome);
} imp_search_kind;

#define SEARCH(name) extern const imp_search_kind imp_search_##name;
#include "solve/search/kinds.def"

/* The most samples of each parameter: fewer where both make a grid of nodes. */
static inline int imp_search_most_samples(const imp_search_kind *kind) {
    return kind->least_over == 2 ? 1 << 10 : IMP_MAX_SAMPLES;
}

/* The kinds in order; NULL past the end. */
const imp_search_kind *imp_search_kind_at(int index);

/* A sequence in both of its forms, NaN where it has none, or a count. */
typedef struct imp_set_value {
    double value, wide;
} imp_set_value;

/* A parameter that is searched over. */
typedef struct imp_over {
    const imp_parameter *parameter;
    double from, to; /* SI, from < to */
    int samples;
    bool logarithmic;
} imp_over;

typedef struct imp_search_plan {
    const imp_theory *theory;
    const imp_search_kind *kind;
    imp_over over[IMP_MAX_OVER];
    int n_over;      /* 1 .. kind->most_over */
    int of;          /* output of the theory */
    uint64_t inside; /* of a category: bit c is set for a code c of the set; otherwise bit 1 */
    imp_set_value set[IMP_MAX_SET]; /* of a sequence or a count */
    int n_set;
    double value;
    bool steps;       /* `of` has steps alone, so that it takes the value where it leaps over it */
    double tolerance; /* width of a bracket over the span; 0: neighbouring doubles */
    int max_roots;    /* of a kind that finds roots: 1 .. IMP_MAX_ROOTS are stored */
} imp_search_plan;

typedef struct imp_search imp_search;

/* Makes the theory of a search; the plan is copied. The caller frees it with imp_search_free, which
 * accepts NULL. Returns NULL if memory is out. */
imp_search *imp_search_make(const imp_search_plan *plan);
void imp_search_free(imp_search **search);

/* As imp_reduced_follow: parameters that follow those searched over. */
void imp_search_follow(imp_search *search, const imp_follower *followers, int n);

/* Gives the places of parameter k that are found the unit that it has under the choices of a sweep;
 * before, they have that of its first definition. */
void imp_search_set_unit(imp_search *search, int k, const char *unit);

/* Whether a parameter of the theory is searched over, or sets the same value as one that is. */
bool imp_search_covers(const imp_search_plan *plan, const imp_parameter *parameter);

const imp_theory *imp_search_theory(const imp_search *search);
const imp_search_plan *imp_search_plan_of(const imp_search *search);

/* Appends everything on which the results depend: "boundary of mode in wedge, over angle from 0.1
 * to 1.5 (128 samples), tolerance 1e-12". */
void imp_search_print(const imp_search *search, imp_text *text);

/* Appends a shorter form for the title of a figure, with angles in degrees. */
void imp_search_print_title(const imp_search *search, imp_text *text);

/* Whether an output can enter or leave a set: a category, a sequence or a count. */
bool imp_search_has_values(const imp_output *output);

/* The bit c of `inside` for a code by name; false if the category has no such code. */
bool imp_search_code(const imp_theory *theory, int output, const char *name, uint64_t *bit);

#endif
