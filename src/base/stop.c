#include "base/stop.h"

#include <stddef.h>

static bool (*ask)(void);

void imp_stop_ask(bool (*wanted)(void)) {
    ask = wanted;
}

bool imp_stop_wanted(void) {
    return ask != NULL && ask();
}
