#include "store/provenance.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "store/revision.h"

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

imp_err imp_provenance_put(hid_t file, const imp_provenance *p) {
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
