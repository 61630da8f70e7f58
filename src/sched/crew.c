#include "sched/crew.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

imp_err imp_crew_open(imp_crew *crew, int ranks) {
    *crew = (imp_crew){.members = calloc((size_t)ranks, sizeof *crew->members), .ranks = ranks};
    for (int i = 0; crew->members && i < ranks * IMP_QUEUED; i++) {
        crew->members[i / IMP_QUEUED].letters[i % IMP_QUEUED].request = MPI_REQUEST_NULL;
    }
    return crew->members ? IMP_OK : imp_fail(IMP_ERR_MEMORY, "out of memory");
}

/* MPI may still use the letters to a rank that was given up: they are not freed. */
void imp_crew_close(imp_crew *crew) {
    for (int i = 0; crew->members && i < crew->ranks * IMP_QUEUED; i++) {
        imp_member *m = &crew->members[i / IMP_QUEUED];
        if (!m->abandoned) {
            MPI_Wait(&m->letters[i % IMP_QUEUED].request, MPI_STATUS_IGNORE);
            free(m->letters[i % IMP_QUEUED].bytes);
        }
    }
    free(crew->members);
    *crew = (imp_crew){0};
}

bool imp_crew_has_room(const imp_crew *crew, int rank) {
    return crew->members[rank].n < IMP_QUEUED && !crew->members[rank].abandoned;
}

/* The wait is short: an earlier letter in the same place has been answered. */
static imp_err send_letter(imp_member *m, int rank, imp_order order, const imp_point *points) {
    imp_letter *letter = &m->letters[m->letter];
    size_t size = (size_t)order.count * sizeof *points;
    if (!letter->bytes) {
        letter->bytes = malloc(sizeof order + IMP_POINTS_AT_ONCE * sizeof *points);
    }
    if (!letter->bytes) {
        return imp_fail(IMP_ERR_MEMORY, "out of memory");
    }
    MPI_Wait(&letter->request, MPI_STATUS_IGNORE);
    memcpy(letter->bytes, &order, sizeof order);
    memcpy(letter->bytes + sizeof order, points, size);
    MPI_Isend(letter->bytes, (int)(sizeof order + size), MPI_BYTE, rank, IMP_TAG_WORK,
              MPI_COMM_WORLD, &letter->request);
    m->letter = (m->letter + 1) % IMP_QUEUED;
    return IMP_OK;
}

imp_err imp_crew_order(imp_crew *crew, int rank, imp_order order, const imp_point *points) {
    imp_member *m = &crew->members[rank];
    imp_err error = IMP_OK;
    if (points) {
        error = send_letter(m, rank, order, points);
    } else {
        MPI_Send(&order, sizeof order, MPI_BYTE, rank, IMP_TAG_WORK, MPI_COMM_WORLD);
    }
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

void imp_crew_heard(imp_crew *crew, int rank) {
    imp_member *m = &crew->members[rank];
    double now = MPI_Wtime();
    if (m->n > 0 && now - m->heard > crew->longest) {
        crew->longest = now - m->heard;
    }
    m->heard = now;
    m->reported = false;
}

void imp_crew_answered(imp_crew *crew, int rank, int64_t left) {
    imp_member *m = &crew->members[rank];
    if (left > 0) {
        m->orders[0].first += m->orders[0].count - left;
        m->orders[0].count = left;
    } else {
        m->orders[0] = m->orders[1];
        m->n--;
        crew->waiting--;
    }
}

void imp_crew_stop(imp_crew *crew) {
    for (int rank = 1; rank < crew->ranks && !crew->stopped; rank++) {
        MPI_Send(NULL, 0, MPI_BYTE, rank, IMP_TAG_STOP, MPI_COMM_WORLD);
    }
    crew->asked = crew->stopped ? crew->asked : MPI_Wtime();
    crew->stopped = true;
}

void imp_crew_dismiss(imp_crew *crew) {
    crew->dismissed = true;
    crew->asked = MPI_Wtime();
    for (int rank = 1; rank < crew->ranks; rank++) {
        imp_order nothing = {0, 0};
        if (!crew->members[rank].abandoned) {
            MPI_Send(&nothing, sizeof nothing, MPI_BYTE, rank, IMP_TAG_WORK, MPI_COMM_WORLD);
        }
    }
}

bool imp_crew_is_present(const imp_crew *crew) {
    bool present = false;
    for (int rank = 1; rank < crew->ranks; rank++) {
        present |= !crew->members[rank].left && !crew->members[rank].abandoned;
    }
    return present;
}

int imp_crew_silent(imp_crew *crew, double seconds) {
    double now = MPI_Wtime();
    for (int rank = 1; rank < crew->ranks; rank++) {
        imp_member *m = &crew->members[rank];
        if (m->n > 0 && !m->reported && now - m->heard >= seconds) {
            m->reported = true;
            return rank;
        }
    }
    return 0;
}

int imp_crew_overdue(const imp_crew *crew, double patience) {
    double latest = MPI_Wtime() - patience - 2 * crew->longest;
    for (int rank = 1; crew->stopped && rank < crew->ranks; rank++) {
        const imp_member *m = &crew->members[rank];
        bool owes = (m->n > 0 || crew->dismissed) && !m->left && !m->abandoned;
        if (owes && fmax(m->heard, crew->asked) <= latest) {
            return rank;
        }
    }
    return 0;
}

int64_t imp_crew_abandon(imp_crew *crew, int rank) {
    imp_member *m = &crew->members[rank];
    int64_t cells = 0;
    for (int i = 0; i < m->n; i++) {
        cells += m->orders[i].count;
    }
    crew->waiting -= m->n;
    crew->abandoned++;
    m->n = 0;
    m->abandoned = true;
    return cells;
}
