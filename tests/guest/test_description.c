/* Descriptions as tables: what follows from them, and that spoilt ones are refused without harm. */
#include <math.h>
#include <string.h>

#include "guest/description.h"
#include "models/signature.h"
#include "support/random.h"
#include "support/suite.h"

static const char good[] =
    "{\"impactsweep_guest\": 1, \"name\": \"law\", \"version\": \"2.1\", \"batch\": 99, \"title\": "
    "\"a law\", "
    "\"parameters\": [{\"name\": \"x\", \"unit\": \"rad\", \"low\": 0, \"high\": 1, \"high_open\": "
    "true, \"default\": 0.5}, "
    "{\"name\": \"n\", \"whole\": true, \"low\": 1}, {\"name\": \"k\", \"unit\": \"N/m\", "
    "\"meaning\": \"stiffness\"}], "
    "\"choices\": [{\"name\": \"how\", \"default\": \"so\", \"options\": [{\"name\": \"thus\"}, "
    "{\"name\": \"so\", "
    "\"parameters\": [\"k\"]}]}], \"outputs\": [{\"name\": \"y\", \"undefined_in\": [\"off\"]}, "
    "{\"name\": \"mode\", "
    "\"categories\": [{\"name\": \"on\"}, {\"name\": \"off\", \"meaning\": \"not on\"}]}, "
    "{\"name\": \"pair\", \"dimension\": "
    "\"end\", \"length\": 2, \"unit\": \"m\"}, {\"name\": \"phases\", \"kind\": \"sequence\"}]}";

static imp_guest_tables tables; /* too much for a small stack */

static void meaning(void) {
    imp_text why = {0};
    CHECK(imp_guest_describe(good, strlen(good), &tables, &why), "%s", imp_text_get(&why));
    const imp_theory *t = &tables.theory;
    imp_signature so = imp_signature_of(t, (const int[]){1}),
                  thus = imp_signature_of(t, (const int[]){0});
    CHECK(strcmp(t->title, "a law") == 0 && strcmp(tables.version, "2.1") == 0, "texts");
    CHECK(t->batch == 93 && t->n_parameters == 2 && so.n_parameters == 3 && thus.n_parameters == 2,
          "%d, %d, %d, %d", t->batch, t->n_parameters, so.n_parameters, thus.n_parameters);
    const imp_parameter *x = so.parameter[0], *n = so.parameter[1], *k = so.parameter[2];
    CHECK(x->low == 0 && !x->low_open && x->high == 1 && x->high_open && x->fallback == 0.5, "x");
    CHECK(n->whole && isnan(n->fallback) && imp_parameter_admits(n, n->example), "n");
    CHECK(isinf(k->low) && k->low_open && strcmp(k->meaning, "stiffness") == 0, "k");
    CHECK(t->choices[0].fallback == 1 && t->n_outputs == 4, "choices, outputs");
    CHECK(t->n_modes == 2 && t->modes[1].code == 2 && t->outputs[0].undefined_in == 4, "modes");
    CHECK(t->outputs[2].length == 2 && t->outputs[3].kind == IMP_SEQUENCE, "kinds");
    imp_guest_tables_free(&tables);
    imp_text_free(&why);
}

/* A description with a byte changed or cut off is read or refused with a reason, and a table that
 * is read has no default and no example outside its range. */
static void spoilt(void) {
    random_source random = {5};
    int refused = 0;
    for (int k = 0; k < 4000; k++) {
        char text[sizeof good];
        imp_text why = {0};
        size_t length = strlen(good), at = (size_t)random_index(&random, (int)length);
        memcpy(text, good, sizeof good);
        text[at] = (char)random_index(&random, 256);
        length = k % 4 ? length : at;
        bool read = imp_guest_describe(text, length, &tables, &why);
        CHECK(read == (why.length == 0), "byte %zu: %s", at, imp_text_get(&why));
        for (int p = 0; read && p < tables.n_parameters; p++) {
            CHECK(imp_parameter_admits(&tables.parameters[p], tables.parameters[p].example),
                  "byte %zu", at);
        }
        refused += !read;
        imp_guest_tables_free(&tables);
        imp_text_free(&why);
    }
    CHECK(refused > 1000 && refused < 4000, "%d of 4000 were refused", refused);
}

SUITE("description", meaning, spoilt)
