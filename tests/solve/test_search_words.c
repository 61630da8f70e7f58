/* Words, the labels on the way round a box: what is taken back step by step does not count, nor
 * where the way begins. */
#include <string.h>

#include "solve/search/boxes.h"
#include "support/random.h"
#include "support/suite.h"

enum { LABELS = 5, MOST_CORE = 7, DETOURS = 30 };

static void insert(imp_word *word, int at, int label) {
    memmove(&word->label[at + 1], &word->label[at], (size_t)(word->n - at) * sizeof word->label[0]);
    word->label[at] = label;
    word->n++;
}

/* Inserts steps to a label and back, and turns the word. */
static void disguise(random_source *source, const imp_word *core, imp_word *word) {
    imp_word turned = {.n = 0};
    *word = *core;
    for (int i = 0; i < DETOURS; i++) {
        int at = random_index(source, word->n), here = word->label[at];
        insert(word, at + 1, (here + 1 + random_index(source, LABELS - 1)) % LABELS);
        insert(word, at + 2, here);
    }
    int first = random_index(source, word->n);
    for (int i = 0; i < word->n; i++) {
        turned.label[turned.n++] = word->label[(first + i) % word->n];
    }
    *word = turned;
}

/* A walk of three labels or more no step of which is taken back, also not where it closes. */
static void draw(random_source *source, imp_word *core) {
    bool good = false;
    while (!good) {
        core->n = 3 + random_index(source, MOST_CORE - 2);
        for (int i = 0; i < core->n; i++) {
            core->label[i] = random_index(source, LABELS);
        }
        good = true;
        for (int i = 0; i < core->n; i++) {
            int here = core->label[i], next = core->label[(i + 1) % core->n];
            good = good && here != next && here != core->label[(i + 2) % core->n];
        }
    }
}

static bool is_turned(const imp_word *one, const imp_word *other) {
    bool found = false;
    for (int turn = 0; one->n == other->n && turn < one->n && !found; turn++) {
        found = true;
        for (int i = 0; i < one->n; i++) {
            found = found && one->label[(turn + i) % one->n] == other->label[i];
        }
    }
    return found;
}

static void detours(void) {
    random_source source = {39};
    int apart = 0;
    for (int k = 0; k < 5000; k++) {
        imp_word core, other, one, two, three;
        draw(&source, &core);
        draw(&source, &other);
        disguise(&source, &core, &one);
        disguise(&source, &core, &two);
        disguise(&source, &other, &three);
        CHECK(imp_word_forced(&one) && imp_words_agree(&one, &two), "word %d", k);
        CHECK(imp_words_agree(&one, &three) == is_turned(&core, &other), "other word %d", k);
        apart += !is_turned(&core, &other);
        imp_word still = {1, {k % LABELS}};
        disguise(&source, &still, &one);
        CHECK(!imp_word_forced(&one) && !imp_words_agree(&one, &two), "no word %d", k);
    }
    CHECK(apart > 4000, "%d are different", apart);
}

static void directions(void) {
    const imp_word word = {11, {5, 3, 4, 7, 3, 4, 2, 6, 7, 6, 2}},
                   same = {7, {4, 2, 5, 3, 4, 7, 3}}, back = {7, {3, 7, 4, 3, 5, 2, 4}},
                   fewer = {6, {5, 3, 4, 7, 3, 2}};
    CHECK(imp_words_agree(&word, &same), "two strips do not count");
    CHECK(imp_word_forced(&back) && !imp_words_agree(&word, &back), "the other way round");
    CHECK(imp_word_forced(&fewer) && !imp_words_agree(&word, &fewer), "a label less");
}

SUITE("search words", detours, directions)
