/* The energy account of a contact and its peak forces, gathered from its pieces. In scaled units. */
#ifndef IMP_MODELS_COMPLIANT_ACCOUNT_H
#define IMP_MODELS_COMPLIANT_ACCOUNT_H

#include "models/compliant/problem.h"

/* Slip phases with a loss of their own; the last one also holds the losses of all later ones. */
enum { IMP_COMPLIANT_SLIPS = 8 };

typedef struct imp_peak_force {
    double size, time;
} imp_peak_force;

struct imp_account {
    imp_observer observer; /* first */
    bool want_peaks;
    double time; /* so far */
    /* Work of the tangential force until the greatest indentation so far, and after it. */
    double work_t_approach, work_t_rebound;
    double slip_loss[IMP_COMPLIANT_SLIPS];
    int slips; /* entries of slip_loss in use */
    imp_peak_force normal, tangential;
};

/* An account before the first piece. */
imp_account imp_account_open(bool want_peaks);

#endif
