/* Shared by the readers of cases: cases.c reads all of them, case.c reads one. Private to them. */
#ifndef IMP_CONFIG_CASES_IMPL_H
#define IMP_CONFIG_CASES_IMPL_H

#include "config/keys.h"

/* An axis beside the cases that carries a choice. */
typedef struct imp_case_axis {
    const char *name;
    imp_place place;
    const yaml_node_t *option[IMP_MAX_CASES];
    int n;
} imp_case_axis;

/* The cases while they are read: those whose names and theories are good. */
typedef struct imp_case_reader {
    imp_document *document;
    const imp_loader *loader;
    imp_owned **owned;
    imp_report *report;
    const yaml_node_t *choose; /* NULL: none */
    const char *const *words;  /* of --set */
    int n_words;
    bool *taken; /* words that are choices of a case */
    imp_case_axis swept[IMP_MAX_CHOICES];
    int n_swept, of_one;                    /* combinations of their options */
    imp_draft *draft;                       /* of the case that is read */
    imp_case *cases;                        /* names and theories, with all parameters once read */
    imp_case *made;                         /* what is read of them: of_one signatures of each */
    const yaml_node_t *body[IMP_MAX_CASES]; /* the mapping of each case */
    imp_place place[IMP_MAX_CASES];
    int n;
    bool unnamed; /* a case is not among them: names that only it knows seem unknown */
    bool lost;    /* or a choice is not made */
} imp_case_reader;

imp_place imp_case_word_place(const imp_case_reader *r, int word);

/* The axis that carries a choice; -1: none. */
int imp_case_axis_of(const imp_case_reader *r, const char *choice);

/* The value of a key in a mapping, without messages; NULL: none. */
const yaml_node_t *imp_case_value(imp_document *document, const yaml_node_t *mapping,
                                  const char *name);

/* Reads the choices and parameters of case c; returns whether all choices are made. */
bool imp_case_read(imp_case_reader *r, int c);

#endif
