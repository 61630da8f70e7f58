/* One step of an explicit Runge-Kutta pair of order 8, with error estimates of order 5 and 3:
 * DOP853 with its coefficients, from E. Hairer, S. P. Norsett and G. Wanner, Solving Ordinary
 * Differential Equations I, 2nd ed., Springer 1993, section II.10.
 *
 * Between the ends of a step the solution is computed by a shorter step from the same start: with
 * full order, at the price of 12 evaluations, and without an interpolant.
 *
 * A state is a row of doubles. Rates depend on the first IMP_RK_COUPLED only; the others are
 * integrals, which cost almost nothing. */
#ifndef IMP_NUM_RUNGE_KUTTA_H
#define IMP_NUM_RUNGE_KUTTA_H

#include <math.h>

#include "num/trigonometry.h"

enum { IMP_RK_COUPLED = 4, IMP_RK_SIZE = 8, IMP_RK_STAGES = 12, IMP_RK_PAIRS = IMP_RK_SIZE / 2 };

typedef union imp_rk_row {
    double x[IMP_RK_SIZE];
    imp_pair pair[IMP_RK_PAIRS];
} imp_rk_row;

/* dy/dt. Only y->x[0 .. IMP_RK_COUPLED-1] may be read; all of rate is set. */
typedef void imp_rk_rates(const void *system, const imp_rk_row *y, imp_rk_row *rate);

typedef struct imp_rk_end {
    imp_rk_row y, error5, error3; /* the errors without the factor h */
} imp_rk_end;

static const double imp_rk_stage[IMP_RK_STAGES][IMP_RK_STAGES] = {
    {0.05260015195876773},
    {0.0197250569845379, 0.0591751709536137},
    {0.02958758547680685, 0, 0.08876275643042054},
    {0.2413651341592667, 0, -0.8845494793282861, 0.924834003261792},
    {0.037037037037037035, 0, 0, 0.17082860872947386, 0.12546768756682242},
    {0.037109375, 0, 0, 0.17025221101954405, 0.06021653898045596, -0.017578125},
    {0.03709200011850479, 0, 0, 0.17038392571223998, 0.10726203044637328, -0.015319437748624402,
     0.008273789163814023},
    {0.6241109587160757, 0, 0, -3.3608926294469414, -0.868219346841726, 27.59209969944671,
     20.154067550477894, -43.48988418106996},
    {0.47766253643826434, 0, 0, -2.4881146199716677, -0.590290826836843, 21.230051448181193,
     15.279233632882423, -33.28821096898486, -0.020331201708508627},
    {-0.9371424300859873, 0, 0, 5.186372428844064, 1.0914373489967295, -8.149787010746927,
     -18.52006565999696, 22.739487099350505, 2.4936055526796523, -3.0467644718982196},
    {2.273310147516538, 0, 0, -10.53449546673725, -2.0008720582248625, -17.9589318631188,
     27.94888452941996, -2.8589982771350235, -8.87285693353063, 12.360567175794303,
     0.6433927460157636},
    {0.054293734116568765, 0, 0, 0, 0, 4.450312892752409, 1.8915178993145003, -5.801203960010585,
     0.3111643669578199, -0.1521609496625161, 0.20136540080403034, 0.04471061572777259}};
static const double imp_rk_third[IMP_RK_STAGES] = {-0.18980075407240762,
                                                   0,
                                                   0,
                                                   0,
                                                   0,
                                                   4.450312892752409,
                                                   1.8915178993145003,
                                                   -5.801203960010585,
                                                   -0.4226823213237919,
                                                   -0.1521609496625161,
                                                   0.20136540080403034,
                                                   0.02265179219836082};
static const double imp_rk_fifth[IMP_RK_STAGES] = {0.01312004499419488,
                                                   0,
                                                   0,
                                                   0,
                                                   0,
                                                   -1.2251564463762044,
                                                   -0.4957589496572502,
                                                   1.6643771824549864,
                                                   -0.35032884874997366,
                                                   0.3341791187130175,
                                                   0.08192320648511571,
                                                   -0.022355307863886294};

/* The state after a step of length h from y, where the rates are known. Always inlined: `rates` is
 * then a constant that the compiler can inline too. */
static inline __attribute__((always_inline)) imp_rk_end
imp_rk_step(imp_rk_rates *rates, const void *system, const imp_rk_row *y, const imp_rk_row *rate,
            double h) {
    imp_rk_row k[IMP_RK_STAGES], at = *y;
    imp_rk_end end = {.y = *y};
    k[0] = *rate;
    for (int i = 1; i < IMP_RK_STAGES; i++) {
        for (int p = 0; p < IMP_RK_COUPLED / 2; p++) {
            imp_pair sum = imp_rk_stage[i - 1][0] * k[0].pair[p];
            /* Stages 1 and 2 are not used after stage 4. */
            for (int j = i > 4 ? 3 : 1; j < i; j++) {
                sum += imp_rk_stage[i - 1][j] * k[j].pair[p];
            }
            at.pair[p] = y->pair[p] + h * sum;
        }
        rates(system, &at, &k[i]);
    }
    for (int p = 0; p < IMP_RK_PAIRS; p++) {
        imp_pair sum = {0, 0}, third = {0, 0}, fifth = {0, 0};
        for (int j = 0; j < IMP_RK_STAGES; j = j == 0 ? 5 : j + 1) {
            sum += imp_rk_stage[IMP_RK_STAGES - 1][j] * k[j].pair[p];
            third += imp_rk_third[j] * k[j].pair[p];
            fifth += imp_rk_fifth[j] * k[j].pair[p];
        }
        end.y.pair[p] = y->pair[p] + h * sum;
        end.error3.pair[p] = third;
        end.error5.pair[p] = fifth;
    }
    return end;
}

/* Estimated error of a step relative to the tolerance, weight[i] = 1 / tolerance of y[i]. A step is
 * good if this is at most 1; NaN or infinite if the step left the domain. */
static inline double imp_rk_error(const imp_rk_end *end, const double *weight, double h) {
    double fifth = 0, third = 0;
    for (int i = 0; i < IMP_RK_SIZE; i++) {
        double e5 = end->error5.x[i] * weight[i], e3 = end->error3.x[i] * weight[i];
        fifth += e5 * e5;
        third += e3 * e3;
    }
    double both = fifth + 0.01 * third;
    return both > 0 ? h * fifth / sqrt(both * IMP_RK_SIZE) : both;
}

/* Length of the next step after one of length h with this error. */
static inline double imp_rk_next(double h, double error) {
    if (!(error < 1e300)) {
        return h / 10;
    }
    /* The eighth root. */
    double factor = 0.9 / sqrt(sqrt(sqrt(error > 1e-12 ? error : 1e-12)));
    return h * (factor < 0.2 ? 0.2 : factor > 6 ? 6 : factor);
}

#endif
