/* The reader of formulas, and what its callers supply. */
#ifndef IMP_NUM_FORMULA_IMPL_H
#define IMP_NUM_FORMULA_IMPL_H

#include "num/formula.h"

/* A value on the stack. A word is not on the stack before the variable to compare it with is
 * known. */
typedef enum imp_operand_kind {
    IMP_NUMBER,
    IMP_TRUTH,
    IMP_CODE,   /* of a category */
    IMP_PHASES, /* a sequence */
    IMP_WORD
} imp_operand_kind;

typedef struct imp_operand {
    imp_operand_kind kind;
    const void *variable; /* of a category or sequence: the caller's */
    const char *at;       /* its place in the text */
    char word[IMP_FORMULA_WORD];
} imp_operand;

struct imp_formula_reader;

/* The names of a formula. */
typedef struct imp_formula_names {
    const char *wanted, *whole; /* in messages: "a parameter, an output", "condition" */
    /* Reports an error at a column of the text, from 1. */
    void (*fail)(void *context, int column, const char *message);
    /* If the operand is a name, pushes a step for it and makes the operand its value; any other
     * word stays a word. */
    void (*resolve)(struct imp_formula_reader *reader, imp_operand *operand);
    /* Reports a word that should be a name. */
    void (*refuse)(struct imp_formula_reader *reader, const imp_operand *operand);
    /* Replaces the category or sequence on the stack by the truth of "it is the word". NULL: there
     * are neither. */
    void (*push_is)(struct imp_formula_reader *reader, const imp_operand *operand,
                    const imp_operand *word);
} imp_formula_names;

typedef struct imp_formula_reader {
    imp_formula *to;
    const imp_formula_names *names;
    void *context;
    const char *text, *at;
    int depth, nested;
    bool broken; /* the rest of the text cannot be read */
    bool failed; /* there was an error */
} imp_formula_reader;

/* Reads the text, whose value must be of the kind; false: there were errors. */
bool imp_formula_read(const char *text, const imp_formula_names *names, void *context,
                      imp_operand_kind wanted, imp_formula *formula);

/* Reports an error at a place in the text, unless an earlier error ended the reading. IMP_BREAK
 * also ends the reading. */
void imp_formula_fail(imp_formula_reader *reader, const char *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
#define IMP_BREAK(reader, ...)                                                                     \
    (imp_formula_fail((reader), (reader)->at, __VA_ARGS__), (reader)->broken = true)

void imp_formula_push(imp_formula_reader *reader, imp_step step);

/* Reads the formula that a name stands for, in place of the name. */
void imp_formula_expand(imp_formula_reader *reader, const char *text);

#endif
