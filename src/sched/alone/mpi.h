/* The part of MPI that this room calls, for one process. It replaces the library if the program is
 * built without MPI (IMPACT_MPI=OFF). One process neither sends nor receives, so messages are
 * refused: a call that waits for one would never return. */
#ifndef IMP_SCHED_ALONE_MPI_H
#define IMP_SCHED_ALONE_MPI_H

#include <stdlib.h>
#include <string.h>

typedef int MPI_Comm, MPI_Datatype, MPI_Op, MPI_Info, MPI_Request;
typedef struct MPI_Status {
    int MPI_SOURCE, MPI_TAG, MPI_ERROR;
} MPI_Status;

enum {
    MPI_SUCCESS = 0,
    MPI_COMM_WORLD = 1,
    MPI_COMM_TYPE_SHARED,
    MPI_INFO_NULL,
    MPI_BYTE,
    MPI_INT,
    MPI_MAX,
    MPI_REQUEST_NULL,
    MPI_ERRORS_RETURN,
    MPI_ANY_SOURCE,
    MPI_MAX_LIBRARY_VERSION_STRING = 64
};
#define MPI_STATUS_IGNORE ((MPI_Status *)NULL)

static inline int MPI_Init(int *argc, char ***argv) {
    (void)argc, (void)argv;
    return MPI_SUCCESS;
}

static inline int MPI_Finalize(void) {
    return MPI_SUCCESS;
}

static inline int MPI_Abort(MPI_Comm comm, int code) {
    (void)comm;
    _Exit(code);
}

static inline int MPI_Comm_rank(MPI_Comm comm, int *rank) {
    (void)comm;
    *rank = 0;
    return MPI_SUCCESS;
}

static inline int MPI_Comm_size(MPI_Comm comm, int *size) {
    (void)comm;
    *size = 1;
    return MPI_SUCCESS;
}

static inline int MPI_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info,
                                      MPI_Comm *made) {
    (void)type, (void)key, (void)info;
    *made = comm;
    return MPI_SUCCESS;
}

static inline int MPI_Comm_free(MPI_Comm *comm) {
    *comm = 0;
    return MPI_SUCCESS;
}

static inline int MPI_Comm_set_errhandler(MPI_Comm comm, int handler) {
    (void)comm, (void)handler;
    return MPI_SUCCESS;
}

static inline int MPI_Allgather(const void *from, int count, MPI_Datatype type, void *to, int room,
                                MPI_Datatype to_type, MPI_Comm comm) {
    (void)type, (void)room, (void)to_type, (void)comm;
    memcpy(to, from, (size_t)count);
    return MPI_SUCCESS;
}

static inline int MPI_Bcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm) {
    (void)buffer, (void)count, (void)type, (void)root, (void)comm;
    return MPI_SUCCESS;
}

static inline int MPI_Ibcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm,
                             MPI_Request *request) {
    *request = MPI_REQUEST_NULL;
    return MPI_Bcast(buffer, count, type, root, comm);
}

/* Reduces one int, the only reduction that this room needs. */
static inline int MPI_Iallreduce(const void *from, void *to, int count, MPI_Datatype type,
                                 MPI_Op op, MPI_Comm comm, MPI_Request *request) {
    (void)count, (void)type, (void)op, (void)comm;
    *(int *)to = *(const int *)from;
    *request = MPI_REQUEST_NULL;
    return MPI_SUCCESS;
}

static inline int MPI_Isend(const void *buffer, int count, MPI_Datatype type, int to, int tag,
                            MPI_Comm comm, MPI_Request *request) {
    (void)buffer, (void)count, (void)type, (void)to, (void)tag;
    *request = MPI_REQUEST_NULL;
    return MPI_Abort(comm, 1);
}

static inline int MPI_Irecv(void *buffer, int count, MPI_Datatype type, int from, int tag,
                            MPI_Comm comm, MPI_Request *request) {
    return MPI_Isend(buffer, count, type, from, tag, comm, request);
}

static inline int MPI_Iprobe(int from, int tag, MPI_Comm comm, int *arrived, MPI_Status *status) {
    (void)from, (void)tag, (void)comm, (void)status;
    *arrived = 0;
    return MPI_SUCCESS;
}

static inline int MPI_Get_count(const MPI_Status *status, MPI_Datatype type, int *count) {
    (void)status, (void)type;
    *count = 0;
    return MPI_SUCCESS;
}

static inline int MPI_Test(MPI_Request *request, int *done, MPI_Status *status) {
    (void)request, (void)status;
    *done = 1;
    return MPI_SUCCESS;
}

static inline int MPI_Request_free(MPI_Request *request) {
    *request = MPI_REQUEST_NULL;
    return MPI_SUCCESS;
}

static inline int MPI_Get_library_version(char *version, int *length) {
    static const char text[] = "no MPI";
    for (size_t i = 0; i < sizeof text; i++) {
        version[i] = text[i];
    }
    *length = (int)sizeof text - 1;
    return MPI_SUCCESS;
}

#endif
