/* impactsweep run CONFIG -o FILE [options] */
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/number.h"
#include "cmd/bundle.h"
#include "cmd/cmd.h"
#include "cmd/run_report.h"
#include "models/petsc.h"
#include "sched/deal.h"
#include "sched/sched.h"
#include "solve/points.h"
#include "store/map.h"
#include "store/verify.h"

/* A code from rank 0 to the others besides exit codes: the map is complete. */
enum { NOTHING_TO_DO = 256 };

typedef struct request {
    const char *config, *output;
    imp_overrides overrides;
    imp_text command; /* the whole command line */
    imp_map_policy policy;
    imp_checkpoint checkpoint;
    imp_run_options options;
    double time_limit; /* seconds; 0: none */
    const char *code_file;
    int part, parts; /* 0, 0: the whole */
    bool bar, compress, force, resume;
} request;

/* ---- the command line ---- */

static const char *take_progress(const char *value, void *request_) {
    request *r = request_;
    r->bar = strcmp(value, "bar") == 0;
    r->options.period = r->bar ? 0.2 : 0;
    bool good = r->bar || strcmp(value, "none") == 0 || !imp_take_time(value, &r->options.period);
    return good ? NULL : "is not a time above 0, bar or none";
}

/* An answer may take a second, and rank 0 looks for it now and then. */
static const char *take_give_up(const char *value, void *seconds) {
    bool good = !imp_take_time(value, seconds) && *(const double *)seconds >= 2;
    return good ? NULL : "is not a time of at least 2s";
}

/* "2/8" */
static const char *take_part(const char *value, void *request_) {
    request *r = request_;
    int64_t part = 0, parts = 0;
    char first[16] = "";
    size_t length = strcspn(value, "/");
    snprintf(first, sizeof first, "%.*s", (int)(length < sizeof first ? length : 0), value);
    bool good = value[length] == '/' && !imp_read_count(first, &part) &&
                !imp_read_count(value + length + 1, &parts) && part >= 1 && part <= parts &&
                parts <= INT_MAX;
    r->part = good ? (int)part : 0;
    r->parts = good ? (int)parts : 0;
    return good ? NULL : "is not of the form i/n with 1 <= i <= n";
}

static const imp_switch switches[] = {
    IMP_SWITCH_OUTPUT("the map to write"),
    IMP_FLAG("resume", resume,
             "go on with FILE, or start it if there is none; the exit code is 0 if it is complete"),
    IMP_FLAG("force", force, "replace FILE"),
    IMP_SWITCH_SET,
    IMP_SWITCH("chunk", "CELLS", "cells handed out at a time (default: by measured time)",
               imp_take_count, options.chunk),
    IMP_SWITCH("time-limit", "TIME", "stop in good order after 90s, 55m or 2h; --resume goes on",
               imp_take_time, time_limit),
    {.name = "part",
     .argument = "i/n",
     .meaning = "compute only the i-th of n parts, into a file of its own; see join",
     .read = take_part},
    IMP_FLAG("compress", compress, "compress the map when it is complete"),
    IMP_SWITCH("checkpoint", "TIME",
               "sync and mark finished cells this often (default 10s); 0: mark at once without "
               "syncing, safe against kills but not power cuts",
               imp_take_pause, checkpoint.period),
    {.name = "progress",
     .argument = "SECONDS|bar|none",
     .meaning = "how often to report on the standard error (default 5)",
     .read = take_progress},
    IMP_SWITCH("silence", "TIME",
               "report a rank that has work and is silent for this long (default 60s)",
               imp_take_time, options.silence),
    IMP_SWITCH("patience", "TIME",
               "after a stop, give up on a rank that has been silent for this long and twice the "
               "longest time that any rank took to answer (default 20s)",
               imp_take_time, options.patience),
    IMP_SWITCH("give-up", "TIME",
               "give up a rank that has work and is silent for this long, and go on without it; "
               "more than any cell takes, at least 2s (default: never)",
               take_give_up, options.give_up),
    IMP_SWITCH("exit-code", "FILE",
               "write the exit code to FILE too, as mpirun hides it where it goes on after the "
               "death of a rank; until the end FILE says started",
               imp_take_text, code_file),
};

