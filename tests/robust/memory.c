/* Preloaded into the program by tests: the n-th allocation fails, of those that the program itself
 * makes or one of the libraries MEMORY_IN (words in the names of their files; "*": of all
 * allocations, whoever makes them). Behind the address MEMORY_HDF5 of the program, if it is given,
 * is the archive of libhdf5.
 *
 * The process stays at the beginning of the program and serves there, which saves loading it anew:
 * for each line "n" of its input it makes a child that goes on from there, its output in the files
 * MEMORY_OUT.out and MEMORY_OUT.err, in which the n-th allocation from there on fails (0: none). It
 * answers "status calls": how the child ended, as waitpid says it, and how many allocations were
 * made by it and by those that it made. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *memory, size_t size);

enum { MOST = 32 };
static struct { uintptr_t from, to; } range[MOST];
static int n_ranges, all, ready;
static long *calls, failing; /* the former is that of all children */

static int is_counted(const char *file) {
    char words[200];
    snprintf(words, sizeof words, "%s", getenv("MEMORY_IN"));
    for (char *at = words, *word; (word = strsep(&at, " ")) != NULL;) {
        if (*word && strstr(file, word)) {
            return 1;
        }
    }
    return *file == 0; /* the program itself */
}

/* Where the code ends that counts as the program itself. */
static uintptr_t own_end(const struct dl_phdr_info *info, uintptr_t end) {
    const char *archive = getenv("MEMORY_HDF5");
    int cut = *info->dlpi_name == 0 && archive && !strstr(getenv("MEMORY_IN"), "libhdf5");
    return cut ? info->dlpi_addr + strtoul(archive, NULL, 16) : end;
}

static int look(struct dl_phdr_info *info, size_t size, void *context) {
    (void)size;
    (void)context;
    for (int i = 0; is_counted(info->dlpi_name) && i < info->dlpi_phnum && n_ranges < MOST; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        if (segment->p_type == PT_LOAD && (segment->p_flags & PF_X)) {
            range[n_ranges].from = info->dlpi_addr + segment->p_vaddr;
            range[n_ranges].to = own_end(info, range[n_ranges].from + segment->p_memsz);
            n_ranges++;
        }
    }
    return 0;
}

static void redirect(int descriptor, const char *ending) {
    char path[4096];
    snprintf(path, sizeof path, "%s%s", getenv("MEMORY_OUT"), ending);
    int file = open(*ending ? path : "/dev/null", O_RDWR | O_CREAT | O_TRUNC, 0666);
    if (file < 0 || dup2(file, descriptor) < 0) {
        abort();
    }
    close(file);
}

/* Returns in each child. */
static void serve(void) {
    char line[32];
    for (ssize_t n; (n = read(STDIN_FILENO, line, sizeof line - 1)) > 0;) {
        line[n] = 0;
        failing = atol(line);
        *calls = 0;
        pid_t child = fork();
        if (child == 0) {
            redirect(STDIN_FILENO, "");
            redirect(STDOUT_FILENO, ".out");
            redirect(STDERR_FILENO, ".err");
            ready = 1;
            return;
        }
        int status = -1;
        while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
        }
        dprintf(STDOUT_FILENO, "%d %ld\n", status, *calls);
    }
    _exit(0);
}

__attribute__((constructor)) static void start(void) {
    /* Not in processes that the program or MPI starts. */
    if (strcmp(program_invocation_short_name, "impactsweep") != 0 || !getenv("MEMORY_IN")) {
        return;
    }
    all = strcmp(getenv("MEMORY_IN"), "*") == 0;
    calls = mmap(NULL, sizeof *calls, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    dl_iterate_phdr(look, NULL);
    serve();
}

static int must_fail(const void *caller) {
    uintptr_t at = (uintptr_t)caller;
    int counted = all;
    for (int i = 0; ready && !counted && i < n_ranges; i++) {
        counted = at >= range[i].from && at < range[i].to;
    }
    int fails = ready && counted && __atomic_add_fetch(calls, 1, __ATOMIC_SEQ_CST) == failing;
    errno = fails ? ENOMEM : errno;
    return fails;
}

void *malloc(size_t size) {
    return must_fail(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
}

void *calloc(size_t n, size_t size) {
    return must_fail(__builtin_return_address(0)) ? NULL : __libc_calloc(n, size);
}

void *realloc(void *memory, size_t size) {
    return must_fail(__builtin_return_address(0)) ? NULL : __libc_realloc(memory, size);
}

char *strdup(const char *text) {
    size_t size = strlen(text) + 1;
    char *copy = must_fail(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
    return copy ? memcpy(copy, text, size) : NULL;
}
