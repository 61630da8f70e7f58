/* Walks along strips that are narrower than the smallest cells, from section to section. A section
 * lies along one axis, the walk goes along the other one, from line to line of the smallest cells:
 * the nodes of the flat grid lie there. Where the strip bends, narrows or ends before the next line
 * the steps are shorter. A walk that needs points asks for them, and looks at the same places again
 * once they are told. */
#include <math.h>
#include <string.h>

#include "num/larger.h"
#include "refine/generator_impl.h"

enum { REACHES = 4 };

/* Edges of a section are searched until their brackets are this part of its width. */
static const double sharp = 0.125;

typedef struct walker {
    imp_refinement *r;
    imp_walk *walk;
    imp_err error;
    bool waits; /* for points */
} walker;

/* One side of a section: the outermost node within the strip, and one beyond it. */
typedef struct edge_bracket {
    double inner, outer;
    bool closed; /* `outer` is known to be beyond the strip */
} edge_bracket;

static double range_of(const imp_refinement *r) {
    return (double)(UINT64_C(1) << r->bits);
}

/* Whether the strip has a place, from 0 to the range on both axes; false beyond the range, and
 * while the point is not told. */
static bool is_inside(walker *k, uint32_t at, double across) {
    imp_refinement *r = k->r;
    uint32_t key[2], point;
    if (!(across >= 0 && across <= range_of(r)) || k->error) {
        return false;
    }
    key[k->walk->axis] = at;
    key[!k->walk->axis] = (uint32_t)(across + 0.5);
    k->error = imp_filaments_ask(r, key, &point);
    if (k->error || !imp_refine_known(r, point)) {
        k->waits = true;
        return false;
    }
    return r->class_of[point] == k->walk->class;
}

/* Moves `outer` away from the strip until it is beyond: several reaches at once, each twice the
 * last. At the limit the section is as wide as a walk needs to know. */
static void close_edge(walker *k, uint32_t at, edge_bracket *edge, double reach, double limit) {
    double way = edge->outer < edge->inner ? -1 : 1, from = edge->inner;
    while (!edge->closed && !k->waits) {
        bool inside[REACHES];
        double off = 0;
        for (int i = 0; i < REACHES; i++) {
            off = reach * (double)(1 << i);
            inside[i] = is_inside(k, at, from + way * off);
        }
        for (int i = 0; i < REACHES && !edge->closed && !k->waits; i++) {
            double place =
                imp_larger(0, imp_smaller(from + way * reach * (double)(1 << i), range_of(k->r)));
            edge->closed = !inside[i] || fabs(place - from) >= limit;
            *(inside[i] ? &edge->inner : &edge->outer) = place;
        }
        reach *= 1 << REACHES;
    }
}

/* Halves the wider bracket until both are narrow enough. */
static void sharpen(walker *k, uint32_t at, edge_bracket edge[2]) {
    while (!k->waits) {
        double gap[2] = {fabs(edge[0].outer - edge[0].inner), fabs(edge[1].outer - edge[1].inner)};
        int side = gap[1] > gap[0];
        double width = edge[1].inner - edge[0].inner + gap[0] + gap[1];
        if (gap[side] <= imp_larger(1, sharp * width)) {
            return;
        }
        double middle = floor(0.5 * (edge[side].inner + edge[side].outer));
        bool inside = is_inside(k, at, middle);
        if (!k->waits) {
            *(inside ? &edge[side].inner : &edge[side].outer) = middle;
        }
    }
}

/* Closes both edges, and finds the section between them. */
static imp_section section_of(walker *k, uint32_t at, edge_bracket edge[2], double reach) {
    double limit = 4.0 * imp_cell_size(k->r, k->r->plan.depth);
    for (int side = 0; side < 2; side++) {
        close_edge(k, at, &edge[side], reach, limit);
    }
    sharpen(k, at, edge);
    return (imp_section){.at = at,
                         .low = 0.5 * (edge[0].inner + edge[0].outer),
                         .high = 0.5 * (edge[1].inner + edge[1].outer)};
}

/* The section around a node that is inside. */
static imp_section section_around(walker *k, uint32_t at, double inside, double reach) {
    edge_bracket edge[2] = {{.inner = inside, .outer = inside - 1},
                            {.inner = inside, .outer = inside + 1}};
    return section_of(k, at, edge, reach);
}

