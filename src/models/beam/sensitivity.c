#include "models/beam/sensitivity.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "models/beam/sums.h"
#include "num/trigonometry.h"

void imp_beam_kicks_clear(imp_beam_kicks *kicks) {
    kicks->n = 0;
    memset(kicks->size, 0, sizeof kicks->size);
    kicks->pending = 0;
    kicks->lost = false;
}

void imp_beam_kicks_free(imp_beam_kicks *kicks) {
    free(kicks->kick);
    *kicks = (imp_beam_kicks){.kick = NULL};
}

void imp_beam_kicks_contact(imp_beam_kicks *kicks, const imp_beam_problem *problem, double length,
                            double before, double after) {
    if (kicks->n == kicks->room) {
        size_t room = kicks->room > 0 ? 2 * kicks->room : 1024;
        imp_beam_kick *more = realloc(kicks->kick, room * sizeof *more);
        if (!more) {
            kicks->lost = true;
            return;
        }
        kicks->kick = more;
        kicks->room = room;
    }
    double root = (sqrt(fmax(0, before)) + sqrt(fmax(0, after))) / 2;
    kicks->kick[kicks->n++] = (imp_beam_kick){
        .time = kicks->pending + length / 2,
        .slope = 1.5 * problem->stiffness * root * length,
    };
    kicks->pending = length / 2;
}

void imp_beam_kicks_see(imp_beam_kicks *kicks, const imp_beam_problem *problem,
                        const double *state) {
    for (int j = 0; j < problem->n; j++) {
        double speed = state[problem->n + j], place = state[j];
        double size = sqrt(speed * speed + problem->lambda[j] * place * place);
        kicks->size[j] = fmax(kicks->size[j], size);
    }
}

void imp_beam_kicks_flight(imp_beam_kicks *kicks, double time) {
    kicks->pending += time;
}

/* Changes of the impulse with displacement and velocity of each mode. */
typedef struct slopes {
    double place[IMP_BEAM_MOST_FREEDOMS], speed[IMP_BEAM_MOST_FREEDOMS];
} slopes;

/* Change of the impulse by errors of all modes at once, squared. */
static double squared(const slopes *s, const imp_beam_problem *p) {
    double places = 0, speeds = 0;
    for (int j = 0; j < p->n; j++) {
        double place = s->place[j] * p->place_error[j], speed = s->speed[j] * p->speed_error[j];
        places += place * place;
        speeds += speed * speed;
    }
    return places + speeds;
}

/* Adds to change[j] the most by which a relative error of 1 in the frequency of mode j changes the
 * impulse through a motion that has just been undone. */
static void add_turned(const slopes *s, const imp_beam_problem *p, const double *size, double time,
                       double *change) {
    for (int j = 0; j < p->n; j++) {
        change[j] += time * size[j] * (fabs(s->place[j]) + p->omega[j] * fabs(s->speed[j]));
    }
}

static double norm(const double *value, int n) {
    double sum = 0;
    for (int j = 0; j < n; j++) {
        sum += value[j] * value[j];
    }
    return sqrt(sum);
}

/* Goes back from after a kick to before it. */
static void undo_kick(slopes *s, const imp_beam_problem *p, double slope) {
    double change = slope * (1 - imp_beam_indentation(p, s->speed));
    for (int j = 0; j < p->n; j++) {
        s->place[j] -= p->shape[j] * change;
    }
}

/* Goes back from the end of a free motion to its beginning; approximate for overdamped modes. */
static void undo_motion(slopes *s, const imp_beam_problem *p, double time) {
    for (int j = 0; j < p->n; j += 2) {
        int last = j + 1 < p->n ? j + 1 : j;
        imp_pair omega = {p->omega[j], p->omega[last]};
        imp_pair_sincos angle = imp_pair_sine_cosine(omega * time);
        for (int i = j; i <= last; i++) {
            double w = p->omega[i], fade = p->damped ? exp(-p->damping[i] * time / 2) : 1;
            double cosine = fade * angle.cosine[i - j], sine = fade * angle.sine[i - j];
            double place = s->place[i], speed = s->speed[i];
            s->place[i] = cosine * place - w * sine * speed;
            s->speed[i] = cosine * speed + (w > 0 ? sine / w : time) * place;
        }
    }
}

double imp_beam_uncertainty(const imp_beam_kicks *kicks, const imp_beam_problem *problem,
                            double tolerance) {
    slopes s;
    double sum = 0, turned[IMP_BEAM_MOST_FREEDOMS];
    for (int j = 0; j < problem->n; j++) {
        s.place[j] = s.speed[j] = turned[j] = 0;
    }
    for (size_t k = kicks->n; k > 0; k--) {
        sum += squared(&s, problem);
        undo_kick(&s, problem, kicks->kick[k - 1].slope);
        undo_motion(&s, problem, kicks->kick[k - 1].time);
        add_turned(&s, problem, kicks->size, kicks->kick[k - 1].time, turned);
    }
    double steps = tolerance * sqrt(2 * problem->energy) * sqrt(sum);
    double modes = problem->mode_error * norm(turned, problem->n);
    double change = (steps + modes) / (problem->effective_mass * problem->approach);
    return isnan(change) ? INFINITY : change;
}
