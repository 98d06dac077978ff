import { globSync } from "node:fs";
import { defineConfig } from "vitest/config";
import { LongestFirst } from "./test/longest-first.ts";
import { plainReporter } from "./test/plain-reporter.ts";

/**
 * Tests that hold all they change in fakes, memory, processes and directories of their own. They share a process, so that
 * every module is read once for all files and not once for each: this halves the time of the small ones.
 */
const SHARED = ["test/**/*.test.ts"];

/** Long forms of proofs, minutes each: `npm run prove` alone runs them. */
const PROOFS = [
  "test/bounds/whole-day.test.ts",
  "test/bounds/whole-year.test.ts",
  "test/bounds/slices.test.ts",
  "test/simulation/long.test.ts",
  "test/mutations/planted.test.ts",
  "test/order/many-orders.test.ts",
  "test/races/many-rounds.test.ts",
  "test/power-loss/kills.test.ts",
];

/**
 * Whole stories of the real process and of a browser, one told again and again, disturbed at each of its steps, and what takes
 * a while because it tries much: `npm run test:ci`, and so CI, runs them too. Each of these files has a process of its own.
 */
const ENDURANCE = [
  "test/adapters/git/agent-habits.test.ts",
  "test/adapters/git/archive.test.ts",
  "test/adapters/git/checkpoint-at-work.test.ts",
  "test/adapters/git/compare-branches.test.ts",
  "test/adapters/git/crash.test.ts",
  "test/adapters/git/file-races.test.ts",
  "test/adapters/git/hostile-tree.test.ts",
  "test/adapters/git/kept-setups.test.ts",
  "test/adapters/git/kept-staging.test.ts",
  "test/adapters/git/lost-pushes.test.ts",
  "test/adapters/git/many-changes.test.ts",
  "test/adapters/git/merged-onto.test.ts",
  "test/adapters/git/no-byte-lost.test.ts",
  "test/adapters/git/pending.test.ts",
  "test/adapters/git/person-pushes.test.ts",
  "test/adapters/git/planted-vectors.test.ts",
  "test/adapters/git/quarantine.test.ts",
  "test/adapters/git/restore-races.test.ts",
  "test/adapters/git/server-answers.test.ts",
  "test/adapters/git/take-up.test.ts",
  "test/adapters/git/tidy.test.ts",
  "test/adapters/github/contract.test.ts",
  "test/adapters/github/restart-in-storm.test.ts",
  "test/adapters/github/storm.test.ts",
  "test/adapters/mcp/bad-servers.test.ts",
  "test/adapters/mcp/contract.test.ts",
  "test/adapters/runtimes/acp/unconfined-contract.test.ts",
  "test/adapters/runtimes/contract.test.ts",
  "test/adapters/runtimes/copilot/pictures.test.ts",
  "test/adapters/runtimes/copilot/stable-requests.test.ts",
  "test/adapters/runtimes/unconfined-contract.test.ts",
  "test/adapters/sandbox/registries.test.ts",
  "test/adapters/screens/camera.test.ts",
  "test/attacks/some-attacks.test.ts",
  "test/bench/benches.test.ts",
  "test/bench/on-stage.test.ts",
  "test/bounds/short-day.test.ts",
  "test/browser/**/*.test.ts",
  "test/cli/check-repository.test.ts",
  "test/cli/command-line.test.ts",
  "test/cli/demo.test.ts",
  "test/cli/doctor/as-whom.test.ts",
  "test/cli/doctor/doctor.test.ts",
  "test/cli/hostile-rows.test.ts",
  "test/cli/onboard-trial.test.ts",
  "test/cli/replay/replay.test.ts",
  "test/cli/running.test.ts",
  "test/cli/runtimes/interrupted-trial.test.ts",
  "test/cli/start-checks/refusals.test.ts",
  "test/cli/trial/bench.test.ts",
  "test/cli/trial/run-case.test.ts",
  "test/cli/try-commands.test.ts",
  "test/cli/whole-output.test.ts",
  "test/demo/github/git-http.test.ts",
  "test/demo/github/pulls.test.ts",
  "test/demo/github/repository.test.ts",
  "test/deploy/chart/chart.test.ts",
  "test/docs/first-agent.test.ts",
  "test/engine/breakers/budget-properties.test.ts",
  "test/engine/checks/check-histories.test.ts",
  "test/engine/decisions/every-reason.test.ts",
  "test/engine/kernel/bounded-rounds.test.ts",
  "test/engine/kernel/interleavings.test.ts",
  "test/engine/recovery/database-gone.test.ts",
  "test/engine/recovery/recovery.test.ts",
  "test/engine/reporting/year-of-issues.test.ts",
  "test/engine/sessions/kept-conversation.test.ts",
  "test/engine/sessions/work-saver.test.ts",
  "test/engine/tasks/unsaved-work-crashes.test.ts",
  "test/engine/truth/ways-on.test.ts",
  "test/faults/broken-repository.test.ts",
  "test/http/every-listener.test.ts",
  "test/journeys/**/*.test.ts",
  "test/order/order.test.ts",
  "test/package/installed.test.ts",
  "test/power-loss/power-loss.test.ts",
  "test/races/look-then-commit.test.ts",
  "test/races/unconfined.test.ts",
  "test/simulation/simulation.test.ts",
];

