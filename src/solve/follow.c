#include "solve/follow.h"

#include <string.h>

int imp_followers_outside(const imp_follower *followers, int n) {
    int outside = 0;
    while (outside < n && !followers[outside].searched) {
        outside++;
    }
    return outside;
}

bool imp_followers_compute(const imp_follower *followers, int n, const char *name) {
    for (int f = 0; f < n; f++) {
        if (strcmp(followers[f].parameter->name, name) == 0) {
            return true;
        }
    }
    return false;
}
