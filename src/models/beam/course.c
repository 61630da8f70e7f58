#include "models/beam/course.h"

#include <string.h>

#include "num/larger.h"

void imp_beam_course_begin(imp_beam_course *course) {
    imp_beam_result_begin(course->problem, course->result);
    imp_beam_flight_prepare(&course->work->flight, course->problem);
    imp_beam_kicks_clear(&course->work->kicks);
}

const double *imp_beam_course_shown(imp_beam_course *course, const double *state) {
    int n = course->problem->n;
    memcpy(course->shown, state, (2 * (size_t)n + 2) * sizeof *state);
    for (int j = 0; j < n; j++) {
        course->shown[j] += course->passed[j];
    }
    return course->shown;
}

void imp_beam_course_show(imp_beam_course *course, int phase, double end, void *motion,
                          const double *(*at)(const imp_beam_piece *piece, double time)) {
    imp_beam_piece piece = {.phase = phase, .end = end, .motion = motion, .at = at};
    if (course->observer) {
        course->observer->see_piece(course->observer, &piece);
    }
}

void imp_beam_course_show_event(imp_beam_course *course, int phase, int code, double time,
                                const double *state) {
    if (course->observer) {
        imp_beam_instant now = {.time = time, .state = imp_beam_course_shown(course, state)};
        course->observer->see_event(course->observer, code, phase, &now);
    }
}

void imp_beam_course_end_compression(imp_beam_course *course, double time, double impulse) {
    course->compressed = true;
    course->result->compression_time = time;
    course->result->impulse_compression = impulse;
}

void imp_beam_course_touch(imp_beam_course *course) {
    const double *state = course->work->state;
    course->touch = course->time;
    imp_beam_course_show_event(course, IMP_BEAM_IN_CONTACT, IMP_BEAM_TOUCH, course->time, state);
    imp_beam_kicks_see(&course->work->kicks, course->problem, state);
}

void imp_beam_course_separate(imp_beam_course *course) {
    const double *state = course->work->state;
    imp_beam_result_count(course->result, course->touch, course->time);
    imp_beam_course_show_event(course, IMP_BEAM_APART, IMP_BEAM_SEPARATION, course->time, state);
    imp_beam_kicks_see(&course->work->kicks, course->problem, state);
    imp_beam_result_separate(course->problem, course->time, state, course->result);
}

/* ---- flight ---- */

static const double *flight_at(const imp_beam_piece *piece, double time) {
    imp_beam_course *course = piece->motion;
    imp_beam_flight *flight = &course->work->flight;
    int lost = 2 * course->problem->n + 1;
    imp_beam_flight_move(flight, imp_larger(0, time - course->time));
    flight->now[lost] = flight->start[lost] + imp_beam_flight_dissipated(flight);
    return imp_beam_course_shown(course, flight->now);
}

/* Takes over the flight, which ends with a touch. */
static void land(imp_beam_course *course) {
    imp_beam_flight *flight = &course->work->flight;
    int n = course->problem->n;
    double length = flight->time, after;
    imp_beam_course_show(course, IMP_BEAM_APART, course->time + length, course, flight_at);
    if (course->observer) {
        imp_beam_flight_move(flight, length);
    }
    flight->now[2 * n + 1] = flight->start[2 * n + 1] + imp_beam_flight_dissipated(flight);
    if (!course->compressed && imp_beam_flight_turns(flight, &after)) {
        imp_beam_course_end_compression(course, course->time + after, flight->start[2 * n]);
    }
    memcpy(course->work->state, flight->now, (2 * (size_t)n + 2) * sizeof *flight->now);
    course->time += length;
    imp_beam_kicks_flight(&course->work->kicks, length);
}

bool imp_beam_course_fly(imp_beam_course *course) {
    imp_beam_flight *flight = &course->work->flight;
    imp_beam_flight_start(flight, course->work->state);
    imp_beam_flight_end end =
        imp_beam_flight_search(flight, course->left, &course->result->closeness);
    if (end == IMP_BEAM_LOST) {
        course->result->outcome = IMP_BUDGET;
    }
    if (end == IMP_BEAM_CONTACT) {
        land(course);
    }
    return end == IMP_BEAM_CONTACT;
}

void imp_beam_course_end(imp_beam_course *course) {
    if (course->result->outcome == IMP_SOLVED && !course->compressed) {
        course->result->outcome = IMP_NO_CONVERGENCE;
    }
}
