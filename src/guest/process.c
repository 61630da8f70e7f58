#define _GNU_SOURCE /* memfd_create, pipe2, posix_spawn_file_actions_addclosefrom_np */
#include "guest/process.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/stop.h"

extern char **environ;

static void close_file(int *file) {
    if (*file >= 0) {
        close(*file);
    }
    *file = -1;
}

enum { LAST_WORDS = 400 };
static const double kind_seconds = 2, stop_seconds = 0.2;

/* Pipes: the watcher's, then standard input, output and error of the guest. */
enum { LIFE, INPUT, OUTPUT, ERRORS, N_PIPES };

struct imp_process {
    pid_t guest, watcher; /* the watcher leads the group */
    int pipe[N_PIPES];    /* our ends; -1: closed */
    int shared;           /* a file without a name, until it is known whether it is asked for */
    double *memory;       /* of that file; NULL: not asked for */
    size_t bytes;
    char said[LAST_WORDS];
    size_t n_said;
};

/* ---- start ---- */

/* If memory runs short, the system shall end the guest, not the rank. Libraries of guests use one
 * thread unless told otherwise, because every rank has a guest. */
static const char guest_script[] = "{ echo 1000 >/proc/self/oom_score_adj; } 2>/dev/null\n"
                                   "cd -- \"$1\" || exit 126\n"
                                   "[ \"$2\" = 0 ] || ulimit -v \"$2\" || exit 126\n"
                                   "shift 2\n"
                                   "export OMP_NUM_THREADS=\"${OMP_NUM_THREADS-1}\"\n"
                                   "export OPENBLAS_NUM_THREADS=\"${OPENBLAS_NUM_THREADS-1}\"\n"
                                   "export MKL_NUM_THREADS=\"${MKL_NUM_THREADS-1}\"\n"
                                   "exec \"$@\"\n";

static const char watcher_script[] = "while read -r line; do :; done; kill -9 0";

/* The standard files of a child, and the memory that it may share. */
enum { N_FILES = 4, SHARED = 3 };

/* Files of a child are its descriptors 0, 1, ...; -1: none, or /dev/null for a standard one. It
 * inherits no others. */
static int spawn(const int file[N_FILES], pid_t group, char *const *words, pid_t *child) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t defaults, none;
    sigfillset(&defaults);
    sigemptyset(&none);
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    for (int f = 0; f < N_FILES; f++) {
        if (file[f] >= 0) {
            posix_spawn_file_actions_adddup2(&actions, file[f], f);
        } else if (f != SHARED) {
            posix_spawn_file_actions_addopen(&actions, f, "/dev/null", f ? O_WRONLY : O_RDONLY, 0);
        }
    }
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 34)
    posix_spawn_file_actions_addclosefrom_np(&actions, file[SHARED] >= 0 ? N_FILES : SHARED);
#endif
    posix_spawnattr_setpgroup(&attributes, group);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF |
                                              POSIX_SPAWN_SETSIGMASK);
    int failed = posix_spawn(child, "/bin/sh", &actions, &attributes, words, environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return failed;
}

/* A file of ours is above those that a child replaces. */
static int lift(int file) {
    int lifted = file >= 0 ? fcntl(file, F_DUPFD_CLOEXEC, N_FILES) : -1;
    close_file(&file);
    return lifted;
}

static void close_all(int pipes[N_PIPES][2]) {
    for (int p = 0; p < N_PIPES; p++) {
        for (int end = 0; end < 2; end++) {
            close_file(&pipes[p][end]);
        }
    }
}

static bool open_all(int pipes[N_PIPES][2]) {
    bool good = true;
    for (int p = 0; p < N_PIPES; p++) {
        int ends[2] = {-1, -1};
        good = good && pipe2(ends, O_CLOEXEC) == 0;
        for (int end = 0; end < 2; end++) {
            pipes[p][end] = lift(ends[end]);
            good = good && pipes[p][end] >= 0;
        }
    }
    return good;
}

static int spawn_both(imp_process *process, int pipes[N_PIPES][2], const imp_process_order *order) {
    char limit[32];
    char *watch[] = {"sh", "-c", (char *)watcher_script, "impactsweep-watcher", NULL};
    int n = 0;
    while (order->words[n]) {
        n++;
    }
    char **words = calloc((size_t)n + 7, sizeof *words);
    if (!words) {
        return ENOMEM;
    }
    snprintf(limit, sizeof limit, "%.0f", ceil(order->memory_limit / 1024));
    char *const before[] = {
        "sh", "-c", (char *)guest_script, "impactsweep-guest", (char *)order->folder, limit};
    memcpy(words, before, sizeof before);
    memcpy(words + 6, order->words, (size_t)n * sizeof *words);
    int failed = spawn((int[N_FILES]){pipes[LIFE][0], -1, -1, -1}, 0, watch, &process->watcher);
    if (!failed) {
        const int files[N_FILES] = {pipes[INPUT][0], pipes[OUTPUT][1], pipes[ERRORS][1],
                                    process->shared};
        failed = spawn(files, process->watcher, words, &process->guest);
        process->guest = failed ? 0 : process->guest;
    } else {
        process->watcher = 0;
    }
    free(words);
    return failed;
}

