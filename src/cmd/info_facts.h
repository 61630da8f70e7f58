/* What `info` says of a map or of a history. */
#ifndef IMP_CMD_INFO_FACTS_H
#define IMP_CMD_INFO_FACTS_H

#include "base/json.h"
#include "cmd/contents.h"

/* Who reads the facts, and how. */
typedef struct imp_info_reader {
    imp_json *json; /* takes the facts; NULL: they are printed as text, and fewer of them */
    bool stranger;  /* is told nothing of the machine: host, paths, processor, sessions */
} imp_info_reader;

/* Says all facts about the file; in JSON as a member of this name. An error may come after some of
 * them. */
imp_err imp_info_facts(const imp_contents *contents, const char *path, const char *name,
                       imp_info_reader reader);

#endif
