/* Messages that quote what the program was given: words, names of files, texts of foreign files. */
#ifndef IMP_BASE_MESSAGE_H
#define IMP_BASE_MESSAGE_H

#include <stdarg.h>
#include <stddef.h>

/* Characters of a quoted word, and of any other text in a message, of which more is not shown. */
enum { IMP_LONGEST_WORD = 60, IMP_LONGEST_TEXT = 2000 };

/* Prints like vsnprintf, but what stands for %s can neither steer a terminal nor begin a line of
 * its own: each control character, and each byte that is not UTF-8, becomes '?'. A longer text is
 * cut in the middle, and a word, which the format has between quotation marks ('%s'), at its end. A
 * text that begins a further line of the format, or is all of it ("%s"), is made of messages: it
 * keeps its lines and is not cut. Needs no memory. */
void imp_message(char *to, size_t size, const char *format, va_list values);

/* A word in a message, as above. */
typedef struct imp_shown {
    char text[IMP_LONGEST_WORD + 4];
} imp_shown;

imp_shown imp_show(const char *word);

#endif
