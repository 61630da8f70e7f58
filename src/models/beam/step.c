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
IMP_EACH_WIDTH(imp_beam_iterate, (imp_beam_step * step, int most), imp_lane_width(), (step, most))
IMP_EACH_WIDTH(imp_beam_end_step,
               (const imp_beam_tables *t, const imp_beam_length *length, const double *shape,
                const imp_beam_motions *now, const double *force, imp_beam_motions *next),
               imp_lane_width(), (t, length, shape, now, force, next))
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
                const double *power, int terms, double length, imp_beam_step *step),
               imp_lane_width(), (edge, series, answer, power, terms, length, step))
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

/* 1/m */
static const double over[IMP_BEAM_TERMS] = {
    0,        1,        1.0 / 2,  1.0 / 3,  1.0 / 4,  1.0 / 5,  1.0 / 6,  1.0 / 7,
    1.0 / 8,  1.0 / 9,  1.0 / 10, 1.0 / 11, 1.0 / 12, 1.0 / 13, 1.0 / 14, 1.0 / 15,
    1.0 / 16, 1.0 / 17, 1.0 / 18, 1.0 / 19, 1.0 / 20, 1.0 / 21, 1.0 / 22, 1.0 / 23,
    1.0 / 24, 1.0 / 25, 1.0 / 26, 1.0 / 27, 1.0 / 28, 1.0 / 29, 1.0 / 30, 1.0 / 31};

int imp_beam_powers(double part, double power[IMP_BEAM_TERMS]) {
    /* A mode makes at most `turns` in the reach: the bound of a term is (turns part)^m / m!. */
    const double turns = 3, least = 1e-18;
    double bound = 1;
    int terms = 1;
    power[0] = 1;
    for (; terms < IMP_BEAM_TERMS; terms++) {
        bound *= turns * part * over[terms];
        if (bound <= least) {
            break;
        }
        power[terms] = power[terms - 1] * part;
    }
    for (int m = terms; m < IMP_BEAM_TERMS; m++) {
        power[m] = 0;
    }
    return terms;
}