static int read_request(int argc, char **argv, request *r) {
    int n;
    int code = imp_read_switches(&imp_command_run, argc, argv, r, &n);
    if (code != IMP_EXIT_OK) {
        return code;
    }
    if (!r->output || !*r->output) {
        return imp_usage_error("run: the file to write is missing, give -o FILE");
    }
    const char *dot = strrchr(r->output, '.');
    if (dot && (strcasecmp(dot, ".csv") == 0 || strcasecmp(dot, ".txt") == 0)) {
        return imp_usage_error(
            "run: %s: a map is HDF5, name it .h5 or .nc; export makes a CSV of it", r->output);
    }
    if (r->force && r->resume) {
        return imp_usage_error("run: --force and --resume exclude each other");
    }
    r->config = argv[1];
    r->policy = r->force ? IMP_MAP_REPLACE : r->resume ? IMP_MAP_RESUME : IMP_MAP_NEW;
    return imp_follow_link(&r->output);
}

/* ---- the run ---- */

static imp_err open_map(const request *r, const imp_sweep *sweep, const imp_text *bundle,
                        imp_map **map, double *seconds) {
    imp_text overrides = {0}, tables = {0};
    for (int i = 0; i < r->overrides.n; i++) {
        imp_text_print(&overrides, "%s%s", i ? "\n" : "", r->overrides.words[i]);
    }
    imp_bundle_tables(bundle, &tables);
    imp_provenance provenance = {
        .config_path = r->config,
        .config = imp_bundle_config(bundle),
        .tables = imp_text_get(&tables),
        .overrides = imp_text_get(&overrides),
        .command = imp_text_get(&r->command),
        .libraries = imp_libraries(),
    };
    imp_err error = imp_map_open(r->output, sweep, &provenance, r->policy, r->checkpoint,
                                 imp_ranks_signalled, map, seconds);
    imp_text_free(&overrides);
    imp_text_free(&tables);
    return error;
}

/* Whether ranks begin with shares of the map. Tests set IMPACTSWEEP_SHARES, as they have few
 * ranks. */
static bool deals(const imp_map *map, int ranks) {
    return imp_map_is_fresh(map) &&
           (ranks >= IMP_DEAL_FEWEST_RANKS || getenv("IMPACTSWEEP_SHARES"));
}

static imp_err compute(const request *r, const imp_sweep *sweep, imp_map *map, int ranks,
                       double creating) {
    const char *job = getenv("SLURM_JOB_ID");
    imp_session session = {.start = imp_seconds_utc(), .ranks = ranks, .job = job ? atoll(job) : 0};
    imp_tally tally;
    imp_run_view v = {sweep, r->bar};
    imp_run_options options = r->options;
    options.shares = imp_ranks_agree(deals(map, ranks)) != 0;
    options.report = imp_run_print_progress;
    options.say = imp_run_print_line;
    options.context = &v;
    imp_ranks_started();
    imp_err noted = imp_map_note_session(map, &session, false);
    imp_err error = imp_run_lead(sweep, map, &options, ranks, &tally);
    double start = imp_seconds_utc();
    /* After a failed write or sync no cell may be marked. */
    bool sound = !error || error == IMP_ERR_STOPPED;
    imp_err synced = sound ? imp_map_finish(map) : IMP_OK;
    session.end = imp_seconds_utc();
    session.seconds = tally.computing;
    if (!noted && !synced) {
        noted = imp_map_note_session(map, &session, !error);
    }
    if (r->bar) {
        imp_run_print_progress(&v, &tally);
        fputs("\n", stderr);
    }
    imp_run_print_census(sweep, &tally, ranks, creating, session.end - start);
    error = error && error != IMP_ERR_STOPPED ? error : synced ? synced : noted ? noted : error;
    return error;
}

