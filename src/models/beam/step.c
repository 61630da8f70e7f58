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

int imp_beam_powers(double part, double power[IMP_BEAM_TERMS]) {
    /* A mode makes at most `turns` in the reach: the bound of a term is (turns part)^m / m!. */
    const double turns = 3, least = 1e-18;
    double bound = 1;
    int terms = 0;
    power[0] = 1;
    for (int m = 1; m < IMP_BEAM_TERMS; m++) {
        bound *= turns * part / m;
        power[m] = bound > least ? power[m - 1] * part : 0;
        terms = bound > least ? m : terms;
    }
    return terms + 1;
}
