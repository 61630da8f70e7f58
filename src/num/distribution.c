#include "num/distribution.h"

#include <assert.h>
#include <math.h>

#include "base/constants.h"
#include "num/bracket.h"
#include "num/sample.h"
#include "num/trigonometry.h"

const char *const imp_distribution_names[IMP_DISTRIBUTIONS] = {
    [IMP_UNIFORM] = "uniform", [IMP_NORMAL] = "normal"};

imp_truncation imp_distribution_cut(const imp_distribution *d) {
    if (d->kind == IMP_UNIFORM) {
        return (imp_truncation){.sign = 1, .from = 0, .to = 1};
    }
    double sign = d->low > d->a ? -1 : 1;
    double from = sign * (d->low - d->a) / d->b, to = sign * (d->high - d->a) / d->b;
    return (imp_truncation){
        .sign = sign, .from = imp_normal_probability(from), .to = imp_normal_probability(to)};
}

double imp_distribution_quantile(const imp_distribution *d, const imp_truncation *cut, double u) {
    if (d->kind == IMP_UNIFORM) {
        return d->a + (d->b - d->a) * u;
    }
    bool whole = cut->from == 0 && cut->to == 1;
    double p = whole ? u : cut->from + (cut->to - cut->from) * u;
    double value = d->a + cut->sign * d->b * imp_normal_quantile(p);
    return value < d->low ? d->low : value > d->high ? d->high : value;
}

/* The probability of |t| <= sqrt(freedom) tan(angle): the finite sums of Abramowitz and Stegun
 * 26.7.3 and 26.7.4. */
static double student_probability(int freedom, double angle) {
    imp_sincos of = imp_sine_cosine(angle);
    double square = of.cosine * of.cosine, term = 1, sum = 0;
    bool odd = freedom % 2 == 1;
    for (int k = odd ? 3 : 2; k <= freedom; k += 2) {
        sum += term;
        term *= square * (k - 1) / k;
    }
    return odd ? 2 / IMP_PI * (angle + of.sine * of.cosine * sum) : of.sine * sum;
}

double imp_student_quantile(int freedom, double level) {
    enum { HALVINGS = 60 };
    assert(freedom >= 1 && level > 0 && level < 1);
    imp_bracket b = {.low = 0, .high = IMP_PI / 2};
    for (int i = 0; i < HALVINGS; i++) {
        double middle = imp_bracket_middle(&b);
        imp_bracket_cut(&b, middle, student_probability(freedom, middle) < level);
    }
    imp_sincos of = imp_sine_cosine(b.low);
    return sqrt(freedom) * of.sine / of.cosine;
}

double imp_standard_error(const double *value, int n) {
    double mean = 0, square = 0;
    for (int r = 0; r < n; r++) {
        mean += value[r] / n;
    }
    for (int r = 0; r < n; r++) {
        square += (value[r] - mean) * (value[r] - mean);
    }
    return n > 1 ? sqrt(square / (n - 1) / n) : NAN;
}
