/* The first fall of two sums of damped motions, as stick of the law `dashpot` looks for it in
 * lanes, against samples of the sums by closed forms of their own: where signs tell it, and where a
 * search finds it. */
#include <math.h>

#include "models/compliant/dashpot_signs_lanes.h"
#include "support/random.h"
#include "support/suite.h"

/* What a motion is at a time that begins with a value and a rate. */
static double motion_at(const damped *d, double value, double rate, double time) {
    long double half = (long double)d->p / 2, square = half * half - d->q;
    long double size = sqrtl(fabsl(square)), back = rate + half * value;
    if (square < 0) {
        return (double)(expl(-half * time) *
                        (value * cosl(size * time) + back / size * sinl(size * time)));
    }
    long double slow = (value + back / size) / 2, fast = (value - back / size) / 2;
    return (double)(slow * expl((size - half) * time) + fast * expl(-(size + half) * time));
}

static double sum_at(const motions *m, const sight *s, double time) {
    return motion_at(&m->d[0], s->value[0], s->rate[0], time) +
           motion_at(&m->d[1], s->value[1], s->rate[1], time);
}

/* Two motions, of which one creeps. */
static motions draw_motions(random_source *source) {
    motions m = {.relaxes = false};
    for (int j = 0; j < 2; j++) {
        double q = random_log(source, 0.1, 10);
        double ratio = j == 0 ? random_log(source, 1.05, 20) : random_log(source, 0.2, 20);
        set_damped(&m.d[j], 2 * ratio * sqrt(q), q);
        set_bounds(&m.d[j]);
    }
    return m;
}

/* A sum that has a bottom, or a top, near 0 at a time. */
static sight draw_dip(const motions *m, random_source *source) {
    double time = random_log(source, 0.03, 2), low = random_between(source, -0.02, 0.05);
    double z = random_between(source, -1, 1), v = random_between(source, -1, 1);
    sight s = {.constant = 0};
    for (int j = 0; j < 2; j++) {
        double value = j == 0 ? z : low - z, rate = j == 0 ? v : -v;
        double bend = -m->d[j].p * rate - m->d[j].q * value;
        s.value[j] = motion_at(&m->d[j], value, rate, -time);
        s.rate[j] = motion_at(&m->d[j], rate, bend, -time);
    }
    return s;
}

static sight draw_sum(random_source *source) {
    sight s = {.constant = 0};
    for (int j = 0; j < 2; j++) {
        s.value[j] = random_between(source, -1, 1);
        s.rate[j] = random_between(source, -1, 1) * random_log(source, 0.1, 10);
    }
    return s;
}

/* Sums that begin above 0 or, every third time the first one, at 0 and rise; every second time the
 * second one dips. */
static search draw_search(const motions *m, random_source *source, int number_of) {
    search k = {.n = 2, .at_start = true, .here = true, .limit = random_log(source, 0.1, 30)};
    for (int i = 0; i < k.n; i++) {
        sight *s = &k.s[i];
        *s = i == 1 && number_of % 2 == 0 ? draw_dip(m, source) : draw_sum(source);
        k.leaves[i] = i == 0 && number_of % 3 == 0;
        double sign = k.leaves[i] ? s->rate[0] + s->rate[1] : s->value[0] + s->value[1];
        for (int j = 0; j < 2 && sign < 0; j++) {
            s->value[j] = -s->value[j];
            s->rate[j] = -s->rate[j];
        }
        s->value[1] = k.leaves[i] ? -s->value[0] : s->value[1];
    }
    return k;
}

