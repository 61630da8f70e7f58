#include "guest/guest.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/sha256.h"
#include "guest/guest_impl.h"

/* ---- one guest ---- */

static void end(imp_owned *owned) {
    imp_guest *guest = (imp_guest *)owned;
    imp_process_end(&guest->process, IMP_CLOSE_KINDLY, NULL);
    for (char *const *word = guest->order.process.words; word && *word; word++) {
        free(*word);
    }
    free((void *)guest->order.process.words);
    free((char *)guest->order.process.folder);
    if (guest->tables) {
        imp_guest_tables_free(guest->tables);
    }
    free(guest->tables);
    imp_buffer_free(&guest->request);
    imp_buffer_free(&guest->answer);
    imp_text_free(&guest->description);
    imp_text_free(&guest->identity);
    imp_text_free(&guest->said);
    pthread_mutex_destroy(&guest->lock);
    free(guest);
}

static bool copy_order(imp_guest *guest, const imp_guest_order *order) {
    size_t n = 0;
    while (order->process.words[n]) {
        n++;
    }
    char **words = calloc(n + 1, sizeof *words);
    guest->order = *order;
    guest->order.process.words = words;
    guest->order.process.folder = strdup(order->process.folder);
    bool good = words && guest->order.process.folder;
    for (size_t w = 0; good && w < n; w++) {
        words[w] = strdup(order->process.words[w]);
        good = words[w] != NULL;
    }
    return good;
}

/* Name, version, and a digest of all it said. */
static void identify(imp_guest *guest) {
    char digest[65];
    imp_sha256_of(imp_text_get(&guest->description), guest->description.length, digest);
    imp_text_print(&guest->identity, "%s, version %s, description %.16s", guest->tables->name,
                   guest->tables->version, digest);
    guest->owned.identity = imp_text_get(&guest->identity);
}

static imp_err begin(imp_guest *guest, imp_text *why) {
    bool stopped = false;
    if (!imp_guest_begin(guest, why, &stopped)) {
        return stopped ? IMP_ERR_STOPPED : IMP_ERR_INPUT;
    }
    if (!imp_guest_describe(imp_text_get(&guest->description), guest->description.length,
                            guest->tables, why)) {
        return IMP_ERR_INPUT;
    }
    guest->tables->guest = guest;
    guest->tables->theory.solve = imp_guest_solve;
    identify(guest);
    return IMP_OK;
}

imp_err imp_guest_open(const imp_guest_order *order, const imp_theory **theory, imp_owned **owned,
                       imp_text *why) {
    imp_guest *guest = calloc(1, sizeof *guest);
    *theory = NULL;
    if (guest) {
        pthread_mutex_init(&guest->lock, NULL);
        guest->owned = (imp_owned){.say = imp_guest_say, .end = end};
        guest->tables = calloc(1, sizeof *guest->tables);
    }
    if (!guest || !copy_order(guest, order) || !guest->tables) {
        if (guest) {
            end(&guest->owned);
        }
        return imp_out_of_memory();
    }
    imp_err error = begin(guest, why);
    if (error) {
        end(&guest->owned);
        return error;
    }
    *theory = &guest->tables->theory;
    guest->owned.next = *owned;
    *owned = &guest->owned;
    return IMP_OK;
}

/* ---- guests that live as long as the process, for callers of the library, who solve again ---- */

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

/* Takes the key with it. */
static imp_err add(const imp_guest_order *order, kept *one, imp_text *key, imp_text *why) {
    imp_err error = imp_guest_open(order, &one->theory, &one->owned, why);
    if (error) {
        free(one);
        return error;
    }
    one->key = *key;
    *key = (imp_text){0};
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
    if (!one) {
        one = calloc(1, sizeof *one);
        error = one ? add(order, one, &key, why) : imp_out_of_memory();
    }
    *theory = error ? NULL : one->theory;
    imp_text_free(&key);
    pthread_mutex_unlock(&lock);
    return error;
}