/* Looks for a section whose edges are expected at two places; false: there is none, or the walk
 * waits. */
static bool find_section(walker *k, uint32_t at, double low, double high, imp_section *found) {
    static const double part[4] = {-1, -0.25, 0.25, 1};
    double reach = imp_larger(1, 0.25 * (high - low)), place[9];
    bool inside[9];
    for (int i = 0; i < 4; i++) {
        place[i] = floor(low + part[i] * reach);
        place[5 + i] = ceil(high + part[i] * reach);
    }
    place[4] = floor(0.5 * (low + high));
    int first = 9, last = -1;
    for (int i = 0; i < 9; i++) {
        inside[i] = is_inside(k, at, place[i]);
    }
    static const int order[9] = {4, 3, 5, 2, 6, 1, 7, 0, 8};
    for (int i = 0; i < 9 && last < 0; i++) {
        first = last = inside[order[i]] ? order[i] : -1;
    }
    if (k->waits || last < 0) {
        return false;
    }
    while (first > 0 && inside[first - 1]) {
        first--;
    }
    while (last < 8 && inside[last + 1]) {
        last++;
    }
    edge_bracket edge[2] = {{.inner = place[first],
                             .outer = first > 0 ? place[first - 1] : place[first] - 1,
                             .closed = first > 0},
                            {.inner = place[last],
                             .outer = last < 8 ? place[last + 1] : place[last] + 1,
                             .closed = last < 8}};
    *found = section_of(k, at, edge, reach);
    return !k->waits;
}

/* ---- the walk ---- */

static double middle_of(const imp_section *section) {
    return 0.5 * (section->low + section->high);
}

static double slope_of(const imp_walk *w) {
    return 0.5 * (w->slope[0] + w->slope[1]);
}

/* The place of a section's middle. */
static void place_of(const imp_walk *w, const imp_section *section, double *place) {
    place[w->axis] = section->at;
    place[!w->axis] = middle_of(section);
}

/* The width across the strip, as a part of the range. */
static double width_of(const imp_refinement *r, const imp_walk *w) {
    double slope = slope_of(w);
    return (w->here.high - w->here.low) / sqrt(1 + slope * slope) / range_of(r);
}

/* Within so much, as a part of the range, a walk has cells of its own beside it. */
static double near_of(const imp_refinement *r) {
    return 3 * (double)imp_cell_size(r, r->plan.depth) / range_of(r);
}

/* Takes the last corner, if there is one, for the end of a walk that was turned round there.
 * Returns whether it is. */
static bool end_at_corner(imp_walk *w, bool turned) {
    w->turned_back = turned && w->corner_length > 0;
    w->length = w->turned_back ? w->corner_length : w->length;
    return w->turned_back;
}

/* Whether two walks have one direction, and not opposite ones. */
static bool goes_with(const imp_walk *one, const imp_walk *other) {
    double way[2], along[2];
    way[one->axis] = one->way;
    way[!one->axis] = one->way * slope_of(one);
    along[other->axis] = other->way;
    along[!other->axis] = other->way * slope_of(other);
    return way[0] * along[0] + way[1] * along[1] > 0;
}

/* Ends a walk that comes into a cell which a walk went through before: another one, or itself, as
 * where the end of a strip has turned it round. Beside its own last cells it goes on. */
static void meet(walker *k, const uint32_t *key) {
    imp_refinement *r = k->r;
    imp_walk *w = k->walk;
    size_t number = (size_t)(w - r->filaments.walks);
    double near = near_of(r);
    imp_cover cover = {.filament = w->filament, .walk = number, .length = w->length};
    k->error = k->error ? k->error : imp_filaments_cover(r, key, w->class, &cover);
    double there = cover.walk == number ? cover.length : -cover.length;
    if (k->error || (cover.filament == w->filament && w->length - there <= near)) {
        return;
    }
    double middle = 0.5 * (w->length + there);
    imp_walk *other = &r->filaments.walks[cover.walk];
    other->reached =
        other->reached || (cover.walk != number && cover.length < near && goes_with(w, other));
    bool turned = cover.filament == w->filament && fabs(middle - w->corner_length) < near;
    w->joins = cover.filament;
    w->met = cover.walk;
    w->state = end_at_corner(w, turned) ? IMP_WALK_TIP : IMP_WALK_JOINS;
}