/**
 * One to six minutes each: they try at length what shorter tests try in part, or follow each recipe of docs/developing.md. `npm
 * run test:all` runs them, and CI does not, which must answer within 25 minutes.
 */
const LONG = [
  "test/adapters/git/create-worktrees.test.ts",
  "test/adapters/git/every-vector.test.ts",
  "test/adapters/github/answers-read.test.ts",
  "test/adapters/sandbox/many-cycles.test.ts",
  "test/attacks/every-attack.test.ts",
  "test/bounds/short-year.test.ts",
  "test/cli/damage-at-length.test.ts",
  "test/docs/developing.test.ts",
  "test/journeys/planted-files.test.ts",
  "test/journeys/random-damage.test.ts",
  "test/journeys/trial.test.ts",
  "test/linear/stays-linear.test.ts",
  "test/postgres/benched.test.ts",
  "test/postgres/upgrade.test.ts",
  "test/races/git-on-files.test.ts",
];

/** The real agents of other makers, 1.5 GB of packages and a quarter of an hour: `npm run test:runtimes` alone runs them. */
const RUNTIMES = ["test/runtimes/**/*.test.ts"];

/** What runs on a PostgreSQL server: `npm run test:postgres`; `npm run test:ci`, and so CI, runs it too. */
const POSTGRES = ["test/postgres/**/*.test.ts"];

/**
 * The tests of the engine run a second time with their databases on a PostgreSQL server. CI does that with these folders
 * alone, in which most is asked of a database, and without what takes long there; `npm run test:all` and `npm run
 * test:postgres` with all.
 */
const MOST_ASKED = ["blockers", "checks", "outbox", "questions", "recovery"];
const LONG_THERE = ["test/engine/recovery/recovery-sweep.test.ts", ...ENDURANCE];

const ENGINE = globSync("test/engine/**/*.test.ts", { cwd: import.meta.dirname });
const isInCi = (path: string): boolean =>
  MOST_ASKED.some((folder) => path.startsWith(`test/engine/${folder}/`)) && !LONG_THERE.includes(path);

const engineOnPostgres = (name: string, include: string[]) => ({
  extends: true as const,
  test: {
    name,
    include,
    isolate: false,
    globalSetup: "test/postgres/global-setup.ts",
    setupFiles: ["test/postgres/needs-server.ts"],
    // Each statement is a message to another process and back, which waits for its turn on a busy machine.
    testTimeout: 600_000,
    env: { FLOTILLA_TEST_STORE: "postgres" },
  },
});

export default defineConfig({
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: "shared",
          include: SHARED,
          exclude: [...ENDURANCE, ...LONG, ...POSTGRES, ...PROOFS, ...RUNTIMES],
          isolate: false,
        },
      },
      { extends: true, test: { name: "endurance", include: ENDURANCE, exclude: LONG } },
      { extends: true, test: { name: "long", include: LONG, globalSetup: "test/postgres/global-setup.ts" } },
      {
        extends: true,
        test: {
          name: "postgres",
          include: POSTGRES,
          exclude: LONG,
          globalSetup: "test/postgres/global-setup.ts",
        },
      },
      engineOnPostgres("engine-on-postgres", ENGINE.filter(isInCi)),
      engineOnPostgres(
        "more-on-postgres",
        ENGINE.filter((path) => !isInCi(path)),
      ),
      { extends: true, test: { name: "proofs", include: PROOFS } },
      {
        extends: true,
        test: {
          name: "runtimes",
          include: RUNTIMES,
          globalSetup: "test/runtimes/install-agents.ts",
          // Some agents take half a gigabyte and several seconds to start.
          maxConcurrency: 2,
        },
      },
    ],
    sequence: { sequencer: LongestFirst },
    setupFiles: ["test/setup.ts"],
    pool: "forks",
    // Two more than the two processors that we count on: much of the time is waiting, for git, processes and the disk.
    maxWorkers: 4,
    // Ten times what the longest ordinary test takes on a quiet machine: only what hangs runs into it, not what is slow.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
    // git reads nobody's own configuration.
    env: { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" },
    reporters: ["default", plainReporter()],
    coverage: {
      provider: "v8",
      include: ["src/**/*.ts"],
      reporter: ["text", "html"],
      thresholds: {
        lines: 85,
        statements: 85,
        functions: 85,
        branches: 80,
        "src/domain/**": { lines: 100, statements: 100, functions: 100, branches: 100 },
      },
    },
  },
});
