/* One cell of a search: the theory that it is, and how it is solved. */
#ifndef IMP_SOLVE_SEARCH_CELL_H
#define IMP_SOLVE_SEARCH_CELL_H

#include "solve/search/search.h"

/* What an output of a search holds. */
typedef enum imp_found {
    IMP_FOUND_OTHER, /* the theory's own output at the place found */
    IMP_FOUND_ROOT,
    IMP_FOUND_COUNT,
    IMP_FOUND_SIDE,
    IMP_FOUND_BRACKET,
    IMP_FOUND_FLAG,
    IMP_FOUND_BELOW,
    IMP_FOUND_ABOVE,
    IMP_FOUND_JUMP,
    IMP_FOUND_JUMP_COUNT,
    IMP_FOUND_EXTREME,
    IMP_FOUND_AT,
    IMP_FOUND_AT_SECOND,
    IMP_FOUND_PLACE,
    IMP_FOUND_KINDS
} imp_found;

/* Codes in files: append only. */
enum { IMP_SIDE_ENTERS = 1, IMP_SIDE_LEAVES, IMP_SIDE_RISES, IMP_SIDE_FALLS };
enum { IMP_PLACE_INTERIOR = 1, IMP_PLACE_BOUNDARY, IMP_PLACE_END };

struct imp_search {
    imp_theory theory; /* first: its functions find the search by it */
    imp_search_plan plan;
    imp_choice choices[IMP_MAX_CHOICES];
    imp_output outputs[IMP_MAX_OUTPUTS];
    imp_found found[IMP_MAX_OUTPUTS];
    int inner_output[IMP_MAX_OUTPUTS]; /* of IMP_FOUND_OTHER */
    char at_name[IMP_MAX_OVER][72], at_label[IMP_MAX_OVER][96], label[96];
    const void **owned; /* copies of lists */
    int n_owned;
};

/* imp_theory.open, close, solve of a search. */
imp_err imp_search_cell_open(const imp_theory *self, const int *chosen, void **work);
void imp_search_cell_close(void **work);
imp_err imp_search_cell_solve(const int *chosen, void *work, int64_t budget, size_t n,
                              const double *const *in, double *const *out, uint8_t *outcome);

#endif
