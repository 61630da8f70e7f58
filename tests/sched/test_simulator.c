/* All ranks in virtual worlds (simulator.h). `test_simulator SEED` tells the story of one of
 * them, `test_simulator SEED mutation NUMBER` that of one with a lie; `test_simulator FIRST COUNT`
 * tries many and prints their figures. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sched/simulator.h"
#include "support/suite.h"

static const uint64_t first_seed = 1;
enum { SEEDS = 10000, MOST_TO_FIND = 1000 };

static void add(simulator_result *sum, simulator_result one) {
    sum->sessions += one.sessions;
    sum->deaths += one.deaths;
    sum->given_up += one.given_up;
    sum->stops += one.stops;
    sum->failures += one.failures;
    sum->shares += one.shares;
    sum->divided += one.divided;
    sum->rounds += one.rounds;
    sum->events += one.events;
}

static simulator_result try_seeds(uint64_t first, uint64_t n) {
    simulator_result sum = {.sessions = 0};
    for (uint64_t seed = first; seed < first + n; seed++) {
        simulator_result one = simulate(seed, NO_MUTATION, false);
        CHECK(one.violation[0] == 0, "test_simulator %llu: %s", (unsigned long long)seed,
              one.violation);
        add(&sum, one);
    }
    return sum;
}

static void every_cell_once_in_every_world(void) {
    simulator_result sum = try_seeds(first_seed, SEEDS);
    CHECK(sum.shares > SEEDS / 2 && sum.divided > SEEDS / 4 && sum.rounds > SEEDS / 2,
          "%d shares, %d of them divided, %d rounds", sum.shares, sum.divided, sum.rounds);
    CHECK(sum.deaths > SEEDS / 2 && sum.given_up > SEEDS / 20 && sum.stops > SEEDS / 20 &&
              sum.failures > SEEDS / 100,
          "%d deaths, %d given up, %d stops, %d failures", sum.deaths, sum.given_up, sum.stops,
          sum.failures);
}

static void the_same_seed_gives_the_same_story(void) {
    for (uint64_t seed = 1; seed <= 20; seed++) {
        simulator_result one = simulate(seed, NO_MUTATION, false);
        simulator_result other = simulate(seed, NO_MUTATION, false);
        CHECK(one.events == other.events && one.deaths == other.deaths, "seed %llu",
              (unsigned long long)seed);
    }
}

static void mutations_are_found(void) {
    for (simulator_mutation m = NO_MUTATION + 1; m < N_MUTATIONS; m++) {
        uint64_t seed = 1;
        while (seed <= MOST_TO_FIND && simulate(seed, m, false).violation[0] == 0) {
            seed++;
        }
        CHECK(seed <= MOST_TO_FIND, "mutation %d is not found", (int)m);
    }
}

static int tell(uint64_t seed, simulator_mutation mutation) {
    simulator_result r = simulate(seed, mutation, true);
    printf("%s\n", r.violation[0] ? r.violation : "every cell once");
    return r.violation[0] != 0;
}

static int figures(uint64_t first, uint64_t n) {
    simulator_result sum = {.sessions = 0};
    int wrong = 0;
    for (uint64_t seed = first; seed < first + n; seed++) {
        simulator_result one = simulate(seed, NO_MUTATION, false);
        if (one.violation[0]) {
            printf("%llu: %s\n", (unsigned long long)seed, one.violation);
            wrong++;
        }
        add(&sum, one);
    }
    printf("%llu worlds, %d sessions, %d deaths, %d ranks given up, %d stops, %d failures of the "
           "disk, %d shares, %d of them divided, %d rounds, %ld events, %d violations\n",
           (unsigned long long)n, sum.sessions, sum.deaths, sum.given_up, sum.stops, sum.failures,
           sum.shares, sum.divided, sum.rounds, sum.events, wrong);
    return wrong > 0;
}

int main(int argc, char **argv) {
    if (argc == 2) {
        return tell(strtoull(argv[1], NULL, 10), NO_MUTATION);
    }
    if (argc == 4 && strcmp(argv[2], "mutation") == 0) {
        return tell(strtoull(argv[1], NULL, 10), (simulator_mutation)atoi(argv[3]));
    }
    if (argc == 3) {
        return figures(strtoull(argv[1], NULL, 10), strtoull(argv[2], NULL, 10));
    }
    return SUITE_RUN("simulator", every_cell_once_in_every_world,
                     the_same_seed_gives_the_same_story, mutations_are_found);
}
