#include "config/keys.h"

#include <string.h>

#include "config/draft.h"

/* A command as a list of words. */
static void read_list(imp_document *document, const yaml_node_t *list, imp_called *called) {
    int n = imp_document_length(list);
    for (int i = 0; i < n; i++) {
        const yaml_node_t *node = imp_document_item(document, list, i);
        const char *word = imp_document_text(document, node, "command");
        called->wrong = called->wrong || !word;
        if (word) {
            imp_called_word(called, imp_document_place(document, node), word);
        }
    }
    if (called->n_words == 0 && !called->wrong) {
        imp_document_error(document, list, "command: the list is empty, it names no program");
        called->given[IMP_GUEST_COMMAND] = called->wrong = true;
    }
}

static void read_key(imp_document *document, int key, const imp_field *field, imp_called *called) {
    const char *name = imp_guest_keys[key];
    called->given[key] = field->given;
    called->wrong = called->wrong || !field->value;
    if (!field->value) {
        return;
    }
    called->at[key] = imp_document_place(document, field->value);
    if (key == IMP_GUEST_COMMAND && field->value->type == YAML_SEQUENCE_NODE) {
        read_list(document, field->value, called);
        return;
    }
    const char *text = imp_document_text(document, field->value, name);
    called->given[key] = false;
    called->wrong = called->wrong || !text;
    if (text) {
        imp_called_read(called, key, called->at[key], text);
    }
    called->given[key] = true;
}

static void refuse_keys(imp_document *document, const imp_field *keys) {
    for (int k = 0; k < IMP_GUEST_KEYS; k++) {
        if (keys[k].given && keys[k].key) {
            imp_document_error(document, keys[k].key, "'%s' goes only with 'model: guest'",
                               imp_guest_keys[k]);
        }
    }
}

/* The folder of the config. */
static void print_folder(const char *path, imp_text *folder) {
    const char *slash = strrchr(path, '/');
    if (slash) {
        imp_text_append(folder, path, slash == path ? 1 : (size_t)(slash - path));
    } else {
        imp_text_print(folder, ".");
    }
}

const imp_theory *imp_guest_or_theory(imp_document *document, const imp_loader *loader,
                                      const yaml_node_t *model, const char *name,
                                      const imp_field *keys, imp_owned **owned) {
    imp_place place = imp_document_place(document, model);
    if (!imp_is_guest(name)) {
        refuse_keys(document, keys);
        return imp_draft_theory(document->report, place, name);
    }
    if (loader->no_guests) {
        imp_report_error(document->report, place, "the guest is not started here");
        return NULL;
    }
    imp_text folder = {0};
    print_folder(document->path, &folder);
    imp_called called = {
        .report = document->report, .place = place, .folder = imp_text_get(&folder)};
    const char *command = imp_guest_command(name);
    if (command) { /* a name serves everywhere; a config of one's own names its own files */
        called.folder = ".";
        imp_called_read(&called, IMP_GUEST_COMMAND, place, command);
    }
    for (int k = 0; k < IMP_GUEST_KEYS; k++) {
        if (keys[k].given) {
            read_key(document, k, &keys[k], &called);
        }
    }
    const imp_theory *theory = imp_called_start(&called, owned);
    imp_text_free(&folder);
    return theory;
}
