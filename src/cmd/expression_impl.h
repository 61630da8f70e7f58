/* A condition as steps on a stack of columns of numbers: the parser appends them, the evaluator
 * carries them out for all rows at hand, one step after the other. */
#ifndef IMP_CMD_EXPRESSION_IMPL_H
#define IMP_CMD_EXPRESSION_IMPL_H

#include "cmd/expression.h"

enum { IMP_MAX_STEPS = 256, IMP_MAX_DEPTH = 32, IMP_MAX_WORD = 256, IMP_MAX_EXPRESSION = 4000 };

/* Truth is 1, 0, or NaN where it is undefined. */
typedef enum imp_step_kind {
    IMP_STEP_NUMBER,
    IMP_STEP_VALUE,    /* of a variable */
    IMP_STEP_SEQUENCE, /* whether the sequence on the stack has this text */
    IMP_STEP_NEGATE,   /* from here on: one operand */
    IMP_STEP_NOT,
    IMP_STEP_ABS,
    IMP_STEP_SQRT,
    IMP_STEP_DEFINED,
    IMP_STEP_ADD, /* from here on: two operands */
    IMP_STEP_SUBTRACT,
    IMP_STEP_MULTIPLY,
    IMP_STEP_DIVIDE,
    IMP_STEP_EQUAL,
    IMP_STEP_UNEQUAL,
    IMP_STEP_LESS,
    IMP_STEP_AT_MOST,
    IMP_STEP_GREATER,
    IMP_STEP_AT_LEAST,
    IMP_STEP_AND,
    IMP_STEP_OR
} imp_step_kind;

typedef struct imp_step {
    imp_step_kind kind;
    double number; /* of a value: the code that means undefined, NaN if there is none */
    int part;      /* of the table */
    int64_t k;     /* which of the values of an output */
    char word[IMP_MAX_WORD];
} imp_step;

struct imp_expression {
    imp_table table; /* of the variables that the text names */
    imp_step steps[IMP_MAX_STEPS];
    int n;
    double *stack; /* IMP_MAX_DEPTH columns of IMP_SELECTION_ROWS */
};

/* A value on the stack. A word is on none until it is known which variable it is compared with. */
typedef enum imp_operand_kind {
    IMP_NUMBER,
    IMP_TRUTH,
    IMP_CODE,   /* of a category */
    IMP_PHASES, /* a sequence */
    IMP_WORD
} imp_operand_kind;

typedef struct imp_operand {
    imp_operand_kind kind;
    const imp_variable *variable; /* of a category or sequence */
    const char *at;               /* where it stands in the text */
    char word[IMP_MAX_WORD];
} imp_operand;

typedef struct imp_expression_reader {
    imp_expression *to;
    const char *text, *at;
    int depth, nested;
    bool broken; /* what follows cannot be read */
    int code;    /* to exit with */
} imp_expression_reader;

/* Prints an error at a place in the text, unless an earlier one broke it. IMP_BREAK ends the reading. */
void imp_expression_fail(imp_expression_reader *reader, const char *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
#define IMP_BREAK(reader, ...)                                                                     \
    (imp_expression_fail((reader), (reader)->at, __VA_ARGS__), (reader)->broken = true)

void imp_expression_push(imp_expression_reader *reader, imp_step step);

/* Pushes the variable that the operand names, and makes the operand its value; leaves a word that
 * is no name. */
void imp_expression_resolve(imp_expression_reader *reader, imp_operand *operand);

/* Says what is wrong unless the operand is of the kind. */
void imp_expression_need(imp_expression_reader *reader, const imp_operand *operand,
                         imp_operand_kind wanted);

/* Turns the category or sequence on the stack into whether it is the word. */
void imp_expression_push_is(imp_expression_reader *reader, const imp_operand *operand,
                            const imp_operand *word);

#endif
