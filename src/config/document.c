#include "config/document.h"

#include <math.h>
#include <string.h>

#include "base/number.h"
#include "config/encoding.h"

static imp_place place_of_mark(const char *path, yaml_mark_t mark) {
    return imp_file_place(path, mark.line + 1, mark.column + 1);
}

/* libyaml may fail without a reason: where it could not copy a text. */
static void report_syntax(const imp_document *document, const yaml_parser_t *parser,
                          const char *bytes) {
    if (parser->error == YAML_MEMORY_ERROR || parser->error == YAML_NO_ERROR) {
        imp_report_memory(document->report);
        return;
    }
    imp_place place = place_of_mark(document->path, parser->problem_mark);
    if (parser->error == YAML_READER_ERROR) {
        place = imp_place_of_byte(document->path, bytes, parser->problem_offset);
    }
    imp_report_error(document->report, place, "not valid YAML: %s%s%s",
                     parser->context ? parser->context : "", parser->context ? ", " : "",
                     parser->problem ? parser->problem : "unknown problem");
}

/* What the scan has seen so far. */
typedef struct scan {
    int depth, documents, events;
} scan;

static void refuse_properties(const imp_document *document, const yaml_event_t *event,
                              const yaml_char_t *anchor, const yaml_char_t *tag) {
    imp_place place = place_of_mark(document->path, event->start_mark);
    if (anchor) {
        imp_report_error(document->report, place, "anchors are not supported, write the value out");
    }
    if (tag) {
        imp_report_error(document->report, place, "tags are not supported, leave the tag out");
    }
}

static void scan_scalar(const imp_document *document, const yaml_event_t *event) {
    refuse_properties(document, event, event->data.scalar.anchor, event->data.scalar.tag);
    if (memchr(event->data.scalar.value, 0, event->data.scalar.length)) {
        imp_report_error(document->report, place_of_mark(document->path, event->start_mark),
                         "a text must not contain the character 0");
    }
}

static bool is_bounded(const imp_document *document, imp_place place, const scan *seen) {
    if (seen->depth > IMP_MAX_DEPTH) {
        imp_report_error(document->report, place,
                         "nested too deeply, at most %d levels are allowed", IMP_MAX_DEPTH);
        return false;
    }
    if (seen->events > IMP_MAX_EVENTS) {
        imp_report_error(document->report, place,
                         "more than %d keys and values; put long lists in a table", IMP_MAX_EVENTS);
        return false;
    }
    return true;
}

/* Returns false if the rest need not be read. */
static bool scan_event(const imp_document *document, const yaml_event_t *event, scan *seen) {
    imp_place place = place_of_mark(document->path, event->start_mark);
    switch (event->type) {
    case YAML_DOCUMENT_START_EVENT:
        if (++seen->documents > 1) {
            imp_report_error(document->report, place, "a second YAML document, one is allowed");
            return false;
        }
        break;
    case YAML_ALIAS_EVENT:
        imp_report_error(document->report, place, "aliases are not supported, write the value out");
        break;
    case YAML_SCALAR_EVENT:
        scan_scalar(document, event);
        break;
    case YAML_SEQUENCE_START_EVENT:
        refuse_properties(document, event, event->data.sequence_start.anchor,
                          event->data.sequence_start.tag);
        seen->depth++;
        break;
    case YAML_MAPPING_START_EVENT:
        refuse_properties(document, event, event->data.mapping_start.anchor,
                          event->data.mapping_start.tag);
        seen->depth++;
        break;
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        seen->depth--;
        break;
    default:
        break;
    }
    seen->events++;
    return event->type != YAML_STREAM_END_EVENT && is_bounded(document, place, seen);
}

/* False, and reports an error, if memory is out. */
static bool start_parser(const imp_document *document, yaml_parser_t *parser, const char *bytes,
                         size_t length) {
    if (!yaml_parser_initialize(parser)) {
        imp_report_memory(document->report);
        return false;
    }
    yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(parser, (const unsigned char *)bytes, length);
    return true;
}

/* Whether libyaml begins a line here: at the start, after a line end (also of Unicode) or after the
 * byte order mark. */
static bool begins_line(const char *bytes, size_t at) {
    static const char *const before[] = {"\n",           "\r",           "\xC2\x85",
                                         "\xE2\x80\xA8", "\xE2\x80\xA9", "\xEF\xBB\xBF"};
    for (size_t i = 0; i < sizeof before / sizeof *before; i++) {
        size_t n = strlen(before[i]);
        if (at >= n && memcmp(bytes + at - n, before[i], n) == 0) {
            return true;
        }
    }
    return at == 0;
}

/* A config needs no directives (%TAG). libyaml compares each directive with all before it, so a few
 * megabytes of them would take hours. */
static bool refuse_directives(const imp_document *document, const char *bytes, size_t length) {
    const char *at = bytes, *end = bytes + length;
    for (; (at = memchr(at, '%', (size_t)(end - at))) != NULL; at++) {
        if (begins_line(bytes, (size_t)(at - bytes))) {
            imp_report_error(document->report,
                             imp_place_of_byte(document->path, bytes, (size_t)(at - bytes)),
                             "directives are not supported, leave the line out");
            return false;
        }
    }
    return true;
}

