/* The rate at which rank 0 can receive and write with `write: gather`, and mark with `write:
 * parallel`, without computing: mpirun -n 2 bench_gather [FOLDER]. One rank sends blocks of cells
 * as a worker does, the other receives each and writes it into a file whose space is reserved; the
 * disk begins every 32 MB, and a sync comes after 256 MB. */
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/measure.h"
#include "sched/message.h"
#include "store/disk.h"

enum { RUNS = 7, QUEUED = IMP_QUEUED };
static const size_t total = (size_t)512 << 20, begun = (size_t)32 << 20, synced = (size_t)256 << 20;

static void send_blocks(size_t size) {
    unsigned char *block[QUEUED];
    MPI_Request request[QUEUED];
    for (int i = 0; i < QUEUED; i++) {
        block[i] = calloc(1, size);
        request[i] = MPI_REQUEST_NULL;
    }
    for (size_t sent = 0, next = 0; sent < total; sent += size, next = (next + 1) % QUEUED) {
        MPI_Wait(&request[next], MPI_STATUS_IGNORE);
        memset(block[next], (int)next, size); /* as if they had just been computed */
        MPI_Isend(block[next], (int)size, MPI_BYTE, 0, IMP_TAG_RESULT, MPI_COMM_WORLD,
                  &request[next]);
    }
    MPI_Waitall(QUEUED, request, MPI_STATUSES_IGNORE);
    for (int i = 0; i < QUEUED; i++) {
        free(block[i]);
    }
}

/* Seconds until all blocks are received, written and synced. The cache has none of them before. */
static double take_blocks(size_t size, int file) {
    unsigned char *block = malloc(size);
    off_t at = 0;
    imp_disk_forget(file);
    double start = MPI_Wtime();
    for (size_t got = 0; got < total; got += size) {
        MPI_Status status;
        MPI_Probe(1, IMP_TAG_RESULT, MPI_COMM_WORLD, &status);
        MPI_Recv(block, (int)size, MPI_BYTE, 1, IMP_TAG_RESULT, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (pwrite(file, block, size, at) != (ssize_t)size) {
            perror("bench_gather");
            MPI_Abort(MPI_COMM_WORLD, 1);
        }
        at += (off_t)size;
        if ((size_t)at % begun == 0) {
            imp_disk_begin_sync(file);
        }
        if ((size_t)at % synced == 0) {
            fdatasync(file);
        }
    }
    double seconds = MPI_Wtime() - start;
    free(block);
    return seconds;
}

static void measure(int rank, int file, size_t size) {
    double rate[RUNS];
    for (int run = 0; run < RUNS; run++) {
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == 1) {
            send_blocks(size);
        } else {
            rate[run] = (double)total / take_blocks(size, file) / 1e9;
        }
    }
    if (rank == 0) {
        double middle = measure_median(rate, RUNS);
        printf("blocks of %4zu kB: %.2f GB/s (%.2f to %.2f); per cell of 10, 50, 110 bytes "
               "%.0f, %.0f, %.0f ns\n",
               size >> 10, middle, rate[0], rate[RUNS - 1], 10 / middle, 50 / middle, 110 / middle);
    }
}

int main(int argc, char **argv) {
    imp_disk_open_standard();
    int rank, ranks, file = -1;
    char path[1024];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (ranks != 2) {
        fprintf(stderr, "usage: mpirun -n 2 bench_gather [FOLDER]\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    if (rank == 0) {
        snprintf(path, sizeof path, "%s/bench_gather.bin", argc > 1 ? argv[1] : ".");
        file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0666);
        unlink(path);
        if (file < 0 || posix_fallocate(file, 0, (off_t)total) != 0) {
            perror(path);
            MPI_Abort(MPI_COMM_WORLD, 1);
        }
    }
    measure(rank, file, (size_t)64 << 10);
    measure(rank, file, (size_t)1 << 20);
    measure(rank, file, IMP_BLOCK_BYTES);
    MPI_Finalize();
    return 0;
}
