/* The law of sphere.py as a guest in C: cc -O2 sphere.c -lm -o sphere */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const char description[] =
    "{\"impactsweep_guest\": 1, \"name\": \"law\", \"version\": \"1\", \"parameters\": ["
    "{\"name\": \"angle\", \"unit\": \"rad\", \"low\": 0, \"high\": 1.57}, "
    "{\"name\": \"friction\", \"low\": 0, \"high\": 10, \"default\": 0.2}, "
    "{\"name\": \"restitution\", \"low\": 0, \"high\": 1, \"default\": 0.8}], \"outputs\": ["
    "{\"name\": \"mode\", \"categories\": [{\"name\": \"slip\"}, {\"name\": \"roll\"}]}, "
    "{\"name\": \"slip_ratio\", \"unit\": \"1\"}]}\n";

enum { SLIP = 1, ROLL = 2, SOLVED = 1, INPUTS = 3, COLUMNS = 3 }; /* an outcome and two outputs */

int main(void) {
    double head[3]; /* number of the request, cells; in the answer: how many numbers follow */
    double *in = NULL, *out = NULL;
    fputs(description, stdout);
    fflush(stdout);
    while (fread(head, sizeof(double), 2, stdin) == 2) {
        size_t cells = (size_t)head[1];
        in = realloc(in, INPUTS * cells * sizeof *in);
        out = realloc(out, COLUMNS * cells * sizeof *out);
        if (!in || !out || fread(in, sizeof *in, INPUTS * cells, stdin) != INPUTS * cells) {
            return 1;
        }
        const double *angle = in, *friction = in + cells, *restitution = in + 2 * cells;
        double *outcome = out, *mode = out + cells, *slip_ratio = out + 2 * cells;
        for (size_t i = 0; i < cells; i++) {
            double slip = tan(angle[i]) - 3.5 * friction[i] * (1 + restitution[i]);
            outcome[i] = SOLVED;
            mode[i] = slip > 0 ? SLIP : ROLL;
            slip_ratio[i] = slip > 0 ? slip : 0;
        }
        head[2] = (double)(COLUMNS * cells);
        fwrite(head, sizeof(double), 3, stdout);
        fwrite(out, sizeof *out, COLUMNS * cells, stdout);
        fflush(stdout);
    }
    free(in);
    free(out);
    return 0;
}
