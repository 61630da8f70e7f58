/* impactsweep --version */
#include "cmd/build.h"
#include "cmd/cmd.h"
#include "store/provenance.h"

void imp_print_version(void) {
    imp_text libraries = {0};
    imp_libraries_text(&libraries);
    printf("impactsweep %s (%s)\ncompiler   %s\nflags      %s\nlibraries  %s\n", IMP_VERSION,
           imp_source_revision(), IMP_COMPILER, IMP_FLAGS, imp_text_get(&libraries));
    imp_text_free(&libraries);
}
