#include "sched/outbox.h"

#include <stdlib.h>

#include "base/clock.h"
#include "sched/node.h"
#include "sched/sched.h"

void imp_outbox_pause(void) {
    imp_pause(50e-6);
}

void imp_outbox_wait_for(MPI_Request *request) {
    int done = 0;
    for (int looks = 1; !done; looks++) {
        MPI_Test(request, &done, MPI_STATUS_IGNORE);
        if (!done && looks > IMP_EAGER_LOOKS) {
            if (looks % IMP_EAGER_LOOKS == 0 && !imp_node_alive(0)) {
                imp_ranks_orphan();
            }
            imp_outbox_pause();
        }
    }
}

unsigned char *imp_outbox_buffer(imp_outbox *box, size_t size) {
    int i = box->next;
    imp_outbox_wait_for(&box->request[i]);
    if (box->capacity[i] < size) {
        free(box->bytes[i]);
        box->bytes[i] = malloc(size);
        box->capacity[i] = box->bytes[i] ? size : 0;
    }
    return box->bytes[i];
}

void imp_outbox_send(imp_outbox *box, size_t size) {
    int i = box->next;
    MPI_Isend(box->bytes[i], (int)size, MPI_BYTE, 0, IMP_TAG_RESULT, MPI_COMM_WORLD,
              &box->request[i]);
    box->next = (i + 1) % IMP_QUEUED;
}

void imp_outbox_wait(imp_outbox *box) {
    for (int i = 0; i < IMP_QUEUED; i++) {
        imp_outbox_wait_for(&box->request[i]);
    }
}

void imp_outbox_free(imp_outbox *box) {
    for (int i = 0; i < IMP_QUEUED; i++) {
        free(box->bytes[i]);
    }
}