/* Reads the events before any tree is built: a refused config costs no memory, and the tree would
 * no longer show anchors and tags. */
static bool scan_events(const imp_document *document, const char *bytes, size_t length) {
    size_t before = document->report->total;
    yaml_parser_t parser;
    if (!start_parser(document, &parser, bytes, length)) {
        return false;
    }
    scan seen = {.depth = 0, .documents = 0, .events = 0};
    for (bool more = true; more;) {
        yaml_event_t event;
        if (!yaml_parser_parse(&parser, &event)) {
            report_syntax(document, &parser, bytes);
            break;
        }
        more = scan_event(document, &event, &seen);
        yaml_event_delete(&event);
    }
    yaml_parser_delete(&parser);
    return document->report->total == before;
}

static bool load(imp_document *document, const char *bytes, size_t length) {
    yaml_parser_t parser;
    if (!start_parser(document, &parser, bytes, length)) {
        return false;
    }
    bool loaded = yaml_parser_load(&parser, &document->yaml);
    if (!loaded) {
        report_syntax(document, &parser, bytes);
    }
    yaml_parser_delete(&parser);
    return loaded;
}

bool imp_document_open(imp_document *document, const char *path, const char *bytes, size_t length,
                       imp_report *report) {
    *document = (imp_document){.path = path, .report = report};
    if (!imp_check_text(path, bytes, length, report)) {
        return false;
    }
    size_t mark = imp_mark_length(bytes, length);
    bytes += mark;
    length -= mark;
    return refuse_directives(document, bytes, length) && scan_events(document, bytes, length) &&
           load(document, bytes, length);
}

void imp_document_close(imp_document *document) {
    yaml_document_delete(&document->yaml);
}

yaml_node_t *imp_document_node(imp_document *document, int index) {
    return yaml_document_get_node(&document->yaml, index);
}

imp_place imp_document_place(const imp_document *document, const yaml_node_t *node) {
    return place_of_mark(document->path, node->start_mark);
}

static const char *text_of(const yaml_node_t *node) {
    return (const char *)node->data.scalar.value;
}

static bool is_plain(const yaml_node_t *node) {
    return node->type == YAML_SCALAR_NODE && node->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
}

/* The word null is a value, because a theory has this name. */
static bool is_missing(const yaml_node_t *node) {
    return is_plain(node) && (text_of(node)[0] == 0 || strcmp(text_of(node), "~") == 0);
}

static const char *type_name(yaml_node_type_t type) {
    return type == YAML_SEQUENCE_NODE  ? "a list"
           : type == YAML_MAPPING_NODE ? "a mapping"
                                       : "a single value";
}

bool imp_document_is(imp_document *document, const yaml_node_t *node, yaml_node_type_t type,
                     const char *what) {
    if (node->type == type) {
        return true;
    }
    imp_document_error(document, node, "%s must be %s, not %s", what, type_name(type),
                       is_missing(node) ? "a missing value" : type_name(node->type));
    return false;
}

const char *imp_document_text(imp_document *document, const yaml_node_t *node, const char *name) {
    imp_place place = imp_document_place(document, node);
    if (node->type != YAML_SCALAR_NODE) {
        imp_report_error(document->report, place, "'%s' must be a single value, not %s",
                         imp_show(name).text, type_name(node->type));
        return NULL;
    }
    if (is_missing(node)) {
        imp_report_error(document->report, place, "the value of '%s' is missing",
                         imp_show(name).text);
        return NULL;
    }
    return text_of(node);
}

const char *imp_document_number(imp_document *document, const yaml_node_t *node, const char *name) {
    const char *text = imp_document_text(document, node, name);
    if (text && !is_plain(node)) {
        imp_document_error(document, node, "'%s' must be a number without quotes",
                           imp_show(name).text);
        return NULL;
    }
    return text;
}

double imp_document_quantity(imp_document *document, const yaml_node_t *node, const char *name,
                             const char *unit) {
    imp_quantity quantity;
    const char *text = imp_document_number(document, node, name);
    const char *wrong = text ? imp_read_quantity(text, unit, &quantity) : NULL;
    if (wrong) {
        imp_document_error(document, node, "%s: '%s' %s", name, imp_show(text).text, wrong);
    }
    return text && !wrong ? imp_quantity_si(quantity) : NAN;
}

int imp_document_length(const yaml_node_t *list) {
    return (int)(list->data.sequence.items.top - list->data.sequence.items.start);
}

int imp_document_some(imp_document *document, const yaml_node_t *node, const char *what,
                      const char *advice) {
    if (!node || !imp_document_is(document, node, YAML_SEQUENCE_NODE, what)) {
        return 0;
    }
    if (imp_document_length(node) == 0) {
        imp_document_error(document, node, "%s is empty, %s", what, advice);
    }
    return imp_document_length(node);
}

yaml_node_t *imp_document_item(imp_document *document, const yaml_node_t *list, int index) {
    return imp_document_node(document, list->data.sequence.items.start[index]);
}

