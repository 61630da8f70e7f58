
#include <errno.h>
#include <execinfo.h>
#include <poll.h>
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

/* Signals from outside that end a process which does not handle them. */
static const int ending[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGPIPE, SIGALRM,
                             SIGTERM, SIGUSR1, SIGUSR2, SIGXCPU};
enum { N_ENDING = sizeof ending / sizeof *ending };
static volatile pid_t reader; /* the child for which this process waits; 0: none */

/* Whether the reader of the standard output has gone away. */
static bool is_unread(void) {
    struct pollfd output = {.fd = STDOUT_FILENO};
    return poll(&output, 1, 0) == 1 && (output.revents & (POLLERR | POLLHUP));
}

/* Ends the process by the signal, without the file that it was making. A parent passes the signal
 * on, and ends as its child did. Messages that cannot be read end nothing. */
static void asked_to_end(int number) {
    if (number == SIGPIPE && !is_unread()) {
        return;
    }
    if (reader > 0) {
        kill(reader, number);
        return;
    }
    imp_partial_unlink_unfinished();
    signal(number, SIG_DFL);
    raise(number);
}

/* Signals that the caller wants to be ignored stay so. */
static void catch_ending(void) {
    struct sigaction now, action = {.sa_handler = asked_to_end, .sa_flags = SA_RESTART};
    for (int i = 0; i < N_ENDING; i++) {
        if (sigaction(ending[i], NULL, &now) == 0 && now.sa_handler == SIG_DFL) {
            sigaction(ending[i], &action, NULL);
        }
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
    catch_ending();
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
    struct sigaction now;
    bool handled = sigaction(SIGTERM, NULL, &now) == 0 && now.sa_handler == asked_to_end;
    prctl(PR_SET_PDEATHSIG, handled ? SIGTERM : SIGKILL);
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

static bool is_ending(int number) {
    bool found = false;
    for (int i = 0; i < N_ENDING; i++) {
        found = found || ending[i] == number;
    }
    return found;
}

/* Says which signal has ended a child. */
static void judge(int number, const char *name, limits l) {
    if (number == SIGXCPU) {
        imp_say(stderr, "impactsweep: error: %s: is damaged: reading it takes more than %llu s\n",
                name, (unsigned long long)l.seconds);
    } else if (is_ending(number)) {
        signal(number, SIG_DFL);
        raise(number); /* the child was ended on purpose */
    } else {
        imp_say(stderr, "impactsweep: error: %s: is damaged: reading it crashed (signal %d)\n",
                name, number);
    }
}

bool imp_guard_reader(int argc, char **argv, int *code) {
    uint64_t size = size_of_files(argc, argv);
    limits l = {.memory = (UINT64_C(2) << 30) + 2 * size, .seconds = 60 + size / 1000000};
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
    reader = child;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    reader = 0;
    if (WIFEXITED(status)) {
        *code = WEXITSTATUS(status);
    } else {
        judge(WTERMSIG(status), argc > 1 ? argv[1] : "the map", l);
    }
    return false;
}