/* Keeps our ends of the pipes, which closes the children's. */
static void keep_ends(imp_process *process, int pipes[N_PIPES][2]) {
    for (int p = 0; p < N_PIPES; p++) {
        bool writes = p == LIFE || p == INPUT;
        process->pipe[p] = pipes[p][writes];
        pipes[p][writes] = -1;
        fcntl(process->pipe[p], F_SETFL, O_NONBLOCK);
#ifdef F_SETPIPE_SZ
        if (p == INPUT || p == OUTPUT) {
            fcntl(process->pipe[p], F_SETPIPE_SZ,
                  1 << 20); /* fewer turns; smaller ones serve too */
        }
#endif
    }
    close_all(pipes);
}

imp_process *imp_process_start(const imp_process_order *order, imp_text *why) {
    imp_process *process = malloc(sizeof *process);
    int pipes[N_PIPES][2];
    int failed = process ? 0 : ENOMEM;
    if (process) {
        *process = (imp_process){.pipe = {-1, -1, -1, -1}, .shared = -1};
    }
    if (!failed && !open_all(pipes)) {
        failed = errno;
        close_all(pipes);
    } else if (!failed) {
        process->shared = lift(memfd_create("impactsweep-guest", MFD_CLOEXEC | MFD_ALLOW_SEALING));
        failed = spawn_both(process, pipes, order);
        keep_ends(process, pipes);
    }
    if (failed) {
        imp_text_print(why, "cannot be started: %s", strerror(failed));
        imp_process_end(&process, IMP_CLOSE_FORCED, NULL);
    }
    return process;
}

/* ---- memory ---- */

/* Sealed, because a guest that made it shorter would end this process. */
static bool map_memory(imp_process *process, size_t bytes) {
    struct stat file;
    int seals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;
    if (ftruncate(process->shared, (off_t)bytes) || fcntl(process->shared, F_ADD_SEALS, seals) ||
        fstat(process->shared, &file) || file.st_size != (off_t)bytes) {
        return false;
    }
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, process->shared, 0);
    process->memory = memory == MAP_FAILED ? NULL : memory;
    process->bytes = bytes;
    return process->memory != NULL;
}

bool imp_process_share(imp_process *process, size_t bytes, double **memory) {
    struct stat file;
    bool good = true;
    if (process->shared >= 0) {
        good =
            fstat(process->shared, &file) == 0 && (file.st_size == 0 || map_memory(process, bytes));
        close_file(&process->shared);
    }
    *memory = process->memory;
    return good;
}

/* ---- exchange ---- */

static bool would_wait(ssize_t moved) {
    return moved < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR);
}

/* Keeps the last words of the standard error. */
static void drain_errors(imp_process *process) {
    char bytes[4096];
    for (ssize_t got; process->pipe[ERRORS] >= 0;) {
        got = read(process->pipe[ERRORS], bytes, sizeof bytes);
        if (got > 0) {
            size_t n = (size_t)got, kept = n < LAST_WORDS ? n : LAST_WORDS;
            size_t old = process->n_said < LAST_WORDS - kept ? process->n_said : LAST_WORDS - kept;
            memmove(process->said, process->said + process->n_said - old, old);
            memcpy(process->said + old, bytes + n - kept, kept);
            process->n_said = old + kept;
            continue;
        }
        if (!would_wait(got)) {
            close_file(&process->pipe[ERRORS]);
        }
        return;
    }
}

typedef struct traffic {
    const char *out;
    size_t n_out;
    char *in;
    size_t n_in, got;
} traffic;

/* Moves as many bytes as go at once; false: the process has closed its end. */
static bool move(imp_process *process, traffic *t) {
    while (t->n_out > 0) {
        ssize_t put = write(process->pipe[INPUT], t->out, t->n_out);
        if (put < 0) {
            if (!would_wait(put)) {
                return false;
            }
            break;
        }
        t->out += put;
        t->n_out -= (size_t)put;
    }
    while (t->got < t->n_in) {
        ssize_t got = read(process->pipe[OUTPUT], t->in + t->got, t->n_in - t->got);
        if (got <= 0) {
            return would_wait(got);
        }
        t->got += (size_t)got;
    }
    return true;
}

static imp_talk converse(imp_process *process, traffic *t, double seconds) {
    double start = imp_seconds_elapsed();
    for (;;) {
        if (!move(process, t)) {
            return IMP_TALK_ENDED;
        }
        if (t->n_out == 0 && t->got == t->n_in) {
            return IMP_TALK_DONE;
        }
        double spent = imp_seconds_elapsed() - start, left = seconds - spent;
        if (left <= 0) {
            return IMP_TALK_LATE;
        }
        if (spent > stop_seconds && imp_stop_wanted()) {
            return IMP_TALK_STOPPED;
        }
        struct pollfd files[3] = {
            {.fd = process->pipe[OUTPUT], .events = POLLIN},
            {.fd = process->pipe[ERRORS], .events = POLLIN},
            {.fd = t->n_out > 0 ? process->pipe[INPUT] : -1, .events = POLLOUT}};
        poll(files, 3, left < 0.1 ? (int)(1000 * left) + 1 : 100);
        if (files[1].revents) {
            drain_errors(process);
        }
    }
}

