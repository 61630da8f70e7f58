/* JSON as a tree: what is read, and what is refused, with its place. */
#include <math.h>
#include <string.h>

#include "base/json.h"
#include "base/tree.h"
#include "support/suite.h"

static imp_json_tree tree;

static const imp_node *read_good(const char *text) {
    size_t at;
    imp_tree_free(&tree);
    const char *wrong = imp_tree_read(text, strlen(text), &tree, &at);
    CHECK(!wrong, "%s: %s at %zu", text, wrong, at);
    return tree.nodes;
}

static void values(void) {
    const imp_node *root =
        read_good(" {\"a\" : [1, -2.5e-3, true, null, \"x\"], \"b\": {}, \"c\":[]} ");
    const imp_node *list = imp_node_member(root, "a");
    CHECK(root->kind == IMP_NODE_OBJECT && list && list->kind == IMP_NODE_LIST, "kinds");
    const imp_node *one = list->first;
    CHECK(one->kind == IMP_NODE_NUMBER && one->number == 1, "1");
    one = one->next;
    CHECK(one->number == -2.5e-3, "-2.5e-3");
    one = one->next;
    CHECK(one->kind == IMP_NODE_TRUTH && one->truth, "true");
    one = one->next;
    CHECK(one->kind == IMP_NODE_NULL, "null");
    one = one->next;
    CHECK(one->kind == IMP_NODE_TEXT && strcmp(one->text, "x") == 0 && !one->next, "x");
    CHECK(imp_node_member(root, "b")->first == NULL, "an empty object");
    CHECK(imp_node_member(root, "c")->first == NULL, "an empty list");
    CHECK(!imp_node_member(root, "d") && !imp_node_member(list, "a"), "no member");
}

static void texts(void) {
    static const char *const pairs[][2] = {
        {"\"\\u00e9\\\"\\\\\\/\\n\"", "\xc3\xa9\"\\/\n"},
        {"\"\\ud83d\\ude00\\u20AC\"", "\xf0\x9f\x98\x80\xe2\x82\xac"},
        {"\"\xc3\xa9\"", "\xc3\xa9"},
        {"\"\"", ""}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        CHECK(strcmp(read_good(pairs[i][0])->text, pairs[i][1]) == 0, "%s", pairs[i][0]);
    }
}

/* The writer's numbers come back with their bits. */
static void round_trip(void) {
    static const double numbers[] = {0.1, 1e-300, -3.0000000000000004, 1e22, 5e-324};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        imp_json json = {.compact = true};
        imp_json_number(&json, NULL, numbers[i]);
        CHECK(read_good(imp_text_get(&json.text))->number == numbers[i], "%.17g", numbers[i]);
        imp_text_free(&json.text);
    }
}

static void refusals(void) {
    static const char *const bad[] = {"",
                                      "{",
                                      "[1,]",
                                      "[1 2]",
                                      "{\"a\"}",
                                      "{\"a\":1,\"a\":2}",
                                      "{a:1}",
                                      "01",
                                      "1.",
                                      ".5",
                                      "+1",
                                      "1e",
                                      "NaN",
                                      "Infinity",
                                      "1e999",
                                      "\"",
                                      "\"\\x\"",
                                      "\"\\ud800\"",
                                      "\"\\udc00\"",
                                      "\"\\u12\"",
                                      "\"\\u0000\"",
                                      "\"\n\"",
                                      "\"\xff\"",
                                      "tru",
                                      "1 2",
                                      "[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]",
                                      "nullx"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        size_t at = 99;
        imp_json_tree other;
        const char *wrong = imp_tree_read(bad[i], strlen(bad[i]), &other, &at);
        CHECK(wrong && wrong[0] && at <= strlen(bad[i]) && !other.nodes, "'%s' was read", bad[i]);
        imp_tree_free(&other);
    }
    size_t at;
    CHECK(imp_tree_read("[1, x]", 6, &tree, &at) && at == 4, "the place is %zu", at);
}

/* Any cut of a good text is refused, or is good in itself, but never read beyond its end. */
static void cuts(void) {
    static const char text[] = "{\"a\": [1.5, \"\\u00e9\", {\"b\": null}], \"c\": -1e5}";
    for (size_t length = 0; length < strlen(text); length++) {
        size_t at;
        imp_tree_free(&tree);
        CHECK(imp_tree_read(text, length, &tree, &at) && at <= length, "%zu bytes were read",
              length);
    }
    imp_tree_free(&tree);
}

SUITE("tree", values, texts, round_trip, refusals, cuts)