const char *imp_document_key(imp_document *document, const yaml_node_pair_t *pair) {
    const yaml_node_t *key = imp_document_node(document, pair->key);
    if (key->type == YAML_SCALAR_NODE && text_of(key)[0] != 0) {
        return text_of(key);
    }
    imp_document_error(document, key, "a key must be a word, not %s",
                       key->type == YAML_SCALAR_NODE ? "empty" : type_name(key->type));
    return NULL;
}

void imp_fields_named(imp_field *fields, const char *const *names, int n) {
    for (int f = 0; f < n; f++) {
        fields[f] = (imp_field){.name = names[f]};
    }
}

static imp_field *find_field(imp_field *fields, int n, const char *name) {
    for (int i = 0; i < n; i++) {
        if (strcmp(fields[i].name, name) == 0) {
            return &fields[i];
        }
    }
    return NULL;
}

static void report_unknown_key(imp_document *document, imp_place place, const char *key,
                               const char *where, imp_field *fields, int n) {
    enum { MOST = 32 };
    const char *names[MOST];
    char in[64];
    for (int i = 0; i < n && i < MOST; i++) {
        names[i] = fields[i].name;
    }
    if (imp_report_if_number(document->report, place, key)) {
        return;
    }
    snprintf(in, sizeof in, " in %s", where);
    const char *meant =
        imp_report_unknown(document->report, place, "key", key, in, names, (size_t)n);
    if (meant) {
        find_field(fields, n, meant)->given = true; /* so that no message calls it missing too */
    }
}

void imp_document_fields(imp_document *document, const yaml_node_t *mapping, const char *where,
                         imp_field *fields, int n) {
    IMP_EACH_PAIR(pair, mapping) {
        const char *name = imp_document_key(document, pair);
        if (!name) {
            continue;
        }
        yaml_node_t *key = imp_document_node(document, pair->key);
        imp_place place = imp_document_place(document, key);
        imp_field *field = find_field(fields, n, name);
        if (!field) {
            report_unknown_key(document, place, name, where, fields, n);
        } else if (field->key) {
            imp_report_error(document->report, place, "duplicate key '%s', first given on line %zu",
                             name, field->key->start_mark.line + 1);
        } else {
            *field = (imp_field){.name = field->name,
                                 .given = true,
                                 .key = key,
                                 .value = imp_document_node(document, pair->value)};
        }
    }
}

bool imp_fields_read(imp_document *document, const yaml_node_t *node, const char *where,
                     const char *const *names, imp_field *fields, int n) {
    imp_fields_named(fields, names, n);
    bool mapping = imp_document_is(document, node, YAML_MAPPING_NODE, where);
    if (mapping) {
        imp_document_fields(document, node, where, fields, n);
    }
    return mapping;
}

bool imp_fields_needed(imp_document *document, const yaml_node_t *mapping, const char *where,
                       const imp_field *fields, int n) {
    bool all = true;
    for (int f = 0; f < n; f++) {
        if (!fields[f].given) {
            imp_document_error(document, mapping, "missing key '%s' %s", fields[f].name, where);
            all = false;
        }
    }
    return all;
}

void imp_fields_check(imp_document *document, const yaml_node_t *mapping, const imp_field *fields,
                      int n, unsigned allowed, unsigned needed, const char *with,
                      const char *where) {
    for (int f = 0; f < n; f++) {
        if (fields[f].key && !((allowed | needed) & 1u << f)) {
            imp_document_error(document, fields[f].key, "'%s' does not go with %s", fields[f].name,
                               with);
        } else if (needed & 1u << f) {
            imp_fields_needed(document, mapping, where, &fields[f], 1);
        }
    }
}

const char *imp_field_text(imp_document *document, const imp_field *field) {
    return field->value ? imp_document_text(document, field->value, field->name) : NULL;
}

double imp_field_number(imp_document *document, const imp_field *field, const char *unit) {
    return field->value ? imp_document_quantity(document, field->value, field->name, unit) : NAN;
}

int64_t imp_field_count(imp_document *document, const imp_field *field, int64_t low, int64_t high,
                        int64_t fallback) {
    int64_t count = fallback;
    const yaml_node_t *node = field->value;
    const char *text = node ? imp_document_number(document, node, field->name) : NULL;
    const char *wrong = text ? imp_read_count(text, &count) : NULL;
    if (wrong) {
        imp_document_error(document, node, "%s: '%s' %s", field->name, imp_show(text).text, wrong);
    } else if (count < low || count > high) {
        imp_document_error(document, node, "%s is %lld, allowed are %lld to %lld", field->name,
                           (long long)count, (long long)low, (long long)high);
    }
    return wrong || count < low || count > high ? fallback : count;
}

int imp_field_choice(imp_document *document, const imp_field *field, const char *what,
                     const char *const *words, int n) {
    const char *text = imp_field_text(document, field);
    int word = text ? imp_word_number(text, words, n) : -1;
    if (text && word < 0) {
        imp_report_unknown(document->report, imp_document_place(document, field->value), what, text,
                           "", words, (size_t)n);
    }
    return word;
}
