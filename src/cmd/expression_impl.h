/* A condition as steps on a stack of columns of numbers: the parser appends the steps, and
 * the evaluator carries out each in turn for all rows at hand. */
#ifndef IMP_CMD_EXPRESSION_IMPL_H
#define IMP_CMD_EXPRESSION_IMPL_H

#include "cmd/expression.h"

enum { IMP_MAX_STEPS = 256, IMP_MAX_DEPTH = 32, IMP_MAX_WORD = 256, IMP_MAX_EXPRESSION = 4000 };

/* A truth value is 1, 0, or NaN (undefined). */
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
    double number; /* the number; for a value the code that means undefined, NaN if there is none */
    int part;      /* of the table */
    int64_t k;     /* index among the values of an output */
    char word[IMP_MAX_WORD];
} imp_step;

struct imp_expression {
    imp_table table; /* of the variables that the text names */
    imp_step steps[IMP_MAX_STEPS];
    int n;
    double *stack; /* IMP_MAX_DEPTH columns of IMP_SELECTION_ROWS */
};

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
    const imp_variable *variable; /* of a category or sequence */
    const char *at;               /* its place in the text */
    char word[IMP_MAX_WORD];
} imp_operand;

typedef struct imp_expression_reader {
    imp_expression *to;
    const char *text, *at;
    int depth, nested;
    bool broken; /* the rest of the text cannot be read */
    int code;    /* exit code */
} imp_expression_reader;

/* Prints an error at a place in the text, unless an earlier error ended the reading. IMP_BREAK also
 * ends the reading. */
void imp_expression_fail(imp_expression_reader *reader, const char *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
#define IMP_BREAK(reader, ...)                                                                     \
    (imp_expression_fail((reader), (reader)->at, __VA_ARGS__), (reader)->broken = true)

void imp_expression_push(imp_expression_reader *reader, imp_step step);

/* If the operand is the name of a variable, pushes the variable and makes the operand its value; any
 * other word stays a word. */
void imp_expression_resolve(imp_expression_reader *reader, imp_operand *operand);

/* Prints an error unless the operand is of the kind. */
void imp_expression_need(imp_expression_reader *reader, const imp_operand *operand,
                         imp_operand_kind wanted);

/* Replaces the category or sequence on the stack by the truth of "it is the word". */
void imp_expression_push_is(imp_expression_reader *reader, const imp_operand *operand,
                            const imp_operand *word);

#endif
