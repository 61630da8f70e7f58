#include "models/compliant/account.h"

#include <math.h>

#include "num/bracket.h"
#include "num/larger.h"

typedef double component(const imp_instant *moment);

static double normal_force(const imp_instant *m) {
    return m->f_n;
}

static double normal_rate(const imp_instant *m) {
    return m->f_n_rate;
}

static double tangential_force(const imp_instant *m) {
    return m->f_t;
}

static double tangential_rate(const imp_instant *m) {
    return m->f_t_rate;
}

static void note(imp_peak_force *peak, double force, double time) {
    if (fabs(force) > peak->size) {
        *peak = (imp_peak_force){fabs(force), time};
    }
}

/* The zero of a rate that has opposite signs at the two ends. A peak is flat: its force converges
 * long before its time. */
static imp_instant turning(const imp_compliant_piece *piece, component *rate, imp_instant low,
                           imp_instant high) {
    enum { MOST = 100 };
    const double near_enough = 1e-13;
    double sign = rate(&low) > 0 ? 1 : -1;
    imp_chord c = {{low.time, high.time}, sign * rate(&low), sign * rate(&high), 0};
    imp_instant at = c.low_value < -c.high_value ? low : high;
    for (int i = 0; i < MOST; i++) {
        double time = imp_chord_next(&c);
        bool settled = fabs(time - at.time) <= near_enough * (piece->span.duration + time);
        if (!imp_bracket_holds(&c.ends, time) || (i > 0 && settled)) {
            break;
        }
        at = piece->at(piece, time);
        imp_chord_cut(&c, time, sign * rate(&at));
    }
    return at;
}

/* Notes the greatest force in a piece, in `n` stretches; the force turns at most once in each. */
static void seek_peak(const imp_compliant_piece *piece, component *force, component *rate, int n,
                      const imp_instant *start, const imp_instant *end, double since,
                      imp_peak_force *peak) {
    imp_instant from = *start;
    note(peak, force(start), since);
    for (int i = 1; i <= n; i++) {
        imp_instant to = i < n ? piece->at(piece, piece->span.duration * i / n) : *end;
        note(peak, force(&to), since + to.time);
        if (rate(&from) * rate(&to) < 0) {
            imp_instant top = turning(piece, rate, from, to);
            note(peak, force(&top), since + top.time);
        }
        from = to;
    }
}

/* `turn`: NULL if the greatest indentation is elsewhere. */
static void seek_peaks(const imp_compliant_piece *piece, const imp_instant *start,
                       const imp_instant *turn, const imp_instant *end, imp_account *account) {
    const double most = 4096;
    double since = account->time;
    int n = (int)imp_larger(imp_smaller(ceil(8 * piece->span.duration / piece->pace), most), 1);
    if (piece->elastic) {
        if (turn) {
            note(&account->normal, turn->f_n, since + turn->time);
        }
    } else {
        seek_peak(piece, normal_force, normal_rate, n, start, end, since, &account->normal);
    }
    if (!piece->elastic || piece->span.phase == IMP_STICK) {
        seek_peak(piece, tangential_force, tangential_rate, n, start, end, since,
                  &account->tangential);
    } else if (turn) {
        note(&account->tangential, turn->f_t, since + turn->time);
    } else {
        seek_peak(piece, tangential_force, tangential_rate, 1, start, end, since,
                  &account->tangential);
    }
}

static void see_piece(imp_observer *observer, const void *shown) {
    const imp_compliant_piece *piece = shown;
    imp_account *account = (imp_account *)observer;
    bool turns = piece->turn >= 0;
    imp_instant start = piece->at(piece, 0), end = piece->at(piece, piece->span.duration);
    imp_instant turn =
        turns ? piece->at(piece, imp_smaller(piece->span.duration, piece->turn)) : start;
    if (turns) {
        account->work_t_approach += account->work_t_rebound + turn.work_t;
        account->work_t_rebound = -turn.work_t;
    }
    account->work_t_rebound += end.work_t;
    if (piece->span.phase != IMP_STICK) {
        /* Stick and slip alternate: whichever comes first, slip phases are every second one. */
        int slip = piece->span.number / 2;
        slip = slip < IMP_COMPLIANT_SLIPS ? slip : IMP_COMPLIANT_SLIPS - 1;
        account->slip_loss[slip] += end.loss;
        account->slips = slip + 1;
    }
    if (account->want_peaks) {
        seek_peaks(piece, &start, turns ? &turn : NULL, &end, account);
    }
    account->time += piece->span.duration;
}

static void restart(imp_observer *observer) {
    imp_account *account = (imp_account *)observer;
    *account = imp_account_open(account->want_peaks);
}

imp_account imp_account_open(bool want_peaks) {
    return (imp_account){.observer = {.see_piece = see_piece, .restart = restart},
                         .want_peaks = want_peaks};
}