/* The exit code; prints the error, or a note about a stop. */
static int stopped_or(imp_err error, const char *when) {
    if (error == IMP_ERR_STOPPED) {
        fprintf(stderr, "impactsweep: stopped early%s; go on with --resume\n", when);
    }
    return imp_exit(error);
}

/* Every rank reads the same config in the same way. */
static imp_err read_sweep(const request *r, const imp_loader *loader, imp_sweep *sweep,
                          imp_text *messages) {
    imp_err error =
        imp_config_read(loader, r->config, r->overrides.words, r->overrides.n, sweep, messages);
    if (!error && r->parts > 0) {
        error = imp_sweep_is_refined(sweep)
                    ? imp_fail(IMP_ERR_INPUT, "a refined map has no parts; give the lists and "
                                              "tables of its config to several maps instead")
                    : imp_sweep_take_part(sweep, r->part, r->parts);
        if (error) {
            imp_text_print(messages, "impactsweep: error: %s\n", imp_last_error());
            imp_sweep_free(sweep);
        }
    }
    return error;
}

/* Closes the map and prints the flags of its cells. Returns the exit code: `code` unless closing
 * fails. */
static int close_map(const request *r, const imp_sweep *sweep, imp_map **map, int code,
                     bool complete) {
    imp_err closed = imp_map_close(map);
    if (closed && code == IMP_EXIT_OK) {
        code = imp_exit(closed);
    }
    return code == IMP_EXIT_OK && !complete ? imp_exit(imp_run_print_flags(r->output, sweep))
                                            : code;
}

/* Rank 0 reads the config, opens the map and computes. The other ranks receive the config once the
 * map is open. */
static int lead(const request *r, int ranks) {
    imp_text bundle = {0}, messages = {0};
    imp_loader loader = imp_bundle_recorder(&bundle);
    static imp_sweep sweep; /* 64 kB, too much for a small stack; a process runs once */
    imp_map *map = NULL;
    double creating = 0;
    imp_err error = read_sweep(r, &loader, &sweep, &messages);
    bool complete = false;
    int code = error == IMP_ERR_INPUT ? IMP_EXIT_INPUT : imp_exit(error);
    fputs(imp_text_get(&messages), stderr);
    if (!error && imp_bundle_has(&bundle, r->output)) {
        code = imp_usage_error("run: %s is a file that this run reads", r->output);
    }
    if (code == IMP_EXIT_OK && r->policy == IMP_MAP_RESUME) {
        code = imp_exit(imp_map_is_complete(r->output, &sweep, &complete));
    }
    if (code == IMP_EXIT_OK && !complete) {
        error = open_map(r, &sweep, &bundle, &map, &creating);
        code = stopped_or(error, ", before the file was made");
    }
    code = imp_ranks_agree(complete ? NOTHING_TO_DO : code);
    if (code == IMP_EXIT_OK) {
        code = imp_ranks_agree(imp_exit(imp_ranks_share(&bundle)));
    }
    if (code == IMP_EXIT_OK) {
        code = stopped_or(compute(r, &sweep, map, ranks, creating), "");
    }
    if (code == NOTHING_TO_DO) {
        imp_say(stdout, "%s is complete\n", r->output);
        code = IMP_EXIT_OK;
    }
    code = close_map(r, &sweep, &map, code, complete);
    imp_say_guests(&sweep);
    imp_sweep_free(&sweep);
    imp_text_free(&bundle);
    imp_text_free(&messages);
    return code;
}