static void check_fall(const motions *m, const search *k, int cell) {
    enum { SAMPLES = 1000 };
    double until = k->which >= 0 ? k->time : k->limit;
    for (int i = 0; i < k->n; i++) {
        const sight *s = &k->s[i];
        double size = fabs(s->value[0]) + fabs(s->value[1]) + fabs(s->rate[0]) + fabs(s->rate[1]);
        for (int t = 1; t < SAMPLES; t++) {
            double time = until * t / SAMPLES, f = sum_at(m, s, time);
            CHECK(f > -1e-9 * size, "cell %d: sum %d is %g at %g, before %g", cell, i, f, time,
                  until);
        }
        if (k->which == i) {
            double f = sum_at(m, s, k->time);
            CHECK(fabs(f) < 1e-9 * size, "cell %d: sum %d is %g where it falls", cell, i, f);
        }
    }
}

typedef struct tally {
    int told, hard;
} tally;

/* By signs alone, where they tell, and by whatever tells. */
static void check_search(const motions *m, const search *drawn, int cell, tally *found) {
    search by_signs = *drawn, whole = *drawn;
    if (foresee_fall(m, &by_signs, true)) {
        found->told++;
        check_fall(m, &by_signs, cell);
    }
    find_fall(m, &whole, true);
    found->hard += whole.hard;
    if (!whole.hard) {
        check_fall(m, &whole, cell);
    }
}

static void falls(void) {
    enum { CELLS = 3000 };
    random_source source = {4720};
    tally found = {0, 0};
    for (int cell = 0; cell < CELLS; cell++) {
        motions m = draw_motions(&source);
        const search drawn = draw_search(&m, &source, cell);
        check_search(&m, &drawn, cell, &found);
    }
    CHECK(found.told > CELLS / 4 && found.hard < CELLS / 20, "%d told by signs, %d hard",
          found.told, found.hard);
}

/* A quick swing, the first or the second, beside a motion that creeps or swings slowly. */
static motions draw_quick(random_source *source, int fast) {
    motions m = {.relaxes = false};
    double q = random_log(source, 0.1, 10), rate = random_log(source, 6, 60) * sqrt(q);
    set_damped(&m.d[fast], 2 * random_log(source, 0.002, 0.2) * rate, rate * rate);
    set_damped(&m.d[1 - fast], 2 * random_log(source, 0.3, 5) * sqrt(q), q);
    for (int j = 0; j < 2; j++) {
        set_bounds(&m.d[j]);
    }
    return m;
}

/* Two sums whose slower motion begins above 0, mostly above what the swing reaches, and falls;
 * every third time the first one leaves 0. */
static search draw_between_faces(const motions *m, random_source *source, int fast, int cell) {
    search k = {.n = 2, .at_start = true, .here = true, .limit = random_log(source, 1, 30)};
    double q = m->d[1 - fast].q, rate = sqrt(m->d[fast].q);
    for (int i = 0; i < k.n; i++) {
        sight *s = &k.s[i];
        double slow = random_between(source, 0.3, 1), reach = slow * random_between(source, 0, 1.2);
        double sign = i == 0 ? 1 : -1;
        s->value[1 - fast] = slow;
        s->rate[1 - fast] = sqrt(q) * random_between(source, -2, 0.2);
        s->value[fast] = sign * reach * random_between(source, -1, 1);
        s->rate[fast] = sign * reach * rate * random_between(source, -1, 1);
        k.leaves[i] = i == 0 && cell % 3 == 0;
        if (k.leaves[i]) {
            s->value[fast] = -slow;
            s->rate[fast] = -s->rate[1 - fast] + fabs(s->rate[fast]);
        } else if (s->value[0] + s->value[1] < 0) {
            s->value[fast] = -s->value[fast];
        }
    }
    return k;
}

static void falls_of_quick_swings(void) {
    enum { CELLS = 3000 };
    random_source source = {4721};
    tally found = {0, 0};
    for (int cell = 0; cell < CELLS; cell++) {
        motions m = draw_quick(&source, cell % 2);
        const search drawn = draw_between_faces(&m, &source, cell % 2, cell);
        check_search(&m, &drawn, cell, &found);
    }
    CHECK(found.told > CELLS / 3 && found.hard < CELLS / 20, "%d told by signs, %d hard",
          found.told, found.hard);
}

SUITE("falls of dashpots", falls, falls_of_quick_swings)
