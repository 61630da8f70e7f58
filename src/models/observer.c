#include "models/observer.h"

#include <math.h>

imp_sampler imp_sampler_open(imp_recorder *recorder, double end) {
    int parts = recorder->samples > 1 ? recorder->samples - 1 : 1;
    return (imp_sampler){.recorder = recorder, .span = end, .parts = parts, .within = parts};
}

double imp_sampler_next(const imp_sampler *sampler) {
    return sampler->next < sampler->within ? sampler->span * sampler->next / sampler->parts
                                           : INFINITY;
}

bool imp_sampler_remains(const imp_sampler *sampler) {
    return sampler->next < sampler->recorder->samples;
}
