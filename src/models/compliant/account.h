/* The energy account of a contact and its peak forces. In scaled units and in lanes. */
#ifndef IMP_MODELS_COMPLIANT_ACCOUNT_H
#define IMP_MODELS_COMPLIANT_ACCOUNT_H

#include "models/compliant/problem.h"

/* Slip phases with a loss of their own; the last one also holds the losses of all later ones. */
enum { IMP_COMPLIANT_SLIPS = 8 };

typedef struct imp_compliant_peak_force {
    real size, time;
} imp_compliant_peak_force;

/* Before the contact all but want_peaks is 0. */
struct imp_compliant_account {
    bool want_peaks;
    real time; /* so far */
    /* Work of the tangential force until the greatest indentation so far, and after it. */
    real work_t_approach, work_t_rebound;
    real slip_loss[IMP_COMPLIANT_SLIPS];
    real slips;                        /* entries of slip_loss in use */
    real normal_loss, tangential_loss; /* dashpot: to the dashpots */
    imp_compliant_peak_force normal, tangential;
};

#endif
