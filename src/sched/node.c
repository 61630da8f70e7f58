#define _GNU_SOURCE /* memfd_create */
#include "sched/node.h"

#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* The shared memory of a node: an unnamed file of one of its processes. It begins with the flag;
 * then each rank has a byte, which it locks as long as it lives. The kernel removes the lock of a
 * process that ends in whatever way, whoever has been given its number since. */
typedef struct shared_file {
    long process;
    int descriptor;
    dev_t device;
    ino_t number;
} shared_file;

/* A rank of this node, as the others know it. */
typedef struct place {
    int rank; /* of MPI_COMM_WORLD */
    int locked;
} place;

static int descriptor = -1;
static place *places; /* by rank */
static int n_places, own, neighbour, n_ranks = 1;

static shared_file make_shared_file(void) {
    shared_file made = {.process = (long)getpid(), .descriptor = memfd_create("stop", MFD_CLOEXEC)};
    struct stat status;
    if (made.descriptor < 0 || ftruncate(made.descriptor, sizeof(sig_atomic_t)) != 0 ||
        fstat(made.descriptor, &status) != 0) {
        made.process = 0;
        return made;
    }
    made.device = status.st_dev;
    made.number = status.st_ino;
    return made;
}

/* Returns -1 if the file cannot be opened or is another one: in a container processes may have
 * other numbers. */
static int open_shared_file(const shared_file *file) {
    char path[64];
    struct stat status;
    snprintf(path, sizeof path, "/proc/%ld/fd/%d", file->process, file->descriptor);
    int opened = file->process > 0 ? open(path, O_RDWR | O_CLOEXEC) : -1;
    if (opened >= 0 && (fstat(opened, &status) != 0 || status.st_dev != file->device ||
                        status.st_ino != file->number)) {
        close(opened);
        opened = -1;
    }
    return opened;
}

static struct flock lock_of(int index) {
    return (struct flock){.l_type = F_WRLCK,
                          .l_whence = SEEK_SET,
                          .l_start = (off_t)sizeof(sig_atomic_t) + index,
                          .l_len = 1};
}

/* Locks the byte of this rank, and learns which others have done so. */
static void note_places(MPI_Comm node, int rank) {
    place here = {.rank = 0, .locked = 0};
    struct flock lock = lock_of(rank);
    MPI_Comm_rank(MPI_COMM_WORLD, &here.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &n_ranks);
    MPI_Comm_size(node, &n_places);
    here.locked = descriptor >= 0 && fcntl(descriptor, F_SETLK, &lock) == 0;
    places = malloc((size_t)n_places * sizeof *places);
    if (!places) {
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Allgather(&here, sizeof here, MPI_BYTE, places, sizeof here, MPI_BYTE, node);
    own = rank;
    neighbour = (own + 1) % n_places;
}

volatile sig_atomic_t *imp_node_open(void) {
    MPI_Comm node;
    int rank = 0, ranks = 1;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    MPI_Comm_rank(node, &rank);
    MPI_Comm_size(node, &ranks);
    shared_file file = {.descriptor = -1};
    if (rank == 0 && ranks > 1) {
        file = make_shared_file();
    }
    MPI_Bcast(&file, sizeof file, MPI_BYTE, 0, node);
    descriptor = ranks == 1 ? -1 : rank == 0 ? file.descriptor : open_shared_file(&file);
    void *memory = descriptor < 0 ? MAP_FAILED
                                  : mmap(NULL, sizeof(sig_atomic_t), PROT_READ | PROT_WRITE,
                                         MAP_SHARED, descriptor, 0);
    note_places(node, rank); /* all have opened it afterwards */
    MPI_Comm_free(&node);
    return memory != MAP_FAILED ? memory : NULL;
}

static int compare(const void *one, const void *other) {
    return ((const place *)one)->rank - ((const place *)other)->rank;
}

/* The place of a rank; NULL: it cannot be watched. */
static const place *find(int rank) {
    place key = {.rank = rank};
    const place *p =
        descriptor < 0 ? NULL : bsearch(&key, places, (size_t)n_places, sizeof key, compare);
    return p && p->locked && p != &places[own] ? p : NULL;
}

/* The process that holds the lock of a place: 0: none, so that it is dead; -1: not known. */
static pid_t holder(const place *p) {
    struct flock lock = lock_of((int)(p - places));
    if (fcntl(descriptor, F_GETLK, &lock) != 0) {
        return -1;
    }
    return lock.l_type == F_UNLCK ? 0 : lock.l_pid > 0 ? lock.l_pid : -1;
}

bool imp_node_alive(int rank) {
    const place *p = find(rank);
    return !p || holder(p) != 0;
}

bool imp_node_watches(int rank) {
    return find(rank) != NULL;
}

bool imp_node_is_all(void) {
    return n_places == n_ranks;
}

int imp_node_dead(void) {
    for (int i = 0; i < n_places; i++) {
        if (!imp_node_alive(places[i].rank)) {
            return places[i].rank;
        }
    }
    return -1;
}

int imp_node_dead_neighbour(void) {
    if (n_places == 0 || neighbour == own || imp_node_alive(places[neighbour].rank)) {
        return -1;
    }
    int rank = places[neighbour].rank;
    neighbour = (neighbour + 1) % n_places;
    return rank;
}

void imp_node_kill(int rank) {
    const place *p = find(rank);
    pid_t process = p ? holder(p) : 0;
    if (process > 0) {
        kill(process, SIGKILL);
    }
}
