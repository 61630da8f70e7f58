/* Time that a message takes rank 0: mpirun -n 2 bench_message. The other rank sends answers with
 * counts and then sleeps, so that nothing but the work of rank 0 is measured; then rank 0 takes
 * them, and sends orders. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/measure.h"
#include "sched/message.h"
#include "sched/port.h"
#include "sched/tally.h"

enum { RUNS = 51, MESSAGES = 60, SIZE = sizeof(imp_result) + sizeof(imp_counts) };
static const unsigned asleep = 50000; /* us */

static void answer_and_sleep(void) {
    static unsigned char message[MESSAGES][SIZE];
    static MPI_Request sent[MESSAGES], orders[MESSAGES];
    static imp_interval order[MESSAGES];
    for (int i = 0; i < MESSAGES; i++) {
        MPI_Irecv(&order[i], sizeof order[i], MPI_BYTE, 0, IMP_TAG_WORK, MPI_COMM_WORLD,
                  &orders[i]);
        MPI_Isend(message[i], SIZE, MPI_BYTE, 0, IMP_TAG_RESULT, MPI_COMM_WORLD, &sent[i]);
    }
    usleep(2 * asleep);
    MPI_Waitall(MESSAGES, sent, MPI_STATUSES_IGNORE);
    MPI_Waitall(MESSAGES, orders, MPI_STATUSES_IGNORE);
}

static double take(imp_port *port) {
    int rank, taken = 0;
    size_t size;
    double start = MPI_Wtime();
    while (taken < MESSAGES && MPI_Wtime() - start < 1) {
        taken += port->receive(port->context, IMP_TAG_RESULT, &rank, &size) != NULL;
    }
    return (MPI_Wtime() - start) / taken;
}

static double look(imp_port *port) {
    int rank;
    size_t size;
    double start = MPI_Wtime();
    for (int i = 0; i < MESSAGES; i++) {
        port->receive(port->context, IMP_TAG_RESULT, &rank, &size);
    }
    return (MPI_Wtime() - start) / MESSAGES;
}

static double send(imp_port *port) {
    const imp_interval order = {0, 1};
    imp_buffer message = {0};
    double start = MPI_Wtime();
    for (int i = 0; i < MESSAGES; i++) {
        memcpy(imp_buffer_reserve(&message, sizeof order), &order, sizeof order);
        port->send(port->context, 1, IMP_TAG_WORK, &message, sizeof order);
    }
    imp_buffer_free(&message);
    return (MPI_Wtime() - start) / MESSAGES;
}

static void print(const char *what, double seconds[RUNS]) {
    double middle = measure_median(seconds, RUNS);
    printf("%s: %.2f us (%.2f to %.2f)\n", what, 1e6 * middle, 1e6 * seconds[0],
           1e6 * seconds[RUNS - 1]);
}

int main(int argc, char **argv) {
    int own, ranks;
    imp_port port;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &own);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (ranks != 2 || imp_mpi_port_open(own, ranks, SIZE, &port)) {
        fprintf(stderr, "usage: mpirun -n 2 bench_message\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    double taken[RUNS], looked[RUNS], sent[RUNS];
    for (int run = 0; run < RUNS; run++) {
        MPI_Barrier(MPI_COMM_WORLD);
        if (own == 1) {
            answer_and_sleep();
            continue;
        }
        usleep(asleep);
        taken[run] = take(&port);
        looked[run] = look(&port);
        sent[run] = send(&port);
    }
    if (own == 0) {
        print("to receive an answer with counts", taken);
        print("to send an order", sent);
        print("to look for a message in vain", looked);
    }
    imp_mpi_port_close(&port);
    MPI_Finalize();
    return 0;
}
