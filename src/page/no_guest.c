/* In place of the room guest: a page starts no programs. */
#include "guest/guest.h"

imp_err imp_guest_open(const imp_guest_order *order, const imp_theory **theory, imp_owned **owned,
                       imp_text *why) {
    (void)owned;
    return imp_guest_keep(order, theory, why);
}

imp_err imp_guest_keep(const imp_guest_order *order, const imp_theory **theory, imp_text *why) {
    (void)order;
    *theory = NULL;
    imp_text_print(why, "is a program, which a page cannot start");
    return IMP_ERR_INPUT;
}
