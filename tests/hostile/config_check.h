/* Checks that the reader of configs keeps its promises on any bytes. The fuzzer makes such bytes,
 * and the suite replays those that were kept. */
#ifndef TESTS_HOSTILE_CONFIG_CHECK_H
#define TESTS_HOSTILE_CONFIG_CHECK_H

#include <stdbool.h>
#include <stddef.h>

#include "config/config.h"

/* Between the parts of an input: config, the table that every path names, one --set per line. */
#define HOSTILE_SEPARATOR "\n====\n"

/* The fault of the result of a reader; NULL without a fault. */
const char *hostile_fault_of_result(imp_err error, const imp_sweep *sweep,
                                    const imp_text *messages);

/* Reads the input as a config, as the words of `cell`, and frees everything. The fault is a static
 * text, NULL if there is none. */
const char *hostile_fault_of_input(const unsigned char *bytes, size_t length);

/* Whether the input asks for an axis of a million points or more, which is legal and slow. */
bool hostile_is_large(const unsigned char *bytes, size_t length);

#endif
