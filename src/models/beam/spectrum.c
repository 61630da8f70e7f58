#include "models/beam/refine.h"
#include "num/larger.h"

#include <math.h>
#include <stdlib.h>

typedef double row[IMP_BEAM_LOWER];

/* Number of modes whose lambda is below a value: by Sylvester's law of inertia the number of
 * negative pivots of K - value M. */
static int count_below(const imp_beam_elements *elements, double value, row *matrix) {
    int n = elements->n, negative = 0;
    for (int i = 0; i < n; i++) {
        for (int d = 0; d < IMP_BEAM_LOWER; d++) {
            matrix[i][d] = elements->stiffness[i][d].high - value * elements->mass[i][d].high;
        }
    }
    for (int k = 0; k < n; k++) {
        double pivot = matrix[k][0];
        negative += pivot < 0;
        if (pivot == 0) {
            pivot = 1e-300;
        }
        for (int i = k + 1; i < n && i <= k + IMP_BEAM_SIDE; i++) {
            double factor = matrix[i][i - k] / pivot;
            for (int j = k + 1; j <= i; j++) {
                matrix[i][i - j] -= factor * matrix[j][j - k];
            }
        }
    }
    return negative;
}

bool imp_beam_spectrum(const imp_beam_elements *elements, int first, int end,
                       imp_bracket *bracket) {
    /* Every flexible mode of a beam of length 1 has lambda > 12, that of a clamped one. */
    const double least = 1, narrow = 1e-6;
    row *matrix = malloc((size_t)elements->n * sizeof *matrix);
    if (!matrix) {
        return false;
    }
    double most = 2 * least;
    while (count_below(elements, most, matrix) < end) {
        most *= 16;
    }
    for (int j = first; j < end; j++) {
        bracket[j] = (imp_bracket){.low = least, .high = most};
    }
    for (int j = first; j < end; j++) {
        imp_bracket *b = &bracket[j];
        while (b->high - b->low > narrow * b->low) {
            /* Squares span many powers of ten. */
            double middle = sqrt(b->low) * sqrt(b->high);
            int below = count_below(elements, middle, matrix);
            imp_bracket_cut(b, middle, below <= j);
            for (int k = j + 1; k < end && (k < below ? middle < bracket[k].high : true); k++) {
                if (k < below) {
                    bracket[k].high = middle;
                } else {
                    bracket[k].low = imp_larger(middle, bracket[k].low);
                }
            }
        }
    }
    free(matrix);
    return true;
}
