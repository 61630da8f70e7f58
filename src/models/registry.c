#include <math.h>
#include <stdio.h>
#include <string.h>

#include "models/signature.h"
#include "models/theory.h"

/* No header names the theories: a new one has no other file compiled anew. */
#define THEORY(name) extern const imp_theory imp_theory_##name;
#include "models/models.def"

static const imp_theory *const theories[] = {
#define THEORY(name) &imp_theory_##name,
#include "models/models.def"
};

const imp_theory *imp_theory_at(int index) {
    return index >= 0 && index < IMP_COUNT(theories) ? theories[index] : NULL;
}

const imp_theory *imp_theory_find(const char *name) {
    for (int i = 0; imp_theory_at(i); i++) {
        if (strcmp(theories[i]->name, name) == 0) {
            return theories[i];
        }
    }
    return NULL;
}

const imp_theory *imp_theory_offered(const imp_theory *last) {
    int i = 0;
    while (last && theories[i++] != last) {
    }
    while (i < IMP_COUNT(theories) && theories[i]->hidden) {
        i++;
    }
    return imp_theory_at(i);
}

static const struct {
    const char *name, *meaning;
} outcomes[IMP_OUTCOME_COUNT] = {
#define OUTCOME(code, symbol, name, meaning) [code] = {#name, meaning},
    IMP_OUTCOMES(OUTCOME)
#undef OUTCOME
};

const char *imp_outcome_name(int outcome) {
    return outcome >= 0 && outcome < IMP_OUTCOME_COUNT ? outcomes[outcome].name : NULL;
}

const char *imp_outcome_meaning(int outcome) {
    return outcome >= 0 && outcome < IMP_OUTCOME_COUNT ? outcomes[outcome].meaning : NULL;
}

const char *imp_mode_name(const imp_theory *theory, int code) {
    for (int i = 0; i < theory->n_modes; i++) {
        if (theory->modes[i].code == code) {
            return theory->modes[i].name;
        }
    }
    return code == 0 ? "none" : NULL;
}

static const char *const phase_names[8] = {"",
                                           [IMP_STICK] = "stick",
                                           [IMP_SLIP_BACK] = "slip-",
                                           [IMP_SLIP_FORTH] = "slip+",
                                           [IMP_PARTIAL_BACK] = "partial-",
                                           [IMP_PARTIAL_FORTH] = "partial+",
                                           "",
                                           ""};

/* The code of the phase that a text begins with, and the length of its name; 0 if there is none. */
static int phase_of(const char *text, size_t *length) {
    *length = strcspn(text, " ");
    for (int p = IMP_STICK; p <= IMP_PARTIAL_FORTH; p++) {
        if (strlen(phase_names[p]) == *length && strncmp(text, phase_names[p], *length) == 0) {
            return p;
        }
    }
    return 0;
}

/* Appends a word as far as there is room; returns the length with all of it. */
static size_t append(char *text, size_t size, size_t length, bool apart, const char *word) {
    size_t room = length < size ? size - length : 0;
    return length +
           (size_t)snprintf(room ? text + length : NULL, room, "%s%s", apart ? " " : "", word);
}

/* Points that strike: digits with blanks between them. */
static size_t points_text(uint64_t sequence, size_t size, char *text) {
    size_t length = 0;
    for (uint64_t rest = sequence & ~IMP_SEQUENCE_OF_POINTS; rest > 1; rest >>= 3) {
        const char digit[] = {(char)('1' + (rest & 7)), 0};
        length = append(text, size, length, length > 0, digit);
    }
    bool more = sequence >> 3 * IMP_SEQUENCE_POINTS & 1;
    return more ? append(text, size, length, true, "...") : length;
}

/* Reads what points_text writes, without "..."; false if it is no such text. */
static bool points_read(const char *text, double *code) {
    uint64_t sequence = 0;
    int n = 0;
    for (const char *at = text + strspn(text, " "); *at; n++) {
        bool good = *at >= '1' && *at <= '8' && (at[1] == ' ' || !at[1]) && n < IMP_SEQUENCE_POINTS;
        if (!good) {
            return false;
        }
        sequence |= (uint64_t)(*at - '1') << (3 * n);
        at++;
        at += strspn(at, " ");
    }
    *code = (double)(IMP_SEQUENCE_OF_POINTS | UINT64_C(1) << (3 * n) | sequence);
    return n > 0;
}

bool imp_sequence_read(const char *text, double *code, double *wide) {
    if (points_read(text, code)) {
        *wide = NAN;
        return true;
    }
    uint64_t narrow = 0, broad = IMP_SEQUENCE_WIDE;
    int phases = 0;
    bool partial = false;
    for (const char *at = text + strspn(text, " "); *at; phases++) {
        size_t length;
        int phase = phase_of(at, &length);
        if (phase == 0 || phases == IMP_SEQUENCE_PHASES) {
            return false;
        }
        partial |= phase > IMP_SLIP_FORTH;
        narrow |= (uint64_t)phase << (2 * phases);
        broad |= phases < IMP_SEQUENCE_WIDE_PHASES ? (uint64_t)phase << (3 * phases) : 0;
        at += length;
        at += strspn(at, " ");
    }
    *code = partial ? NAN : (double)narrow;
    *wide = phases > IMP_SEQUENCE_WIDE_PHASES ? NAN : (double)broad;
    return phases > 0 && !(partial && phases > IMP_SEQUENCE_WIDE_PHASES);
}

size_t imp_sequence_text(uint64_t sequence, size_t size, char *text) {
    if (size > 0) {
        text[0] = 0;
    }
    if ((sequence & IMP_SEQUENCE_OF_POINTS) == IMP_SEQUENCE_OF_POINTS) {
        return points_text(sequence, size, text);
    }
    bool wide = sequence & IMP_SEQUENCE_WIDE;
    int bits = wide ? 3 : 2, most = wide ? IMP_SEQUENCE_WIDE_PHASES : IMP_SEQUENCE_PHASES;
    uint64_t rest = sequence & ~IMP_SEQUENCE_WIDE, one = (UINT64_C(1) << bits) - 1;
    size_t length = 0;
    int phases = 0;
    for (; rest & one && phases < most; rest >>= bits, phases++) {
        length = append(text, size, length, phases > 0, phase_names[rest & one]);
    }
    return phases == most ? append(text, size, length, true, "...") : length;
}
