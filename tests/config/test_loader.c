/* The loader of files. */
#include <CUnit/CUnit.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "config/config.h"
#include "support/suite.h"

static void files(void) {
    char path[] = "/tmp/test_config_XXXXXX", *bytes = NULL;
    size_t length = 0, size = 200000; /* longer than one read */
    int made = mkstemp(path);
    CU_ASSERT_FATAL(made >= 0);
    char *text = malloc(size);
    CU_ASSERT_PTR_NOT_NULL_FATAL(text);
    for (size_t i = 0; i < size; i++) {
        text[i] = (char)(i % 251);
    }
    CU_ASSERT_EQUAL(write(made, text, size), (ssize_t)size);
    close(made);
    CU_ASSERT_PTR_NULL(imp_file_loader.load(NULL, path, &bytes, &length));
    CU_ASSERT_EQUAL_FATAL(length, size);
    CU_ASSERT_EQUAL(memcmp(bytes, text, size), 0);
    CU_ASSERT_EQUAL(bytes[size], 0);
    free(bytes);
    free(text);
    unlink(path);
    const char *reason = imp_file_loader.load(NULL, path, &bytes, &length);
    CU_ASSERT_PTR_NOT_NULL_FATAL(reason);
    CU_ASSERT_STRING_EQUAL(reason, "No such file or directory");
    CU_ASSERT_PTR_NULL(bytes);
    reason = imp_file_loader.load(NULL, "/tmp", &bytes, &length);
    CU_ASSERT_PTR_NOT_NULL_FATAL(reason);
    CU_ASSERT_STRING_EQUAL(reason, "Is a directory");
    CU_ASSERT_PTR_NULL(bytes);
}

static void empty_file(void) {
    char *bytes = NULL;
    size_t length = 1;
    CU_ASSERT_PTR_NULL_FATAL(imp_file_loader.load(NULL, "/dev/null", &bytes, &length));
    CU_ASSERT_EQUAL(length, 0);
    CU_ASSERT_EQUAL(bytes[0], 0);
    free(bytes);
}

SUITE("loader", files, empty_file)
