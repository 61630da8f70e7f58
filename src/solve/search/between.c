/* A value along a boundary between two others whose strip is narrower than the brackets of a
 * survey: whether it shows when these are halved. */
#include <stdlib.h>

#include "solve/search/plane.h"

/* Two places of different labels; dull: a third label was found between them. */
typedef struct bracket {
    imp_spot end[2];
    int label[2];
    bool dull;
} bracket;

/* Takes one in `stride` of the crossings of a survey, if it is between two values; their number. */
static size_t take(const imp_survey *survey, int64_t stride, bracket *brackets) {
    size_t n = 0;
    for (int64_t i = 0; i < survey->result.n_crossings; i += stride) {
        const imp_crossing *crossing = &survey->result.crossings[i];
        bracket *one = &brackets[n];
        *one = (bracket){.end = {imp_survey_spot(crossing->low), imp_survey_spot(crossing->high)},
                         .label = {imp_survey_label(survey, crossing->class_low),
                                   imp_survey_label(survey, crossing->class_high)}};
        n += one->label[0] >= 0 && one->label[1] >= 0;
    }
    return n;
}

/* Enters the label in the middle of a bracket; true if it is a third value. */
static bool enter(bracket *one, imp_spot middle, int label) {
    for (int end = 0; end < 2; end++) {
        if (label == one->label[end]) {
            one->end[end] = middle;
            return false;
        }
    }
    one->dull = true;
    return label >= 0;
}

static void halve(imp_plane *plane, bracket *brackets, size_t n, imp_between_look *look,
                  void *context) {
    imp_spot spots[IMP_PROBES_AT_ONCE];
    int labels[IMP_PROBES_AT_ONCE];
    size_t which[IMP_PROBES_AT_ONCE];
    for (size_t next = 0; next < n && !plane->work->error && !imp_plane_is_tired(plane);) {
        size_t count = 0;
        for (; next < n && count < IMP_PROBES_AT_ONCE; next++) {
            which[count] = next;
            spots[count] = imp_spots_middle(brackets[next].end[0], brackets[next].end[1]);
            count += !brackets[next].dull;
        }
        imp_plane_labels(plane, count, spots, labels);
        for (size_t i = 0; i < count; i++) {
            bracket *one = &brackets[which[i]];
            if (enter(one, spots[i], labels[i])) {
                look(context, one->end, (int[]){one->label[0], one->label[1], labels[i]});
            }
        }
    }
}

/* What the tiles with three labels will take where there are many of them. */
static int64_t tiles_of(const imp_survey *survey) {
    enum { MANY = 12, CELLS = 60 };
    int64_t n = imp_survey_crowded(survey);
    return n < MANY ? 0 : n * CELLS;
}

void imp_plane_look_between(imp_plane *plane, const imp_survey *survey, imp_between_look *look,
                            void *context) {
    const imp_search_pass *pass = &plane->work->search->plan.kind->between;
    int64_t left = imp_plane_most(plane, pass, survey) - plane->cells - tiles_of(survey);
    int64_t all = survey->result.n_crossings * pass->halvings;
    if (left <= 0 || all == 0) {
        return;
    }
    bracket *brackets = malloc((size_t)survey->result.n_crossings * sizeof *brackets);
    imp_search_check(plane->work, brackets);
    size_t n = brackets ? take(survey, 1 + all / left, brackets) : 0;
    for (int i = 0; i < pass->halvings; i++) {
        halve(plane, brackets, n, look, context);
    }
    free(brackets);
}
