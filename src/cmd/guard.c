#include "cmd/guard.h"

#include <execinfo.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/cmd.h"
#include "store/library.h"
#include "store/partial.h"

enum { FRAMES = 64, STACK_BYTES = 1 << 16 };

static const int caught[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
enum { N_CAUGHT = sizeof caught / sizeof *caught };
static struct sigaction before[N_CAUGHT];
static pid_t guarded; /* child processes stay silent: their parent reports */

/* Ends the process using only functions that a signal handler may call. */
static _Noreturn void end(const char *words) {
    if (getpid() == guarded) {
        imp_partial_unlink_unfinished();
        ssize_t written = write(STDERR_FILENO, words, strlen(words));
        (void)written;
    }
    _exit(IMP_EXIT_FAILURE);
}

static void crashed(int number, siginfo_t *information, void *context) {
    void *frames[FRAMES];
    (void)context;
    if (imp_h5_holds(frames, backtrace(frames, FRAMES))) {
        end("impactsweep: error: HDF5 crashed: memory ran out, or a file is damaged\n");
    }
    for (int i = 0; i < N_CAUGHT; i++) {
        if (caught[i] == number) {
            sigaction(number, &before[i], NULL);
        }
    }
    if (information->si_code <= 0) {
        raise(number); /* sent by a process; otherwise the instruction is tried again */
    }
}

static void ended(int status, void *unused) {
    (void)unused;
    int code = status & 0xFF;
    if (code != IMP_EXIT_OK && code != IMP_EXIT_FAILURE && code != IMP_EXIT_INPUT &&
        code != IMP_EXIT_STOPPED) {
        end("impactsweep: error: a library ended the program, as HDF5 does when memory runs out\n");
    }
}

void imp_guard(void) {
    static char stack[STACK_BYTES]; /* a damaged file may have exhausted the usual stack */
    void *frame;
    stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};
    struct sigaction action = {.sa_sigaction = crashed, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    guarded = getpid();
    backtrace(&frame, 1); /* the first call allocates */
    sigaltstack(&other, NULL);
    for (int i = 0; i < N_CAUGHT; i++) {
        sigaction(caught[i], &action, &before[i]);
    }
    on_exit(ended, NULL);
}
