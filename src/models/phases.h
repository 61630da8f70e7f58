/* Codes of phases and events that several theories share. Files keep them: append only. */
#ifndef IMP_MODELS_PHASES_H
#define IMP_MODELS_PHASES_H

/* Phases as a sequence counts them. Only wide sequences have partial slip, in which the outer part
 * of the contact slips and the centre sticks. */
enum {
    IMP_STICK = 1,
    IMP_SLIP_BACK = 2,
    IMP_SLIP_FORTH = 3,
    IMP_PARTIAL_BACK = 4,
    IMP_PARTIAL_FORTH = 5
};

/* The first events of a contact that is followed in time; further ones and the separation have the
 * codes after these. */
enum { IMP_GREATEST_INDENTATION = 1, IMP_SLIP_ENDS, IMP_SLIP_BEGINS };

/* Events of a contact that is followed in the normal impulse (imp_impulse_events names them). */
typedef enum imp_impulse_event {
    IMP_TOUCH = 1,
    IMP_COMPRESSED,
    IMP_HALT,
    IMP_SEPARATION,
    IMP_WEDGED
} imp_impulse_event;

#endif
