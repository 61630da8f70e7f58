/* Guests that live as long as the process, for callers of the library, who solve again. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "guest/guest.h"

typedef struct kept {
    struct kept *next;
    imp_text key;
    const imp_theory *theory;
    imp_owned *owned;
} kept;

static kept *all;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* The command, and when its files were changed. */
static void print_key(const imp_guest_order *order, imp_text *key) {
    for (char *const *word = order->process.words; *word; word++) {
        struct stat file;
        imp_text_append(key, *word, strlen(*word) + 1);
        if (stat(*word, &file) == 0) {
            imp_text_print(key, "%lld.%09ld %lld", (long long)file.st_mtim.tv_sec,
                           file.st_mtim.tv_nsec, (long long)file.st_size);
        }
    }
}

static kept *find(const imp_text *key) {
    kept *one = all;
    while (one && (one->key.length != key->length ||
                   memcmp(one->key.bytes, key->bytes, key->length) != 0)) {
        one = one->next;
    }
    return one;
}

static imp_err add(const imp_guest_order *order, kept *one, imp_text *why) {
    imp_err error = imp_guest_open(order, &one->theory, &one->owned, why);
    if (error) {
        imp_text_free(&one->key);
        free(one);
        return error;
    }
    one->next = all;
    all = one;
    return IMP_OK;
}

imp_err imp_guest_keep(const imp_guest_order *order, const imp_theory **theory, imp_text *why) {
    imp_text key = {0};
    imp_err error = IMP_OK;
    print_key(order, &key);
    pthread_mutex_lock(&lock);
    kept *one = key.failed ? NULL : find(&key);
    if (one) {
        imp_text_free(&key);
    } else {
        one = calloc(1, sizeof *one);
        if (one) {
            one->key = key;
        } else {
            imp_text_free(&key);
        }
        error = one ? add(order, one, why) : imp_out_of_memory();
    }
    *theory = error ? NULL : one->theory;
    pthread_mutex_unlock(&lock);
    return error;
}
