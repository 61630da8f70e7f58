/* Formulas and conditions of named values, such as "q1 + 0.1" or "mode == wedge and energy_loss >
 * 0.5".
 *
 *   condition  = both {"or" both}               both   = negated {"and" negated}
 *   negated    = "not" negated | comparison
 *   comparison = sum [operator sum | "in" "(" word {"," word} ")"]
 *   sum        = product {("+" | "-") product}  product = factor {("*" | "/") factor}
 *   factor     = "-" factor | number ["deg" | "rad"] | name | word | "(" condition ")"
 *              | function "(" sum ")" | "defined" "(" name ")"
 *   function   = "abs" | "sqrt" | "sin" | "cos" | "tan" | "exp" | "log"
 *   operator   = "==" | "!=" | "<" | "<=" | ">" | ">="
 *
 * The reader asks its caller what a name is. Read formulas are steps on a stack of numbers, with
 * the same bits everywhere. A truth is 1, 0, or NaN (undefined); a comparison with an undefined
 * value is neither true nor false, nor is its negation. */
#ifndef IMP_NUM_FORMULA_H
#define IMP_NUM_FORMULA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    IMP_FORMULA_STEPS = 256,
    IMP_FORMULA_DEPTH = 32,
    IMP_FORMULA_WORD = 256,
    IMP_FORMULA_LENGTH = 4000
};

typedef enum imp_step_kind {
    IMP_STEP_NUMBER,
    IMP_STEP_VALUE,    /* of a name: the caller's */
    IMP_STEP_SEQUENCE, /* whether the sequence on the stack has this text: the caller's */
    IMP_STEP_NEGATE,   /* from here on: one operand */
    IMP_STEP_NOT,
    IMP_STEP_ABS,
    IMP_STEP_SQRT,
    IMP_STEP_SINE,
    IMP_STEP_COSINE,
    IMP_STEP_TANGENT,
    IMP_STEP_EXP,
    IMP_STEP_LOG,
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
    double number; /* the number; the rest belongs to the caller */
    int part;
    int64_t k;
    char word[IMP_FORMULA_WORD];
} imp_step;

typedef struct imp_formula {
    imp_step steps[IMP_FORMULA_STEPS];
    int n;
} imp_formula;

/* By how many numbers a step moves the top of the stack. */
int imp_step_growth(imp_step_kind kind);

/* The result of a step that is not the caller's. top: the number on top of the stack; that below it
 * is `stride` numbers before it. */
double imp_step_result(const imp_step *step, const double *top, size_t stride);

/* The value of a formula without sequences; value: of the names, by the `part` of their steps. */
double imp_formula_value(const imp_formula *formula, const double *value);

#endif
