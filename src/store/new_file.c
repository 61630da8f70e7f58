#include "store/new_file.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "solve/sweep.h"
#include "solve/units.h"
#include "store/names.h"
#include "store/revision.h"

void imp_new_check(imp_new_file *d, bool good) {
    d->failed = d->failed || !good;
}

imp_err imp_new_begin(imp_new_file *d, const imp_sweep *sweep, const char *path) {
    *d = (imp_new_file){.sweep = sweep, .path = path, .backing = {.image = &d->image}};
    d->file = d->place = imp_h5_create(&d->backing);
    return d->file >= 0 ? IMP_OK : imp_fail(IMP_ERR_MEMORY, "%s: HDF5 has no memory", path);
}

/* HDF5 writes into memory, so memory is the only cause of failure. */
imp_err imp_new_end(imp_new_file *d) {
    imp_new_check(d, H5Fclose(d->file) >= 0);
    imp_new_check(d, imp_memory_check() == IMP_OK); /* or a text may be cut short */
    return d->failed || d->image.failed
               ? imp_fail(IMP_ERR_MEMORY, "%s: HDF5 could not lay it out in memory", d->path)
               : IMP_OK;
}

void imp_new_close(imp_new_file *d, hid_t dataset) {
    imp_new_check(d, H5Dclose(dataset) >= 0);
}

void imp_new_text(imp_new_file *d, hid_t object, const char *name, const char *text) {
    imp_new_check(d, imp_h5_put_text(object, name, text) == IMP_OK);
}

void imp_new_integer(imp_new_file *d, const char *name, int64_t value) {
    imp_new_check(d, imp_h5_put_integer(d->file, name, value) == IMP_OK);
}

static void put_words(imp_new_file *d, hid_t object, const char *name, imp_text *text,
                      imp_err (*put)(hid_t object, const char *name, const char *text)) {
    if (text->length > 0) {
        imp_new_check(d, put(object, name, imp_text_get(text)) == IMP_OK);
    }
    imp_text_free(text);
}

void imp_new_words(imp_new_file *d, hid_t object, const char *name, imp_text *text) {
    put_words(d, object, name, text, imp_h5_put_text);
}

void imp_new_long_words(imp_new_file *d, hid_t object, const char *name, imp_text *text) {
    put_words(d, object, name, text, imp_h5_put_long_text);
}

void imp_new_attach(imp_new_file *d, hid_t dataset, hid_t scale, int axis) {
    imp_new_check(d, H5DSattach_scale(dataset, scale, (unsigned)axis) >= 0);
}

