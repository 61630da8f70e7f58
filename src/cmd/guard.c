#include "cmd/guard.h"

#include <errno.h>
#include <execinfo.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
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

/* ---- readers of maps ---- */

/* Sanitizers reserve more memory than any limit allows. */
#ifdef __SANITIZE_ADDRESS__
static const bool memory_is_limited = false;
#else
static const bool memory_is_limited = true;
#endif

typedef struct limits {
    uint64_t memory, seconds;
} limits;

/* Bytes of the files that the words name. */
static uint64_t size_of_files(int argc, char **argv) {
    uint64_t size = 0;
    struct stat status;
    for (int i = 1; i < argc; i++) {
        bool is_file = stat(argv[i], &status) == 0 && S_ISREG(status.st_mode);
        size += is_file ? (uint64_t)status.st_size : 0;
    }
    return size;
}

static limits limits_of(uint64_t size) {
    return (limits){.memory = (UINT64_C(2) << 30) + 2 * size, .seconds = 60 + size / 1000000};
}

/* Memory that this process has asked for so far. */
static uint64_t memory_in_use(void) {
    unsigned long long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    bool read = file && fscanf(file, "%llu", &pages) == 1;
    if (file) {
        fclose(file);
    }
    return read ? pages * (uint64_t)sysconf(_SC_PAGESIZE) : 0;
}

static void limit(__rlimit_resource_t resource, rlim_t most) {
    struct rlimit now;
    if (getrlimit(resource, &now) == 0 && now.rlim_cur > most) {
        now.rlim_cur = most;
        setrlimit(resource, &now);
    }
}

/* The child. It dies with its parent. */
static void begin_reading(limits l, pid_t parent) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) {
        _exit(IMP_EXIT_FAILURE);
    }
    guarded = getpid();
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_CPU, l.seconds);
    if (memory_is_limited) {
        limit(RLIMIT_AS, memory_in_use() + l.memory);
    }
}

/* The exit code for a child that a signal has ended. */
static int judge(int number, const char *name, limits l) {
    if (number == SIGXCPU) {
        fprintf(stderr, "impactsweep: error: %s: is damaged: reading it takes more than %llu s\n",
                name, (unsigned long long)l.seconds);
    } else if (number == SIGINT || number == SIGTERM || number == SIGHUP || number == SIGPIPE) {
        signal(number, SIG_DFL);
        raise(number); /* the child was ended on purpose */
    } else {
        fprintf(stderr, "impactsweep: error: %s: is damaged: reading it crashed (signal %d)\n",
                name, number);
    }
    return IMP_EXIT_FAILURE;
}

bool imp_guard_reader(int argc, char **argv, int *code) {
    limits l = limits_of(size_of_files(argc, argv));
    pid_t parent = getpid(), child;
    int status = 0;
    fflush(NULL);
    child = fork();
    if (child <= 0) {
        if (child == 0) {
            begin_reading(l, parent);
        }
        return true;
    }
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    *code = WIFEXITED(status) ? WEXITSTATUS(status)
                              : judge(WTERMSIG(status), argc > 1 ? argv[1] : "the map", l);
    return false;
}
