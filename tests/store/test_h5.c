/* HDF5 through the driver: attributes that are written into memory and read from a file, and files
 * that it must refuse. */
#include "store/h5.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "store/library.h"
#include "support/folder.h"
#include "support/suite.h"

/* Makes a file whose attributes `put` writes. */
static void make(const char *path, void (*put)(hid_t file)) {
    imp_image image = {.n = 0};
    imp_backing backing = {.image = &image, .descriptor = -1};
    hid_t file = imp_h5_create(&backing);
    CHECK(file >= 0, "%s: not created", path);
    put(file);
    H5Fclose(file);
    int descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    CHECK(ftruncate(descriptor, image.size) == 0, "no room");
    CHECK(imp_image_store(&image, descriptor, path) == IMP_OK, "%s", imp_last_error());
    close(descriptor);
    imp_image_free(&image);
}

enum { LONG = 100000 };

static const char *long_text(void) {
    static char text[LONG + 1];
    memset(text, 'x', LONG);
    return text;
}

static const char short_text[] = "gr\xC3\xBC\xC3\x9F, with a\nsecond line";

static void put_attributes(hid_t file) {
    CHECK(imp_h5_put_text(file, "short", short_text) == IMP_OK, "%s", imp_last_error());
    CHECK(imp_h5_put_text(file, "empty", "") == IMP_OK, "%s", imp_last_error());
    CHECK(imp_h5_put_long_text(file, "long", long_text()) == IMP_OK, "%s", imp_last_error());
    CHECK(imp_h5_put_integer(file, "least", INT64_MIN) == IMP_OK, "%s", imp_last_error());
    CHECK(imp_h5_put_integer(file, "most", INT64_MAX) == IMP_OK, "%s", imp_last_error());
}

static void expect_text(const imp_h5 *file, const char *name, const char *expected) {
    imp_text text = {0};
    CHECK(imp_h5_get_text(file->id, name, &text), "%s is missing", name);
    CHECK(strcmp(imp_text_get(&text), expected) == 0, "%s is %.40s", name, imp_text_get(&text));
    imp_text_free(&text);
}

static void attributes_read_back(void) {
    folder own = folder_new();
    file_name name = folder_file(&own, "x.h5");
    imp_h5 *file;
    int64_t number = 0;
    imp_text text = {0};
    make(name.path, put_attributes);
    CHECK(imp_h5_open(name.path, &file) == IMP_OK, "%s", imp_last_error());
    expect_text(file, "short", short_text);
    expect_text(file, "empty", "");
    expect_text(file, "long", long_text());
    CHECK(imp_h5_get_integer(file->id, "least", &number) && number == INT64_MIN, "%lld",
          (long long)number);
    CHECK(imp_h5_get_integer(file->id, "most", &number) && number == INT64_MAX, "%lld",
          (long long)number);
    CHECK(!imp_h5_get_integer(file->id, "short", &number), "a text is read as a number");
    CHECK(!imp_h5_get_text(file->id, "most", &text), "a number is read as a text");
    CHECK(!imp_h5_get_text(file->id, "missing", &text), "what is missing is read");
    imp_h5_close(&file);
    CHECK(!file, "the file is not closed");
    folder_remove(&own);
}

static void expect_refusal(const char *path, imp_err expected, const char *reason) {
    imp_h5 *file;
    imp_err error = imp_h5_open(path, &file);
    CHECK(error == expected && !file, "%s: %d instead of %d", path, (int)error, (int)expected);
    CHECK(strstr(imp_last_error(), path) && strstr(imp_last_error(), reason), "%s",
          imp_last_error());
    imp_h5_close(&file);
}

static void other_files_are_refused(void) {
    folder own = folder_new();
    file_name text = folder_file(&own, "text.h5"), none = folder_file(&own, "none.h5");
    file_name pipe = folder_file(&own, "pipe.h5"), cut = folder_file(&own, "cut.h5");
    int descriptor = open(text.path, O_RDWR | O_CREAT, 0600);
    CHECK(write(descriptor, "no HDF5 at all", 14) == 14, "not written");
    close(descriptor);
    CHECK(mkfifo(pipe.path, 0600) == 0, "no pipe");
    make(cut.path, put_attributes);
    CHECK(truncate(cut.path, 1000) == 0, "not cut");
    expect_refusal(text.path, IMP_ERR_INPUT, "not an HDF5 file");
    expect_refusal(pipe.path, IMP_ERR_INPUT, "not an HDF5 file"); /* and does not wait */
    expect_refusal(none.path, IMP_ERR_IO, "No such file");
    expect_refusal(cut.path, IMP_ERR_IO, "damaged or cut short");
    folder_remove(&own);
}

static const char *linked; /* the file behind the link */

static void put_link(hid_t file) {
    CHECK(H5Lcreate_external(linked, "/", file, "other", H5P_DEFAULT, H5P_DEFAULT) >= 0, "no link");
}

static void links_to_other_files_lead_nowhere(void) {
    folder own = folder_new();
    file_name target = folder_file(&own, "target.h5"), name = folder_file(&own, "link.h5");
    imp_h5 *file;
    make(target.path, put_attributes);
    linked = target.path;
    make(name.path, put_link);
    CHECK(imp_h5_open(name.path, &file) == IMP_OK, "%s", imp_last_error());
    hid_t group = H5Gopen2(file->id, "other", H5P_DEFAULT);
    CHECK(group < 0, "the link was followed");
    imp_h5_close(&file);
    folder_remove(&own);
}

static void a_failed_read_is_the_cause_of_an_error(void) {
    folder own = folder_new();
    file_name name = folder_file(&own, "x.h5");
    imp_h5 *file;
    make(name.path, put_attributes);
    CHECK(imp_h5_open(name.path, &file) == IMP_OK, "%s", imp_last_error());
    errno = 0;
    CHECK(imp_h5_judge(file, name.path, IMP_OK) == IMP_OK, "%s", imp_last_error());
    CHECK(imp_h5_judge(file, name.path, IMP_ERR_INPUT) == IMP_ERR_INPUT, "another error");
    file->backing.failure = EIO;
    CHECK(imp_h5_judge(file, name.path, IMP_OK) == IMP_ERR_IO, "the failure is missed");
    CHECK(strstr(imp_last_error(), "could not read"), "%s", imp_last_error());
    imp_h5_close(&file);
    folder_remove(&own);
}

int main(void) {
    return imp_h5_start() ? 1
                          : SUITE_RUN("h5", attributes_read_back, other_files_are_refused,
                                      links_to_other_files_lead_nowhere,
                                      a_failed_read_is_the_cause_of_an_error);
}