void imp_new_list(imp_new_file *d, hid_t dataset, const char *name, hid_t type, hsize_t n,
                  hid_t memory_type, const void *values) {
    hid_t space = H5Screate_simple(1, &n, NULL);
    hid_t attribute = H5Acreate2(dataset, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    imp_new_check(d, attribute >= 0 && H5Awrite(attribute, memory_type, values) >= 0);
    imp_new_check(d, H5Aclose(attribute) >= 0);
    H5Sclose(space);
}

/* Writes the name in words, for labels of axes. */
static void put_long_name(imp_new_file *d, hid_t dataset, const char *name) {
    char words[64];
    snprintf(words, sizeof words, "%s", name);
    for (char *at = words; *at; at++) {
        *at = *at == '_' ? ' ' : *at;
    }
    imp_new_text(d, dataset, "long_name", words);
}

void imp_new_label(imp_new_file *d, hid_t dataset, const char *label) {
    imp_new_check(d, H5Adelete(dataset, "long_name") >= 0);
    imp_new_text(d, dataset, "long_name", label);
}

void imp_new_group(imp_new_file *d, const char *name) {
    hid_t creation = H5Pcreate(H5P_GROUP_CREATE);
    H5Pset_link_creation_order(creation, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
    H5Pset_attr_creation_order(creation, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
    d->place = H5Gcreate2(d->file, name, H5P_DEFAULT, creation, H5P_DEFAULT);
    imp_new_check(d, d->place >= 0 && H5Pclose(creation) >= 0);
}

void imp_new_group_end(imp_new_file *d) {
    imp_new_check(d, H5Gclose(d->place) >= 0);
    d->place = d->file;
}

hid_t imp_new_dimension(imp_new_file *d, const char *name, int64_t size) {
    char text[96];
    hsize_t extent = (hsize_t)size;
    hid_t creation = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(1, &extent, NULL);
    H5Pset_fill_time(creation, H5D_FILL_TIME_NEVER);
    H5Pset_attr_creation_order(creation, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
    hid_t scale =
        H5Dcreate2(d->place, name, H5T_IEEE_F32BE, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    H5Sclose(space);
    H5Pclose(creation);
    snprintf(text, sizeof text, "This is a netCDF dimension but not a netCDF variable. %10lld",
             (long long)size);
    imp_new_check(d, scale >= 0 && H5DSset_scale(scale, text) >= 0);
    return scale;
}

/* Chunks of at most 2^17 values, halved along each axis in turn. */
static void set_chunks(imp_new_file *d, hid_t creation, int rank, const hsize_t *extents) {
    enum { MOST = 1 << 17 };
    hsize_t chunk[H5S_MAX_RANK], values = 1;
    for (int a = 0; a < rank; a++) {
        chunk[a] = extents[a];
        values *= extents[a];
    }
    for (int a = 0; values > MOST; a = (a + 1) % rank) {
        values = values / chunk[a] * ((chunk[a] + 1) / 2);
        chunk[a] = (chunk[a] + 1) / 2;
    }
    imp_new_check(d, H5Pset_alloc_time(creation, H5D_ALLOC_TIME_INCR) >= 0 &&
                         H5Pset_chunk(creation, rank, chunk) >= 0 &&
                         H5Pset_shuffle(creation) >= 0 && H5Pset_deflate(creation, 1) >= 0);
}

hid_t imp_new_dataset(imp_new_file *d, const char *name, hid_t type, int rank,
                      const hsize_t *extents, imp_role role, const char *unit,
                      const char *meaning) {
    hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    imp_new_check(d, H5Pset_layout(creation, H5D_CONTIGUOUS) >= 0 &&
                         H5Pset_alloc_time(creation, H5D_ALLOC_TIME_EARLY) >= 0 &&
                         H5Pset_fill_time(creation, H5D_FILL_TIME_NEVER) >= 0 &&
                         H5Pset_attr_creation_order(creation, H5P_CRT_ORDER_TRACKED |
                                                                  H5P_CRT_ORDER_INDEXED) >= 0);
    if (d->chunked && rank > 0) {
        set_chunks(d, creation, rank, extents);
    }
    hid_t space = rank > 0 ? H5Screate_simple(rank, extents, NULL) : H5Screate(H5S_SCALAR);
    hid_t dataset = H5Dcreate2(d->place, name, type, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    H5Sclose(space);
    H5Pclose(creation);
    imp_new_check(d, dataset >= 0);
    if (dataset >= 0) {
        put_long_name(d, dataset, name);
        imp_new_text(d, dataset, "description", meaning);
        imp_new_text(d, dataset, "units", unit);
        imp_new_text(d, dataset, IMP_ATTRIBUTE_ROLE, imp_role_names[role]);
    }
    return dataset;
}

hid_t imp_new_input(imp_new_file *d, const char *name, const imp_choice *choice,
                    const char *meaning, const hsize_t *extent, imp_role role) {
    char unit[IMP_UNIT_TEXT];
    return imp_new_dataset(d, name, choice ? H5T_STD_I8LE : H5T_IEEE_F64LE, extent ? 1 : 0, extent,
                           role, choice ? "1" : imp_sweep_parameter_unit(d->sweep, name, unit),
                           meaning);
}

void imp_new_values(imp_new_file *d, hid_t dataset, hid_t memory_type, const void *values) {
    imp_new_check(d,
                  H5Dwrite(dataset, memory_type, H5S_ALL, H5S_ALL, imp_h5_transfer(), values) >= 0);
}

void imp_new_flags(imp_new_file *d, hid_t dataset, const int8_t *codes, const char *const *names,
                   int n) {
    imp_text joined = {0};
    int8_t consecutive[64] = {0};
    for (int i = 0; i < n; i++) {
        imp_text_print(&joined, "%s%s", i ? " " : "", names[i]);
        consecutive[i] = (int8_t)i;
    }
    imp_new_list(d, dataset, "flag_values", H5T_STD_I8LE, (hsize_t)n, H5T_NATIVE_INT8,
                 codes ? codes : consecutive);
    imp_new_words(d, dataset, "flag_meanings", &joined);
}

void imp_new_choice_flags(imp_new_file *d, hid_t dataset, const imp_choice *choice) {
    const char *names[64];
    int n = choice->n_options < 64 ? choice->n_options : 64;
    for (int i = 0; i < n; i++) {
        names[i] = choice->options[i]->name;
    }
    imp_new_flags(d, dataset, NULL, names, n);
}

void imp_new_mode_flags(imp_new_file *d, hid_t dataset, const imp_mode *modes, int n_modes) {
    int8_t codes[64] = {0};
    const char *names[64] = {"none"};
    int n = 1;
    for (int i = 0; i < n_modes && n < 64; i++, n++) {
        codes[n] = (int8_t)modes[i].code;
        names[n] = modes[i].name;
    }
    imp_new_flags(d, dataset, codes, names, n);
}

void imp_new_fixed(imp_new_file *d, imp_text *coordinates) {
    const imp_sweep *sweep = d->sweep;
    for (int f = 0; f < sweep->n_fixed; f++) {
        const imp_parameter *parameter = sweep->fixed[f].parameter;
        hid_t dataset =
            imp_new_input(d, parameter->name, NULL, parameter->meaning, NULL, IMP_IS_FIXED);
        imp_new_values(d, dataset, H5T_NATIVE_DOUBLE, &sweep->fixed[f].value);
        if (sweep->fixed[f].formula[0]) {
            imp_new_text(d, dataset, IMP_ATTRIBUTE_FORMULA, sweep->fixed[f].formula);
        }
        imp_new_close(d, dataset);
        imp_text_print(coordinates, " %s", parameter->name);
    }
    for (int c = 0; c < sweep->theory->n_choices; c++) {
        const imp_choice *choice = &sweep->theory->choices[c];
        if (sweep->chosen[c] < 0) {
            continue;
        }
        hid_t dataset = imp_new_input(d, choice->name, choice, choice->meaning, NULL, IMP_IS_FIXED);
        imp_new_values(d, dataset, H5T_NATIVE_INT, &sweep->chosen[c]);
        imp_new_choice_flags(d, dataset, choice);
        imp_new_close(d, dataset);
        imp_text_print(coordinates, " %s", choice->name);
    }
}

/* ---- the origin of the file ---- */

const char *imp_source_revision(void) {
    return IMP_SOURCE_REVISION;
}

void imp_store_libraries(imp_text *text) {
    unsigned major = 0, minor = 0, release = 0;
    H5get_libversion(&major, &minor, &release);
#ifdef H5_HAVE_PARALLEL
    const char *kind = "parallel";
#else
    const char *kind = "serial";
#endif
    imp_text_print(text, "HDF5 %u.%u.%u %s", major, minor, release, kind);
}

/* "model name" of the first processor. Read without a stream: a stream could run out of memory, and
 * the same map would then have another origin. */
static void processor(size_t size, char *name) {
    char text[4096];
    int descriptor = open("/proc/cpuinfo", O_RDONLY | O_CLOEXEC);
    ssize_t length = descriptor >= 0 ? read(descriptor, text, sizeof text - 1) : 0;
    if (descriptor >= 0) {
        close(descriptor);
    }
    text[length > 0 ? length : 0] = 0;
    const char *line = strstr(text, "model name"), *colon = line ? strchr(line, ':') : NULL;
    snprintf(name, size, "%.*s", colon ? (int)strcspn(colon + 2, "\n") : 7,
             colon ? colon + 2 : "unknown");
}

/* Writes program, libraries, machine, and what the caller knows. */
static imp_err put_provenance(hid_t file, const imp_provenance *p) {
    char host[256] = "unknown", cpu[256], created[32];
    time_t now = time(NULL);
    struct tm utc;
    gethostname(host, sizeof host - 1);
    processor(sizeof cpu, cpu);
    strftime(created, sizeof created, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
    const char *const texts[][2] = {
        {"program", "impactsweep"},
        {"program_version", IMP_VERSION},
        {"source_revision", imp_source_revision()},
        {"libraries", p->libraries},
        {"compiler", "C compiler " __VERSION__},
        {"created", created},
        {"host", host},
        {"processor", cpu},
        {"config_path", p->config_path},
        {"overrides", p->overrides},
        {"command", p->command},
    };
    imp_err error = IMP_OK;
    for (size_t i = 0; !error && i < sizeof texts / sizeof *texts; i++) {
        error = imp_h5_put_text(file, texts[i][0], texts[i][1]);
    }
    error = error ? error : imp_h5_put_long_text(file, "config", p->config);
    return error ? error : imp_h5_put_long_text(file, "tables", p->tables);
}

/* A line for each case: its name, and its words after `impactsweep cell`. */
static void put_cases(imp_new_file *d) {
    const imp_cases *cases = d->sweep->cases;
    imp_text text = {0};
    for (int c = 0; cases && c < imp_cases_count(cases); c++) {
        imp_text_print(&text, "%s: ", imp_cases_at(cases, c)->name);
        imp_cases_print(cases, c, &text);
        imp_text_print(&text, "\n");
    }
    imp_new_words(d, d->file, IMP_ATTRIBUTE_CASES, &text);
}

void imp_new_origin(imp_new_file *d, const imp_provenance *provenance) {
    imp_text title = {0};
    const imp_theory *theory = d->sweep->theory;
    imp_sweep_title(d->sweep, &title);
    imp_new_words(d, d->file, "title", &title);
    imp_new_text(d, d->file, "Conventions", "CF-1.8");
    imp_new_text(d, d->file, "theory", theory->name);
    imp_new_text(d, d->file, "summary", theory->title);
    put_cases(d);
    imp_new_integer(d, IMP_ATTRIBUTE_RESULTS, theory->results_version);
    imp_new_text(d, d->file, "references", theory->source);
    imp_new_text(d, d->file, "residual_identity", theory->residual);
    imp_new_check(d, put_provenance(d->file, provenance) == IMP_OK);
}