static int work(request *r) {
    int code = imp_ranks_agree(IMP_EXIT_OK);
    if (code != IMP_EXIT_OK) {
        return code == NOTHING_TO_DO ? IMP_EXIT_OK : code;
    }
    imp_text bundle = {0}, messages = {0};
    static imp_sweep sweep; /* as in lead */
    imp_err error = imp_ranks_share(&bundle);
    imp_loader loader = imp_bundle_reader(&bundle);
    error = error ? error : read_sweep(r, &loader, &sweep, &messages);
    code = imp_ranks_agree(imp_exit(error));
    if (code == IMP_EXIT_OK) {
        r->options.shares = imp_ranks_agree(0) != 0;
        imp_ranks_started();
        code = imp_exit(imp_run_worker(&sweep, r->output, r->checkpoint, &r->options));
    }
    imp_say_guests(&sweep);
    imp_sweep_free(&sweep);
    imp_text_free(&bundle);
    imp_text_free(&messages);
    return code;
}

/* Lets the file of --exit-code say that the run has started, also if its words are wrong: the exit
 * code follows. Returns the exit code so far. */
static int tell(const request *r, int code) {
    static const char why[] = "is no place for the exit code, as the run reads or writes it";
    const char *const own[] = {r->output, r->config};
    int refused = IMP_EXIT_OK;
    for (int i = 0; i < 2 && r->code_file && !refused; i++) {
        refused = own[i] ? imp_refuse_own("run", own[i], r->code_file, why) : IMP_EXIT_OK;
    }
    refused = refused ? refused : imp_exit(imp_ranks_tell(r->code_file));
    return code ? code : refused;
}

/* Every rank reads the words before MPI starts, where it may hang: the limit holds for that too,
 * and the file of --exit-code says that the run has started. Only rank 0 reports errors. Returns
 * the rank; *code: the exit code so far. */
static int start(int argc, char **argv, request *r, int *ranks, int *code) {
    imp_text errors = {0};
    int count = argc;
    char **words = argv;
    int number = imp_launched_as();
    bool is_first = number == 0;
    imp_hold_errors(&errors);
    *code = read_request(argc, argv, r);
    *code = is_first ? tell(r, *code) : *code;
    if (number == 1) {
        /* Rank 0 may be killed before it begins. Where this rank cannot write the file, rank 0 can,
         * or says why not. No code is lost: it is written after all ranks have met. */
        tell(r, IMP_EXIT_OK);
    }
    imp_ranks_limit(r->time_limit);
    int rank = imp_ranks_start(&count, &words, ranks);
    *code = rank == 0 && !is_first ? tell(r, *code) : *code;
    imp_hold_errors(NULL);
    if (rank == 0) {
        fputs(imp_text_get(&errors), stderr);
    }
    imp_text_free(&errors);
    return rank;
}

static int run(int argc, char **argv) {
    request r = {.checkpoint = {10}, .options = {.period = 5, .silence = 60, .patience = 20}};
    int ranks = 1, code;
    /* The run must go on even if a reader of its output goes away. */
    signal(SIGPIPE, SIG_IGN);
    imp_ranks_prepare();
    imp_command_text(argc, argv, &r.command);
    int rank = start(argc, argv, &r, &ranks, &code);
    code = imp_ranks_agree(code);
    if (code == IMP_EXIT_OK) {
        code = rank == 0 ? lead(&r, ranks) : work(&r);
    }
    imp_err ended = imp_petsc_finish();
    code = ended && code == IMP_EXIT_OK ? imp_exit(ended) : code;
    imp_ranks_finish(code);
    imp_ranks_started(); /* also if there was nothing to start */
    /* Compressing starts a process, which is unsafe before MPI has ended. */
    if (rank == 0 && code == IMP_EXIT_OK && r.compress) {
        code = stopped_or(imp_map_compress(r.output, imp_ranks_stop_wanted),
                          " while the complete map was compressed");
        imp_ranks_tell_code(code);
    }
    imp_text_free(&r.command);
    return imp_ranks_status(code);
}

const imp_command imp_command_run = {
    .name = "run",
    .words = "CONFIG -o FILE [options]",
    .summary = "compute the map of a config, alone or under mpirun or srun",
    .example = "run configs/pendulum-friction.yaml -o map.h5",
    IMP_SWITCHES,
    .fewest = 1,
    .most = 1,
    .needed = "the config is missing",
    .makes_map = true,
    .run = run,
};
