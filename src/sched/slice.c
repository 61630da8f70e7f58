#include "sched/slice.h"

#include <assert.h>
#include <math.h>

#include "base/clock.h"
#include "sched/ledger.h"

/* A slice lasts `shortest`. If fewer than TOGETHER cells fit into that, it lasts as long as
 * TOGETHER cells take, at most `longest`: kernels solve cells together in less time than one by
 * one. */
static const double shortest = 200e-6, longest = 2e-3, of_guest = 50e-3;
enum { TOGETHER = 128 };

int64_t imp_most_cells(const imp_sweep *sweep) {
    int64_t most = IMP_BLOCK_BYTES / (int64_t)imp_sweep_cell_size(sweep);
    most -= most > IMP_WHOLE_PAGES ? most % IMP_WHOLE_PAGES : 0;
    return most > 0 ? most : 1;
}

double imp_longest_wait(int ranks) {
    const double least = 1, each = 60e-6;
    return fmax(least, each * ranks);
}

int64_t imp_pace_next(const imp_pace *pace, int64_t left) {
    assert(left > 0);
    int64_t cells = pace->cells > 0 ? pace->cells : 1;
    return cells < left ? cells : left;
}

/* Seconds that the next slice should take. */
static double next_seconds(const imp_pace *pace) {
    return pace->guest ? of_guest : fmax(shortest, fmin(TOGETHER * pace->cell_seconds, longest));
}

void imp_pace_measured(imp_pace *pace, int64_t cells, double seconds) {
    pace->cell_seconds = seconds / (double)cells;
    double fitting = seconds > 0 ? next_seconds(pace) / pace->cell_seconds : INFINITY;
    /* A short slice at the end of an order is no measure for larger slices. */
    double most = cells < pace->cells ? (double)pace->cells : 2.0 * (double)cells;
    double next = fitting < most ? fitting : most;
    pace->cells = next > 1 ? (int64_t)next : 1;
}

int64_t imp_task_most(const imp_task *task) {
    return task->order.count < task->room ? task->order.count : task->room;
}

int64_t imp_task_stretch(const imp_task *task) {
    int64_t most = imp_task_most(task);
    if (most == 0) {
        return 0;
    }
    imp_interval stretch = imp_deal_stretch(task->deal, task->order.first, most);
    return stretch.count == task->room && stretch.count < task->order.count
               ? imp_end_with_page(stretch.first, stretch.count)
               : stretch.count;
}

imp_err imp_task_go_on(imp_task *task, imp_evaluator *evaluator, imp_pace *pace) {
    assert(task->block && task->order.first >= task->origin);
    int64_t n = imp_pace_next(pace, imp_task_stretch(task) - task->done);
    double start = imp_seconds_elapsed();
    int64_t cell = imp_deal_stretch(task->deal, task->order.first, 1).first;
    int64_t first = cell - task->origin + task->done;
    imp_err error = imp_evaluate(evaluator, first, (size_t)n, task->block,
                                 (size_t)imp_task_stretch(task), (size_t)task->done);
    double seconds = imp_seconds_elapsed() - start;
    if (error == IMP_ERR_STOPPED) { /* within a cell, which stays pending */
        return IMP_OK;
    }
    imp_pace_measured(pace, n, seconds);
    task->seconds += seconds;
    task->done += error ? 0 : n;
    return error;
}

bool imp_task_is_due(const imp_task *task) {
    return task->done == imp_task_stretch(task) ||
           (task->done > 0 && imp_seconds_elapsed() - task->start >= task->wait);
}

imp_interval imp_task_cut(imp_task *task, const imp_layout *layout, double *seconds) {
    imp_interval done = {task->order.first, task->done};
    if (done.count < imp_task_stretch(task)) {
        imp_block_shrink(layout, (size_t)imp_task_stretch(task), (size_t)done.count, task->block);
    }
    task->order.first += done.count;
    task->order.count -= done.count;
    task->done = 0;
    *seconds = task->seconds;
    task->seconds = 0;
    task->start = imp_seconds_elapsed();
    return done;
}