/* Has the cells at the nodes in the section examined, and notes the cell that the walk is in. */
static void note_section(walker *k) {
    imp_refinement *r = k->r;
    imp_walk *w = k->walk;
    uint32_t size = imp_cell_size(r, r->plan.depth), key[2];
    double doubt = sharp * (w->here.high - w->here.low);
    key[w->axis] = w->here.at;
    if (w->here.at % size == 0) {
        for (double node = ceil((w->here.low - doubt) / size) * size;
             !k->error && node <= w->here.high + doubt; node += size) {
            key[!w->axis] = (uint32_t)imp_larger(0, imp_smaller(node, range_of(r)));
            k->error = imp_levels_examine(r, key);
        }
    }
    key[!w->axis] = (uint32_t)imp_larger(0, imp_smaller(middle_of(&w->here), range_of(r)));
    meet(k, key);
}

/* The slopes of the edges, from a section that is far enough away for the doubt of its edges. */
static void take_slope(imp_walk *w) {
    double along = (double)w->here.at - (double)w->base.at;
    if (fabs(along) >= 0.25 * (w->here.high - w->here.low)) {
        w->slope[0] = (w->here.low - w->base.low) / along;
        w->slope[1] = (w->here.high - w->base.high) / along;
        w->base = w->here;
    }
}

/* Takes a section that was found as the place of the walk. */
static void go_to(walker *k, const imp_section *found) {
    imp_refinement *r = k->r;
    imp_walk *w = k->walk;
    double along = (double)found->at - (double)w->here.at;
    double across = middle_of(found) - middle_of(&w->here);
    double size = imp_cell_size(r, r->plan.depth);
    w->length += sqrt(along * along + across * across) / range_of(r);
    w->here = *found;
    w->step = (uint32_t)imp_smaller(2 * imp_larger(w->step, fabs(along)), size);
    take_slope(w);
    w->sections++;
    w->turning = fabs(slope_of(w)) > 1.5 && w->sections > 2;
    note_section(k);
    if (w->state != IMP_WALK_GOES) {
        return;
    }
    double width = width_of(r, w), range = range_of(r);
    bool edge = w->here.at == 0 || w->here.at == range || middle_of(found) <= 1 ||
                middle_of(found) >= range - 1;
    w->state = width < IMP_FILAMENT_WIDTH          ? IMP_WALK_THIN
               : width * range > 2 * size          ? IMP_WALK_OPENS
               : edge                              ? IMP_WALK_EDGE
               : w->sections >= 8 << r->plan.depth ? IMP_WALK_LIMIT
                                                   : IMP_WALK_GOES;
}

/* The longest step at whose end the strip is expected to keep half of its width. */
static double longest_step(const imp_walk *w) {
    double width = w->here.high - w->here.low, step = w->step;
    double loss = -w->way * (w->slope[1] - w->slope[0]);
    return loss * step > 0.5 * width ? floor(0.5 * width / loss) : step;
}

/* How far the next line of the smallest cells is. */
static double next_line(const imp_refinement *r, const imp_walk *w) {
    uint32_t size = imp_cell_size(r, r->plan.depth), past = w->here.at % size;
    return w->way > 0 ? size - past : past > 0 ? past : size;
}

/* Goes on along the other axis, as the strip is steep. */
static void turn(walker *k) {
    imp_walk *w = k->walk, old = *w;
    double slope = slope_of(w), half = 0.5 * (w->here.high - w->here.low) / fabs(slope);
    double size = imp_cell_size(k->r, k->r->plan.depth);
    imp_section found;
    w->axis = !w->axis;
    uint32_t at = (uint32_t)middle_of(&w->here);
    bool is_found = find_section(k, at, w->here.at - half, w->here.at + half, &found);
    if (!is_found) {
        *w = old;
        w->turning = k->waits;
        return;
    }
    if (w->corner_length == 0 || w->length - w->corner_length > 2 * size / range_of(k->r)) {
        place_of(&old, &old.here, w->corner);
        w->corner_width = width_of(k->r, &old);
        w->corner_length = w->length;
    }
    w->way = slope * w->way > 0 ? 1 : -1;
    w->slope[0] = w->slope[1] = 1 / slope;
    w->here = w->base = found;
    w->step = (uint32_t)imp_larger(1, w->step * 0.5);
    w->turning = false;
}

