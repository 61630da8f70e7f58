#include "base/tree.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"

typedef struct reader {
    const char *at, *end;
    imp_json_tree *tree;
    size_t n;   /* nodes so far */
    char *text; /* where the next text goes */
    const char *wrong;
    int depth;
} reader;

static bool fail(reader *r, const char *wrong) {
    r->wrong = r->wrong ? r->wrong : wrong;
    return false;
}

static void skip_blanks(reader *r) {
    while (r->at < r->end && strchr(" \t\r\n", *r->at) && *r->at) {
        r->at++;
    }
}

static bool take(reader *r, char wanted) {
    bool there = r->at < r->end && *r->at == wanted;
    r->at += there;
    return there;
}

/* ---- texts ---- */

static bool read_hex(reader *r, uint32_t *code) {
    *code = 0;
    for (int i = 0; i < 4; i++) {
        static const char digits[] = "0123456789abcdefABCDEF";
        const char *digit = r->at < r->end && *r->at ? strchr(digits, *r->at) : NULL;
        if (!digit) {
            return fail(r, "\\u is not followed by four hexadecimal digits");
        }
        uint32_t value = (uint32_t)(digit - digits);
        *code = *code << 4 | (value > 15 ? value - 6 : value);
        r->at++;
    }
    return true;
}

static void put_code(reader *r, uint32_t code) {
    static const unsigned char heads[] = {0, 0, 0xc0, 0xe0, 0xf0};
    int length = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    for (int i = length - 1; i > 0; i--) {
        r->text[i] = (char)(0x80 | (code & 0x3f));
        code >>= 6;
    }
    r->text[0] = (char)(length > 1 ? heads[length] | code : code);
    r->text += length;
}

static bool read_unicode(reader *r) {
    uint32_t code, low;
    if (!read_hex(r, &code)) {
        return false;
    }
    bool high = code >= 0xd800 && code < 0xdc00;
    if (high) {
        bool paired = take(r, '\\') && take(r, 'u') && read_hex(r, &low);
        if (!paired || low < 0xdc00 || low > 0xdfff) {
            return fail(r, "half a surrogate pair");
        }
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
    }
    if (code == 0 || (!high && code >= 0xdc00 && code <= 0xdfff)) {
        return fail(r, "a character that no text may have");
    }
    put_code(r, code);
    return true;
}

