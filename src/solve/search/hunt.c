/* What a hunt has, and what it may cost. */
#include "solve/search/meeting.h"

#include <stdlib.h>

const double imp_part_of_side = 1.0 / 4096;
const double imp_closest_meeting = 1.0 / (UINT64_C(1) << 33);

void imp_hunt_open(imp_plane *plane, imp_meetings *found, imp_hunt *h) {
    *h = (imp_hunt){.plane = plane, .found = found, .places = 1};
    *found = (imp_meetings){.n = 0};
    h->tile_at = calloc((size_t)IMP_TILES * IMP_TILES, sizeof *h->tile_at);
    h->tile = calloc(IMP_MOST_TILES, sizeof *h->tile);
    imp_search_check(plane->work, h->tile_at && h->tile);
}

void imp_hunt_close(imp_hunt *h) {
    imp_box_list_free(&h->live);
    imp_box_list_free(&h->tiles);
    imp_box_list_free(&h->done);
    free(h->marks);
    free(h->tile_at);
    free(h->tile);
}

bool imp_hunt_is_beyond(const imp_hunt *h, int cells) {
    return h->plane->cells > cells * h->places;
}

bool imp_hunt_is_spent(const imp_hunt *h) {
    return h->poor ? imp_hunt_is_beyond(h, IMP_ALL_CELLS)
                   : h->plane->cells + IMP_BOX_CELLS * h->forces > IMP_END_CELLS * h->places;
}

bool imp_hunt_is_over(const imp_hunt *h) {
    return h->plane->cells > IMP_END_CELLS * (h->apart > h->places ? h->apart : h->places);
}

/* Whether two boxes may hold one meeting: they overlap, or are close together. */
static bool are_near(const imp_rectangle *one, const imp_rectangle *other) {
    double near = 8 * imp_closest_meeting;
    bool small = imp_rectangle_size(one) < near && imp_rectangle_size(other) < near;
    return imp_rectangles_overlap(one, other) ||
           (small && imp_rectangles_touch(one, other, near, 0));
}

/* Whether a forced box is the first of those that may hold its meeting. */
static bool is_first(const imp_box_list **lists, int list, size_t number) {
    const imp_box *box = &lists[list]->boxes[number];
    for (int k = 0; k <= list; k++) {
        for (size_t i = 0; i < (k < list ? lists[k]->n : number); i++) {
            const imp_box *other = &lists[k]->boxes[i];
            if (are_near(&box->extent, &other->extent) && imp_box_is_forced(other)) {
                return false;
            }
        }
    }
    return true;
}

void imp_hunt_count(imp_hunt *h, const imp_box_list *list) {
    const imp_box_list *lists[2] = {list, &h->done};
    h->places = h->apart = h->forces = 0;
    for (int t = 0; t < h->n_tiles; t++) {
        h->tile[t].meets = false;
    }
    for (int k = 0; k < 2; k++) {
        for (size_t i = 0; i < lists[k]->n; i++) {
            imp_hunt_tile *tile = &h->tile[lists[k]->boxes[i].tile];
            bool forced = imp_box_is_forced(&lists[k]->boxes[i]), first = !tile->meets;
            tile->meets = tile->meets || k == 1 || forced;
            h->places += first && tile->meets;
            h->forces += forced && k == 0;
            h->apart += forced && is_first(lists, k, i);
        }
    }
    h->places = h->places > 0 ? h->places : 1;
}