/* Where the strip is cut off a walk may follow the cut. */
static void end_at_tip(walker *k) {
    imp_walk *w = k->walk;
    end_at_corner(w, w->length - w->corner_length < near_of(k->r));
    w->state = IMP_WALK_TIP;
}

static void step_on(walker *k) {
    imp_walk *w = k->walk;
    double step = longest_step(w), width = w->here.high - w->here.low;
    if (step < imp_larger(1, width / 16)) {
        end_at_tip(k);
        return;
    }
    step = imp_smaller(step, next_line(k->r, w));
    double along = w->way * step;
    uint32_t at = (uint32_t)((double)w->here.at + along);
    imp_section found;
    if (find_section(k, at, w->here.low + along * w->slope[0], w->here.high + along * w->slope[1],
                     &found)) {
        go_to(k, &found);
    } else if (!k->waits) {
        w->step = (uint32_t)(step / 2);
    }
}

/* ---- its beginning ---- */

/* Finds the sections through the first node along the axes on which the strip is narrow; the
 * shorter one begins the walk. */
static void begin(walker *k) {
    imp_refinement *r = k->r;
    imp_walk *w = k->walk;
    double reach = imp_cell_size(r, r->plan.depth) / 16.0;
    imp_section best = {.low = 0, .high = INFINITY};
    int axis = 0;
    for (int cross = 0; cross < 2; cross++) {
        if (w->narrow & 1 << cross) {
            w->axis = !cross;
            imp_section found =
                section_around(k, w->seed[!cross], w->seed[cross], imp_larger(1, reach));
            if (found.high - found.low < best.high - best.low) {
                best = found;
                axis = !cross;
            }
        }
    }
    if (k->waits) {
        return;
    }
    w->axis = axis;
    w->here = w->base = best;
    place_of(w, &best, w->first);
    w->first_width = width_of(r, w);
    w->step = (uint32_t)imp_larger(1, 0.25 * (best.high - best.low));
    w->state = IMP_WALK_GOES;
    note_section(k);
    double width = width_of(r, w);
    if (w->state == IMP_WALK_GOES && width < IMP_FILAMENT_WIDTH) {
        w->state = IMP_WALK_THIN;
    } else if (w->state == IMP_WALK_GOES &&
               width * range_of(r) > 2.0 * imp_cell_size(r, r->plan.depth)) {
        w->state = IMP_WALK_OPENS;
    }
}

/* Divides a walk into one for each way that is free. */
static imp_err fork_walk(imp_refinement *r, size_t number) {
    imp_walk *w = &r->filaments.walks[number];
    int free_ways = w->free >> 2 * w->axis & 3;
    if (free_ways == 0) {
        w->state = IMP_WALK_OPENS;
    }
    w->way = free_ways & 2 ? 1 : -1;
    if (free_ways == 3) {
        w->forked = true;
        imp_walk other = *w;
        other.way = -1;
        return imp_filaments_add(r, &other);
    }
    return IMP_OK;
}

imp_err imp_walk_on(imp_refinement *r, size_t number) {
    walker k = {.r = r, .walk = &r->filaments.walks[number]};
    if (k.walk->state == IMP_WALK_BEGINS) {
        begin(&k);
        if (!k.error && k.walk->state == IMP_WALK_GOES) {
            k.error = fork_walk(r, number);
        }
    }
    while (!k.error && !k.waits && r->filaments.walks[number].state == IMP_WALK_GOES) {
        k.walk = &r->filaments.walks[number];
        if (k.walk->turning) {
            turn(&k);
        } else {
            step_on(&k);
        }
    }
    return k.error;
}

void imp_walk_end_of(const imp_refinement *r, const imp_walk *walk, double *place, double *width) {
    place_of(walk, &walk->here, place);
    *width = width_of(r, walk);
    if (walk->turned_back) {
        memcpy(place, walk->corner, sizeof walk->corner);
        *width = walk->corner_width;
    }
}
