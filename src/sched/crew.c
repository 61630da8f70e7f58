#include "sched/crew.h"

#include <math.h>
#include <mpi.h>
#include <stdlib.h>

#include "base/error.h"

imp_err imp_crew_open(imp_crew *crew, int ranks) {
    *crew = (imp_crew){.members = calloc((size_t)ranks, sizeof *crew->members), .ranks = ranks};
    return crew->members ? IMP_OK : imp_fail(IMP_ERR_MEMORY, "out of memory");
}

void imp_crew_close(imp_crew *crew) {
    free(crew->members);
    *crew = (imp_crew){0};
}

bool imp_crew_has_room(const imp_crew *crew, int rank) {
    return crew->members[rank].n < IMP_QUEUED && !crew->members[rank].abandoned;
}

void imp_crew_order(imp_crew *crew, int rank, imp_order order) {
    imp_member *m = &crew->members[rank];
    MPI_Send(&order, sizeof order, MPI_BYTE, rank, IMP_TAG_WORK, MPI_COMM_WORLD);
    if (m->n == 0) {
        imp_crew_heard(crew, rank);
    }
    m->orders[m->n++] = order;
    crew->waiting++;
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