/* A write to a process that is gone raises SIGPIPE, which must not end this one: this thread does
 * not take it meanwhile, and then forgets it unless it was pending before. */
static imp_talk converse_safely(imp_process *process, traffic *t, double seconds) {
    sigset_t pipe_signal, before, pending;
    sigemptyset(&pipe_signal);
    sigaddset(&pipe_signal, SIGPIPE);
    sigpending(&pending);
    bool was_pending = sigismember(&pending, SIGPIPE) == 1;
    pthread_sigmask(SIG_BLOCK, &pipe_signal, &before);
    imp_talk talk = converse(process, t, seconds);
    sigpending(&pending);
    if (!was_pending && sigismember(&pending, SIGPIPE) == 1) {
        int taken;
        sigwait(&pipe_signal, &taken);
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return talk;
}

imp_talk imp_process_exchange(imp_process *process, const void *out, size_t n_out, void *in,
                              size_t n_in, double seconds, size_t *got) {
    traffic t = {.out = out, .n_out = n_out, .in = in, .n_in = n_in};
    imp_talk talk = converse_safely(process, &t, seconds);
    *got = t.got;
    return talk;
}

imp_talk imp_process_line(imp_process *process, size_t most, imp_text *line, double seconds) {
    double start = imp_seconds_elapsed();
    while (line->length < most) {
        char byte;
        traffic t = {.in = &byte, .n_in = 1};
        imp_talk talk = converse(process, &t, seconds - (imp_seconds_elapsed() - start));
        if (talk != IMP_TALK_DONE) {
            return talk;
        }
        if (byte == '\n') {
            return IMP_TALK_DONE;
        }
        imp_text_append(line, &byte, 1);
    }
    return IMP_TALK_ENDED;
}

/* ---- end ---- */

/* Waits until the process has closed its output, and reads what is left of it. */
static void wait_kindly(imp_process *process) {
    double start = imp_seconds_elapsed();
    char bytes[4096];
    close_file(&process->pipe[INPUT]);
    for (;;) {
        traffic t = {.in = bytes, .n_in = sizeof bytes};
        double left = kind_seconds - (imp_seconds_elapsed() - start);
        if (left <= 0 || !move(process, &t)) {
            return;
        }
        struct pollfd files[2] = {{.fd = process->pipe[OUTPUT], .events = POLLIN},
                                  {.fd = process->pipe[ERRORS], .events = POLLIN}};
        poll(files, 2, (int)(1000 * left) + 1);
        drain_errors(process);
    }
}

static int status_of(pid_t child, bool wait) {
    int status = 0;
    pid_t ended;
    do {
        ended = waitpid(child, &status, wait ? 0 : WNOHANG);
    } while (ended < 0 && errno == EINTR);
    return ended == child ? status : -1;
}

/* A process that has closed its output is about to end: its status says how. */
static int status_soon(pid_t child) {
    int status = -1;
    for (int i = 0; i < 20 && status < 0; i++) {
        status = status_of(child, false);
        if (status < 0) {
            imp_pause(0.001 * i);
        }
    }
    return status;
}

void imp_process_last_words(imp_process *process, imp_text *text) {
    drain_errors(process);
    size_t n = process->n_said;
    while (n > 0 && strchr(" \r\n", process->said[n - 1])) {
        n--;
    }
    if (n > 0) {
        /* The last line says most. */
        size_t start = n;
        while (start > 0 && process->said[start - 1] != '\n') {
            start--;
        }
        imp_text_print(text, "; its last words: %.*s", (int)(n - start), process->said + start);
    }
}

static void print_end(imp_process *process, int status, imp_text *how) {
    if (status >= 0 && WIFSIGNALED(status)) {
        imp_text_print(how, "; it was killed by the signal %d (%s)", WTERMSIG(status),
                       strsignal(WTERMSIG(status)));
    } else if (status >= 0) {
        imp_text_print(how, "; it had ended with the code %d", WEXITSTATUS(status));
    }
    imp_process_last_words(process, how);
}

bool imp_process_end(imp_process **ended, imp_process_close close_as, imp_text *how) {
    imp_process *process = *ended;
    *ended = NULL;
    if (!process) {
        return false;
    }
    if (close_as == IMP_CLOSE_KINDLY) {
        wait_kindly(process);
    }
    bool gone = process->guest && close_as != IMP_CLOSE_FORCED;
    int status = gone ? status_soon(process->guest) : -1;
    if (process->watcher) {
        kill(-process->watcher, SIGKILL);
    }
    if (process->guest && status < 0) {
        status_of(process->guest, true);
    }
    if (process->watcher) {
        status_of(process->watcher, true);
    }
    if (how) {
        print_end(process, status, how);
    }
    for (int p = 0; p < N_PIPES; p++) {
        close_file(&process->pipe[p]);
    }
    close_file(&process->shared);
    if (process->memory) {
        munmap(process->memory, process->bytes);
    }
    free(process);
    return status >= 0 && WIFSIGNALED(status);
}
