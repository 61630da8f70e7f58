/* What tables of parameters and options are made of. */
#ifndef IMP_BASE_TABLES_H
#define IMP_BASE_TABLES_H

#include <math.h>

/* The ranges of most parameters, as members of imp_parameter. */
#define IMP_RANGE_POSITIVE .low = 0, .low_open = true, .high = INFINITY, .high_open = true
#define IMP_RANGE_NOT_NEGATIVE .low = 0, .high = INFINITY, .high_open = true
#define IMP_RANGE_FINITE .low = -INFINITY, .low_open = true, .high = INFINITY, .high_open = true

/* An imp_parameter by its name, unit and meaning, and the other members by name. */
#define IMP_PARAMETER_OF(title, measure, text, ...)                                                \
    { .name = (title), .unit = (measure), .meaning = (text), __VA_ARGS__ }

/* The same where a table wants its address: a parameter of that table alone needs no name. */
#define IMP_PARAMETER(...) (&(const imp_parameter)IMP_PARAMETER_OF(__VA_ARGS__))

/* The number of elements of an array. */
#define IMP_COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

/* An option; with a list of parameters of its own, and where a table wants its address. */
#define IMP_OPTION_OF(title, text, list)                                                           \
    { .name = (title), .meaning = (text), .parameters = (list), .n_parameters = IMP_COUNT(list) }
#define IMP_OPTION_WITH(...) (&(const imp_option)IMP_OPTION_OF(__VA_ARGS__))
#define IMP_OPTION(title, text) (&(const imp_option){.name = (title), .meaning = (text)})

/* An imp_choice. otherwise: the index of the default option; -1: none. */
#define IMP_CHOICE(title, text, list, otherwise)                                                   \
    {                                                                                              \
        .name = (title), .meaning = (text), .options = (list), .n_options = IMP_COUNT(list),       \
        .fallback = (otherwise)                                                                    \
    }

#endif
