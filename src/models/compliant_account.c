#include "models/compliant_account.h"

#include <math.h>

typedef double component(const imp_moment *moment);

static double normal_force(const imp_moment *m) {
    return m->f_n;
}

static double normal_rate(const imp_moment *m) {
    return m->f_n_rate;
}

static double tangential_force(const imp_moment *m) {
    return m->f_t;
}

static double tangential_rate(const imp_moment *m) {
    return m->f_t_rate;
}

static void note(imp_peak_force *peak, double force, double time) {
    if (fabs(force) > peak->size) {
        *peak = (imp_peak_force){fabs(force), time};
    }
}

/* Where a rate that has opposite signs at both ends vanishes. */
static imp_moment turning(const imp_piece *piece, component *rate, imp_moment low,
                          imp_moment high) {
    enum { MOST = 100 };
    double sign = rate(&low) > 0 ? 1 : -1;
    for (int i = 0; i < MOST; i++) {
        double below = sign * rate(&low), above = -sign * rate(&high);
        double share = i % 3 == 2 ? 0.5 : below / (below + above);
        double time = low.time + share * (high.time - low.time);
        if (!(time > low.time && time < high.time)) {
            break;
        }
        imp_moment at = piece->at(piece, time);
        if (sign * rate(&at) > 0) {
            low = at;
        } else {
            high = at;
        }
    }
    return fabs(rate(&low)) < fabs(rate(&high)) ? low : high;
}

static void seek_peak(const imp_piece *piece, component *force, component *rate, double since,
                      imp_peak_force *peak) {
    const double most = 4096;
    int n = (int)fmin(most, ceil(8 * piece->duration / piece->pace));
    imp_moment from = piece->at(piece, 0);
    note(peak, force(&from), since);
    for (int i = 1; i <= (n < 1 ? 1 : n); i++) {
        imp_moment to = piece->at(piece, n < 2 ? piece->duration : piece->duration * i / n);
        note(peak, force(&to), since + to.time);
        if (rate(&from) * rate(&to) < 0) {
            imp_moment top = turning(piece, rate, from, to);
            note(peak, force(&top), since + top.time);
        }
        from = to;
    }
}

static void see(imp_watch *watch, const imp_piece *piece) {
    imp_account *account = (imp_account *)watch;
    imp_moment end = piece->at(piece, piece->duration);
    if (piece->turn >= 0) {
        imp_moment turn = piece->at(piece, fmin(piece->turn, piece->duration));
        account->work_t_turn = account->work_t + turn.work_t;
    }
    account->work_t += end.work_t;
    if (piece->phase != IMP_STICK) {
        /* Stick and slip alternate: whichever comes first, slip phases are every second one. */
        int slip = piece->number / 2;
        slip = slip < IMP_COMPLIANT_SLIPS ? slip : IMP_COMPLIANT_SLIPS - 1;
        account->slip_loss[slip] += end.loss;
        account->slips = slip + 1;
    }
    if (account->want_peaks) {
        seek_peak(piece, normal_force, normal_rate, account->time, &account->normal);
        seek_peak(piece, tangential_force, tangential_rate, account->time, &account->tangential);
    }
    account->time += piece->duration;
}

imp_account imp_account_open(bool want_peaks) {
    return (imp_account){.watch = {see}, .want_peaks = want_peaks};
}
