#include "sched/crew.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"

imp_err imp_crew_open(imp_crew *crew, const imp_port *port) {
    *crew = (imp_crew){.port = port,
                       .members = calloc((size_t)port->ranks, sizeof *crew->members),
                       .ranks = port->ranks,
                       .present = port->ranks - 1};
    return crew->members ? IMP_OK : imp_out_of_memory();
}

void imp_crew_close(imp_crew *crew) {
    imp_buffer_free(&crew->message);
    free(crew->members);
    *crew = (imp_crew){0};
}

double imp_crew_now(const imp_crew *crew) {
    return imp_seconds_elapsed() - crew->deaf;
}

static bool is_present(const imp_member *m) {
    return !m->left && !m->gone;
}

/* The member of another rank. */
static imp_member *member(const imp_crew *crew, int rank) {
    assert(rank > 0 && rank < crew->ranks);
    return &crew->members[rank];
}

bool imp_crew_has_room(const imp_crew *crew, int rank) {
    const imp_member *m = member(crew, rank);
    return m->n < IMP_QUEUED && !m->dealt && is_present(m);
}

/* Sends an order and the points that follow it. */
static imp_err send(imp_crew *crew, int rank, int tag, const imp_interval *order,
                    const imp_point *points) {
    size_t head = order ? sizeof *order : 0;
    size_t rest = points ? (size_t)order->count * sizeof *points : 0;
    unsigned char *bytes = imp_buffer_reserve(&crew->message, head + rest);
    if (!bytes) {
        return imp_out_of_memory();
    }
    if (head > 0) {
        memcpy(bytes, order, head);
    }
    if (rest > 0) {
        memcpy(bytes + head, points, rest);
    }
    crew->port->send(crew->port->context, rank, tag, &crew->message, head + rest);
    return IMP_OK;
}

imp_err imp_crew_order(imp_crew *crew, int rank, imp_interval order, const imp_point *points) {
    imp_member *m = member(crew, rank);
    assert(imp_crew_has_room(crew, rank));
    imp_err error = send(crew, rank, IMP_TAG_WORK, &order, points);
    if (error) {
        return error;
    }
    if (m->n == 0) {
        imp_crew_heard(crew, rank);
    }
    m->orders[m->n++] = order;
    crew->waiting++;
    return IMP_OK;
}

void imp_crew_deal(imp_crew *crew, int rank, imp_interval share) {
    imp_member *m = member(crew, rank);
    assert(m->n == 0 && is_present(m));
    if (share.count > 0) {
        imp_crew_heard(crew, rank);
        m->orders[m->n++] = share;
        m->dealt = true;
        crew->waiting++;
    }
}

void imp_crew_heard(imp_crew *crew, int rank) {
    imp_member *m = member(crew, rank);
    double now = imp_seconds_elapsed();
    if (m->n > 0 && now - m->at > crew->longest) {
        crew->longest = now - m->at;
    }
    m->at = now;
    m->heard = now - crew->deaf;
    m->reported = false;
}

imp_interval imp_crew_answered(imp_crew *crew, int rank, int64_t left, int64_t returned) {
    imp_member *m = member(crew, rank);
    assert(m->n > 0 && left >= 0 && returned >= 0);
    int64_t end = imp_interval_end(m->orders[0]) - returned;
    m->dealt = m->dealt && returned == 0 && left > 0;
    if (left > 0) {
        m->orders[0] = (imp_interval){end - left, left};
    } else {
        m->orders[0] = m->orders[1];
        m->n--;
        crew->waiting--;
    }
    return (imp_interval){end, returned};
}

void imp_crew_left(imp_crew *crew, int rank) {
    imp_member *m = member(crew, rank);
    crew->present -= is_present(m);
    m->left = true;
}

static imp_err tell(imp_crew *crew, int tag, const imp_interval *order) {
    imp_err error = IMP_OK;
    crew->asked = imp_crew_now(crew);
    for (int rank = 1; !error && rank < crew->ranks; rank++) {
        if (is_present(&crew->members[rank])) {
            error = send(crew, rank, tag, order, NULL);
        }
    }
    return error;
}

imp_err imp_crew_stop(imp_crew *crew) {
    bool again = crew->stopped;
    crew->stopped = true;
    return again ? IMP_OK : tell(crew, IMP_TAG_STOP, NULL);
}

imp_err imp_crew_dismiss(imp_crew *crew) {
    const imp_interval nothing = {0, 0};
    crew->dismissed = true;
    return tell(crew, IMP_TAG_WORK, &nothing);
}

int imp_crew_silent(imp_crew *crew, double seconds) {
    double now = imp_crew_now(crew);
    for (int rank = 1; rank < crew->ranks; rank++) {
        imp_member *m = &crew->members[rank];
        if (m->n > 0 && !m->reported && now - m->heard >= seconds) {
            m->reported = true;
            return rank;
        }
    }
    return 0;
}

int imp_crew_overdue(const imp_crew *crew, double seconds) {
    double latest = imp_crew_now(crew) - seconds;
    for (int rank = 1; rank < crew->ranks; rank++) {
        const imp_member *m = &crew->members[rank];
        bool owes = (m->n > 0 || crew->dismissed) && is_present(m);
        if (owes && fmax(m->heard, crew->asked) <= latest) {
            return rank;
        }
    }
    return 0;
}

int imp_crew_dead(const imp_crew *crew) {
    for (int rank = 1; rank < crew->ranks; rank++) {
        if (is_present(&crew->members[rank]) && !crew->port->alive(crew->port->context, rank)) {
            return rank;
        }
    }
    return 0;
}

int imp_crew_lose(imp_crew *crew, int rank, imp_loss why, imp_interval orders[IMP_QUEUED]) {
    imp_member *m = member(crew, rank);
    assert(is_present(m));
    int n = m->n;
    memcpy(orders, m->orders, (size_t)n * sizeof *orders);
    crew->waiting -= n;
    crew->present -= is_present(m);
    m->n = 0;
    m->gone = true;
    crew->port->forget(crew->port->context, rank, why);
    return n;
}
