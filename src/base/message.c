#include "base/message.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

/* Where the next character goes; `end` is the place of the last 0. */
typedef struct target {
    char *at, *end;
} target;

static void put(target *to, const char *bytes, size_t n) {
    size_t room = (size_t)(to->end - to->at);
    n = n < room ? n : room;
    memcpy(to->at, bytes, n);
    to->at += n;
}

/* ---- texts ---- */

/* Those of ASCII, and U+0080 to U+009F, which terminals obey too. */
static bool is_control(const unsigned char *text) {
    return *text < ' ' || *text == 0x7F || (*text == 0xC2 && text[1] < 0xA0);
}

/* The end of the text within n bytes that does not part a character. */
static size_t whole_characters(const char *text, size_t n) {
    while (n > 0 && ((unsigned char)text[n] & 0xC0) == 0x80) {
        n--;
    }
    return n;
}

static void put_clean(target *to, const char *text, size_t n, bool lines) {
    for (size_t i = 0; i < n;) {
        const unsigned char *at = (const unsigned char *)text + i;
        size_t length = imp_utf8_length(text + i, n - i);
        bool shown = length > 0 && (!is_control(at) || (lines && *at == '\n'));
        if (shown) {
            put(to, text + i, length);
        } else {
            put(to, "?", 1);
        }
        i += length > 0 ? length : 1;
    }
}

/* A word that was cut already is not cut again. */
static void put_word(target *to, const char *word, size_t n) {
    static const char more[] = "...";
    if (n <= IMP_LONGEST_WORD + strlen(more)) {
        put_clean(to, word, n, false);
        return;
    }
    put_clean(to, word, whole_characters(word, IMP_LONGEST_WORD), false);
    put(to, more, strlen(more));
}

static void put_text(target *to, const char *text, size_t n) {
    if (n <= IMP_LONGEST_TEXT) {
        put_clean(to, text, n, false);
        return;
    }
    size_t first = whole_characters(text, IMP_LONGEST_TEXT / 2);
    size_t rest = whole_characters(text, n - IMP_LONGEST_TEXT / 2);
    put_clean(to, text, first, false);
    put(to, " ... ", 5);
    put_clean(to, text + rest, n - rest, false);
}

imp_shown imp_show(const char *word) {
    imp_shown shown;
    target to = {shown.text, shown.text + sizeof shown.text - 1};
    put_word(&to, word, strlen(word));
    *to.at = 0;
    return shown;
}

/* ---- formats ---- */

/* One conversion, "%-*.3lld": its text with numbers for the stars, and what it takes. */
typedef struct conversion {
    char text[48];
    size_t n;
    int precision; /* -1: none */
    int width;     /* of the text of %s; below 0: to the left */
    char letter, size;
} conversion;

static void append(conversion *c, char letter) {
    if (c->n + 1 < sizeof c->text) {
        c->text[c->n++] = letter;
        c->text[c->n] = 0;
    }
}

static int read_number(conversion *c, const char **at, va_list *values) {
    int number = 0;
    if (**at == '*') {
        number = va_arg(*values, int);
        c->n += (size_t)snprintf(c->text + c->n, sizeof c->text - c->n, "%d", number);
        ++*at;
    }
    for (; **at >= '0' && **at <= '9'; ++*at) {
        number = number < 100000 ? 10 * number + (**at - '0') : number;
        append(c, **at);
    }
    return number;
}

/* Reads the conversion after its '%'; returns the place behind it. */
static const char *read_conversion(const char *at, conversion *c, va_list *values) {
    *c = (conversion){.precision = -1};
    append(c, '%');
    bool left = false;
    for (; *at && strchr("-+ #0", *at); at++) {
        left = left || *at == '-';
        append(c, *at);
    }
    c->width = read_number(c, &at, values);
    c->width = left ? -c->width : c->width;
    if (*at == '.') {
        append(c, *at++);
        c->precision = read_number(c, &at, values);
    }
    for (; *at && strchr("hlzjt", *at); at++) {
        c->size = c->size == 'l' && *at == 'l' ? 'L' : *at;
        append(c, *at);
    }
    c->letter = *at;
    append(c, *at);
    return *at ? at + 1 : at;
}

/* Prints a number of some type by its conversion. */
#define PUT_NUMBER(type) snprintf(digits, sizeof digits, c->text, va_arg(*values, type))

static void put_number(target *to, const conversion *c, va_list *values) {
    char digits[400];
    bool real = c->letter && strchr("aAeEfFgG", c->letter);
    int n = real             ? PUT_NUMBER(double)
            : c->size == 'L' ? PUT_NUMBER(long long)
            : c->size == 'l' ? PUT_NUMBER(long)
            : c->size == 'j' ? PUT_NUMBER(intmax_t)
            : c->size == 'z' ? PUT_NUMBER(size_t)
            : c->size == 't' ? PUT_NUMBER(ptrdiff_t)
                             : PUT_NUMBER(int);
    put(to, digits, n > 0 ? strnlen(digits, sizeof digits) : 0);
}

static void pad(target *to, int width) {
    for (; width > 0; width--) {
        put(to, " ", 1);
    }
}

/* before, behind: the characters of the format on both sides of the conversion; 0: its ends. */
static void put_string(target *to, const conversion *c, const char *text, char before,
                       char behind) {
    text = text ? text : "(null)";
    size_t n = c->precision >= 0 ? strnlen(text, (size_t)c->precision) : strlen(text);
    int blank = (c->width < 0 ? -c->width : c->width) - (int)(n < INT32_MAX ? n : INT32_MAX);
    pad(to, c->width > 0 ? blank : 0);
    bool alone = before == 0 && behind == 0, begins_line = before == '\n';
    if (alone || begins_line) {
        put_clean(to, text, n, true);
    } else if (before == '\'' && behind == '\'') {
        put_word(to, text, n);
    } else {
        put_text(to, text, n);
    }
    pad(to, c->width < 0 ? blank : 0);
}

void imp_message(char *to, size_t size, const char *format, va_list values) {
    target t = {to, to + size - 1};
    va_list rest;
    va_copy(rest, values);
    for (const char *at = format; *at;) {
        size_t plain = strcspn(at, "%");
        put(&t, at, plain);
        at += plain;
        if (*at == 0) {
            break;
        }
        char before = at > format ? at[-1] : 0;
        conversion c;
        at = read_conversion(at + 1, &c, &rest);
        if (c.letter == '%') {
            put(&t, "%", 1);
        } else if (c.letter == 'c') {
            char letter = (char)va_arg(rest, int);
            put_clean(&t, &letter, 1, false);
        } else if (c.letter == 's') {
            put_string(&t, &c, va_arg(rest, const char *), before, *at);
        } else {
            put_number(&t, &c, &rest);
        }
    }
    va_end(rest);
    *t.at = 0;
}
