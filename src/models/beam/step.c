#include "models/beam/step.h"

#include "num/lanes/width.h"

/* Eight places or modes are always there. */
IMP_EACH_WIDTH(imp_beam_sum_pushed,
               (const imp_beam_tables *t, const imp_beam_length *length, const double *shape,
                double matrix[IMP_BEAM_POINTS][IMP_BEAM_POINTS]),
               imp_lane_width(), (t, length, shape, matrix))
IMP_EACH_WIDTH(imp_beam_sum_free,
               (const imp_beam_tables *t, const imp_beam_length *length, const double *shape,
                const imp_beam_motions *now, double *free),
               imp_lane_width(), (t, length, shape, now, free))
IMP_EACH_WIDTH(imp_beam_extend,
               (const double (*guess)[IMP_BEAM_POINTS], const double *before, double *force),
               imp_lane_width(), (guess, before, force))
IMP_EACH_WIDTH(imp_beam_iterate, (imp_beam_step * step, int most), imp_lane_width(), (step, most))
IMP_EACH_WIDTH(imp_beam_sum_step,
               (const imp_beam_points *points, const imp_beam_step *step, imp_beam_step_sums *sums),
               imp_lane_width(), (points, step, sums))
IMP_EACH_WIDTH(imp_beam_end_step,
               (const imp_beam_tables *t, const imp_beam_length *length, const double *shape,
                const imp_beam_motions *now, const double *force, imp_beam_motions *next,
                double *depth, double *depth_rate),
               imp_lane_width(), (t, length, shape, now, force, next, depth, depth_rate))
IMP_EACH_WIDTH(imp_beam_sum_contact,
               (const imp_beam_tables *t, const double *shape, const imp_beam_motions *now,
                double *depth, double *rate),
               imp_lane_width(), (t, shape, now, depth, rate))
IMP_EACH_WIDTH(imp_beam_sum_loss,
               (const imp_beam_tables *t, const imp_beam_length *length, const double *shape,
                const imp_beam_motions *now, const double *force, double *loss),
               imp_lane_width(), (t, length, shape, now, force, loss))
IMP_EACH_WIDTH(imp_beam_sum_series,
               (const imp_beam_tables *t, const double *shape, const imp_beam_motions *now,
                double *series),
               imp_lane_width(), (t, shape, now, series))
IMP_EACH_WIDTH(imp_beam_sum_answer, (const imp_beam_tables *t, const double *shape, double *answer),
               imp_lane_width(), (t, shape, answer))
IMP_EACH_WIDTH(imp_beam_sum_edge,
               (const imp_beam_edge *edge, const double *series, const double *answer,
                const double *power, int terms, double length,
                double matrix[IMP_BEAM_POINTS][IMP_BEAM_POINTS], double *free),
               imp_lane_width(), (edge, series, answer, power, terms, length, matrix, free))
IMP_EACH_WIDTH(imp_beam_sum_moments,
               (const double (*integral)[IMP_BEAM_TERMS], const double *force, double *moment),
               imp_lane_width(), (integral, force, moment))
IMP_EACH_WIDTH(imp_beam_end_edge,
               (const imp_beam_tables *t, const double *shape, const imp_beam_motions *now,
                double length, const double *powers, const double *moment, int terms,
                imp_beam_motions *next),
               imp_lane_width(), (t, shape, now, length, powers, moment, terms, next))
IMP_EACH_WIDTH(imp_beam_sum_power,
               (const imp_beam_tables *t, const imp_beam_motions *now, double *power),
               imp_lane_width(), (t, now, power))

/* A mode turns by at most 3 in the reach, so that term m is at most (3 part)^m/m!; up to this part
 * of the reach it is less than 1e-18. */
static const double negligible[IMP_BEAM_TERMS] = {
    0,        3.333e-19, 4.714e-10, 6.057e-07, 2.333e-05, 0.0002181, 0.0009979, 0.003023,
    0.007056, 0.01382,   0.02393,   0.0378,    0.05575,   0.07792,   0.1044,    0.1351,
    0.17,     0.2089,    0.2518,    0.2983,    0.3485,    0.402,     0.4587,    0.5185,
    0.5811,   0.6464,    0.7143,    0.7845,    0.8571,    0.9318,    1.008,     1.087};

int imp_beam_powers(double part, double power[IMP_BEAM_TERMS]) {
    enum { CHAINS = 4 }; /* because products wait for each other */
    int terms = 1;
    while (terms < IMP_BEAM_TERMS && part > negligible[terms]) {
        terms++;
    }
    power[0] = 1;
    for (int m = 1; m < CHAINS; m++) {
        power[m] = power[m - 1] * part;
    }
    double far = power[CHAINS - 1] * part;
    for (int m = CHAINS; m < IMP_BEAM_TERMS; m++) {
        power[m] = power[m - CHAINS] * far;
    }
    for (int m = terms; m < IMP_BEAM_TERMS; m++) {
        power[m] = 0;
    }
    return terms;
}
