/* Preloaded into the program by tests: the MEMORY_FAIL-th allocation fails (from 1; 0: none), of those
 * that the program itself makes or one of the libraries MEMORY_IN (words in the names of their files).
 * Allocations of other libraries, of MPI above all, and those that libc makes by itself, are not counted.
 * MEMORY_COUNT: a file for the number of allocations, written at the end. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *memory, size_t size);

enum { MOST = 32 };
static struct { uintptr_t from, to; } range[MOST];
static int n_ranges, ready;
static long calls, failing;

static int is_counted(const char *file) {
    char words[200];
    snprintf(words, sizeof words, "%s", getenv("MEMORY_IN") ? getenv("MEMORY_IN") : "");
    for (char *at = words, *word; (word = strsep(&at, " ")) != NULL;) {
        if (*word && strstr(file, word)) {
            return 1;
        }
    }
    return *file == 0; /* the program itself */
}

static int look(struct dl_phdr_info *info, size_t size, void *context) {
    (void)size;
    (void)context;
    for (int i = 0; is_counted(info->dlpi_name) && i < info->dlpi_phnum && n_ranges < MOST; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        if (segment->p_type == PT_LOAD && (segment->p_flags & PF_X)) {
            range[n_ranges].from = info->dlpi_addr + segment->p_vaddr;
            range[n_ranges].to = range[n_ranges].from + segment->p_memsz;
            n_ranges++;
        }
    }
    return 0;
}

__attribute__((constructor)) static void start(void) {
    /* Not in processes that the program or MPI starts. */
    if (strcmp(program_invocation_short_name, "impactsweep") != 0) {
        return;
    }
    failing = getenv("MEMORY_FAIL") ? atol(getenv("MEMORY_FAIL")) : 0;
    dl_iterate_phdr(look, NULL);
    ready = 1;
}

__attribute__((destructor)) static void end(void) {
    const char *path = ready ? getenv("MEMORY_COUNT") : NULL;
    int file = path ? open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666) : -1;
    if (file >= 0) {
        dprintf(file, "%ld\n", calls);
        close(file);
    }
}

static int must_fail(const void *caller) {
    uintptr_t at = (uintptr_t)caller;
    int counted = 0;
    for (int i = 0; ready && i < n_ranges; i++) {
        counted |= at >= range[i].from && at < range[i].to;
    }
    int fails = counted && __atomic_add_fetch(&calls, 1, __ATOMIC_SEQ_CST) == failing;
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
