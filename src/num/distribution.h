/* Distributions of one number, and the way from a probability to a value, the same everywhere. */
#ifndef IMP_NUM_DISTRIBUTION_H
#define IMP_NUM_DISTRIBUTION_H

typedef enum imp_distribution_kind {
    IMP_UNIFORM, /* between two ends */
    IMP_NORMAL,
    IMP_DISTRIBUTIONS
} imp_distribution_kind;

/* Their names in configs and in files. */
extern const char *const imp_distribution_names[IMP_DISTRIBUTIONS];

typedef struct imp_distribution {
    imp_distribution_kind kind;
    double a, b;      /* ends, a < b; or mean and standard deviation, above 0 */
    double low, high; /* a normal distribution is cut off there; infinite: it is not */
} imp_distribution;

/* The range of probabilities that is left of a distribution that is cut off. Above the mean they
 * are those of the mirrored distribution (sign -1), where they are small and keep their digits. */
typedef struct imp_truncation {
    double sign, from, to;
} imp_truncation;

imp_truncation imp_distribution_cut(const imp_distribution *distribution);

/* The value below which the part u in (0, 1) of the distribution lies; cut: that of the
 * distribution. */
double imp_distribution_quantile(const imp_distribution *distribution, const imp_truncation *cut,
                                 double u);

/* The two-sided quantile of Student's t: a number with `freedom` >= 1 degrees of freedom lies
 * within this distance from 0 with the probability `level` in (0, 1). Relative error below
 * 1e-12. */
double imp_student_quantile(int freedom, double level);

/* The standard error of the mean of n numbers; NaN for fewer than two. */
double imp_standard_error(const double *value, int n);

#endif