static bool read_escape(reader *r) {
    static const char names[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
    const char *name = r->at < r->end && *r->at ? strchr(names, *r->at) : NULL;
    if (name) {
        *r->text++ = values[name - names];
        r->at++;
        return true;
    }
    return take(r, 'u') ? read_unicode(r) : fail(r, "an unknown escape");
}

/* The text behind a quotation mark. */
static const char *read_text(reader *r) {
    char *start = r->text;
    while (!r->wrong) {
        size_t length = imp_utf8_length(r->at, (size_t)(r->end - r->at));
        if (take(r, '"')) {
            *r->text++ = 0;
            return start;
        }
        if (take(r, '\\')) {
            read_escape(r);
        } else if (r->at == r->end) {
            fail(r, "a text without an end");
        } else if (length == 0 || (unsigned char)*r->at < 0x20) {
            fail(r, "a byte that is not UTF-8, or a control character");
        } else {
            memcpy(r->text, r->at, length);
            r->text += length;
            r->at += length;
        }
    }
    return NULL;
}

/* ---- numbers and words ---- */

static size_t digits(const char *at) {
    return strspn(at, "0123456789");
}

/* The length of a number as JSON has it; 0: it is none. */
static size_t number_length(const char *text) {
    const char *at = text + (*text == '-');
    size_t whole = digits(at), part;
    if (whole == 0 || (whole > 1 && *at == '0')) {
        return 0;
    }
    at += whole;
    if (*at == '.') {
        part = digits(at + 1);
        if (part == 0) {
            return 0;
        }
        at += 1 + part;
    }
    if (*at == 'e' || *at == 'E') {
        at += 1 + (at[1] == '+' || at[1] == '-');
        part = digits(at);
        if (part == 0) {
            return 0;
        }
        at += part;
    }
    return (size_t)(at - text);
}

static bool read_number(reader *r, imp_node *node) {
    char copy[400];
    size_t left = (size_t)(r->end - r->at), most = left < sizeof copy - 1 ? left : sizeof copy - 1;
    memcpy(copy, r->at, most);
    copy[most] = 0;
    size_t length = number_length(copy);
    if (length == 0 || length == sizeof copy - 1) {
        return fail(r, "not a value of JSON");
    }
    copy[length] = 0;
    node->kind = IMP_NODE_NUMBER;
    node->number = strtod(copy, NULL);
    r->at += length;
    return isfinite(node->number) ? true : fail(r, "a number that is too large");
}

static bool read_word(reader *r, imp_node *node) {
    static const char *const words[] = {"null", "false", "true"};
    for (int w = 0; w < 3; w++) {
        size_t length = strlen(words[w]);
        if ((size_t)(r->end - r->at) >= length && memcmp(r->at, words[w], length) == 0) {
            node->kind = w == 0 ? IMP_NODE_NULL : IMP_NODE_TRUTH;
            node->truth = w == 2;
            r->at += length;
            return true;
        }
    }
    return false;
}

/* ---- lists and objects ---- */

static imp_node *read_value(reader *r);

static const char *read_name(reader *r, const imp_node *object) {
    skip_blanks(r);
    const char *name = take(r, '"') ? read_text(r) : NULL;
    if (!name) {
        fail(r, "a member without a name");
        return NULL;
    }
    if (imp_node_member(object, name)) {
        fail(r, "a member that is there already");
    }
    skip_blanks(r);
    if (!take(r, ':')) {
        fail(r, "a member without ':'");
    }
    return name;
}

static void read_several(reader *r, imp_node *node, char end) {
    const imp_node **link = &node->first;
    skip_blanks(r);
    if (take(r, end)) {
        return;
    }
    if (++r->depth > IMP_TREE_DEPTH) {
        fail(r, "too many levels");
    }
    do {
        const char *name = node->kind == IMP_NODE_OBJECT ? read_name(r, node) : NULL;
        imp_node *one = r->wrong ? NULL : read_value(r);
        if (!one) {
            return;
        }
        one->name = name;
        *link = one;
        link = &one->next;
        skip_blanks(r);
    } while (take(r, ','));
    r->depth--;
    if (!take(r, end)) {
        fail(r, "neither ',' nor the end of a list or an object");
    }
}

static imp_node *read_value(reader *r) {
    skip_blanks(r);
    imp_node *node = &r->tree->nodes[r->n++];
    *node = (imp_node){.kind = IMP_NODE_NULL};
    if (take(r, '"')) {
        node->kind = IMP_NODE_TEXT;
        node->text = read_text(r);
    } else if (take(r, '[')) {
        node->kind = IMP_NODE_LIST;
        read_several(r, node, ']');
    } else if (take(r, '{')) {
        node->kind = IMP_NODE_OBJECT;
        read_several(r, node, '}');
    } else if (!read_word(r, node)) {
        read_number(r, node);
    }
    return r->wrong ? NULL : node;
}

const char *imp_tree_read(const char *bytes, size_t length, imp_json_tree *tree, size_t *at) {
    /* A value stands at the beginning or behind one of these. */
    size_t most = 1;
    for (size_t i = 0; i < length; i++) {
        most += bytes[i] == ',' || bytes[i] == '[' || bytes[i] == '{';
    }
    *tree =
        (imp_json_tree){.nodes = calloc(most, sizeof *tree->nodes), .texts = malloc(length + 1)};
    reader r = {.at = bytes, .end = bytes + length, .tree = tree, .text = tree->texts};
    if (!tree->nodes || !tree->texts) {
        fail(&r, "out of memory");
    } else if (read_value(&r)) {
        skip_blanks(&r);
        if (r.at < r.end) {
            fail(&r, "something behind the value");
        }
    }
    *at = (size_t)(r.at - bytes);
    if (r.wrong) {
        imp_tree_free(tree);
    }
    return r.wrong;
}

void imp_tree_free(imp_json_tree *tree) {
    free(tree->nodes);
    free(tree->texts);
    *tree = (imp_json_tree){.nodes = NULL};
}

const imp_node *imp_node_member(const imp_node *object, const char *name) {
    const imp_node *one = object && object->kind == IMP_NODE_OBJECT ? object->first : NULL;
    while (one && strcmp(one->name, name) != 0) {
        one = one->next;
    }
    return one;
}
