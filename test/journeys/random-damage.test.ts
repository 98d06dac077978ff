import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { describeConfined } from "../adapters/sandbox/bubblewrap-here.ts";
import { WRITABLE } from "../cli/meet-damage.ts";
import { damageSeed } from "../damages.ts";
import { randomOf } from "../random.ts";
import { after, aScenario, call, makes, saysOn } from "./a-scenario.ts";
import { DamageDealer } from "./deal-damage.ts";
import { filesHolding } from "./files-holding.ts";
import { type Journey, startJourney } from "./journey.ts";
import { type HealthWatch, watchHealth } from "./watch-health.ts";
import { noteMounts } from "./writable-mounts.ts";

const SEED = damageSeed();
/** Number of damaged agents; DAMAGE_AGENTS sets more. */
const DAMAGED = Number(process.env["DAMAGE_AGENTS"] ?? 6);
const BLOCKER = 1;
const INNOCENT = [2, 3];
const CANARY = "a canary of the host that nobody gave";
/** Maximum memory of the process in KiB: huge files and endless devices must not be read. */
const MOST_MEMORY = 900_000;

/** When an agent's files are damaged. */
const TIMES = ["at work", "asleep", "dead"] as const;
const AGENTS = Array.from({ length: DAMAGED }, (_, at) => ({
  issue: BLOCKER + INNOCENT.length + 1 + at,
  time: TIMES[at % TIMES.length],
}));
const issuesOf = (time: string) => AGENTS.filter((agent) => agent.time === time).map(({ issue }) => issue);

const waits = call("report_blocked", { blocker_issue: BLOCKER, reason: "That comes first." });
const goesOn = (file: string) => after("You are awake again|earlier conversation", makes(file));
/** Pauses between two turns until the test has done its part, or for ten seconds if that can no longer be seen. */
const PAUSE = "for i in $(seq 100); do [ -e go ] && break; sleep 0.1; done";

/** What a repository's own commands can leave in the checkout and the home of an evaluation. */
const PLANTS = (canary: string) =>
  `for d in "$HOME" .; do (cd "$d"; ln -s /dev/zero zero; ln -s ${canary} out; mkfifo pipe; truncate -s 1G giant; mkdir -p a/b; chmod 0 a); done; chmod 0 "$HOME"; true`;
const BY_COMMANDS = ["worktrees/<n>/<name>.checkout", "worktrees/<n>/<name>.checkout-home"];
const CACHES = 'mkdir -p "$FLOTILLA_CACHE/npm/a"; echo made > "$FLOTILLA_CACHE/npm/a/b"; true';

const scenario = (canary: string) =>
  aScenario({
    config: {
      runtime: { max_concurrent_agents: 30 },
      setup: { commands: [CACHES], cache: ["npm"] },
      evidence: { commands: [PLANTS(canary)] },
    },
    conversations: [
      ...[...INNOCENT, ...issuesOf("asleep"), ...issuesOf("dead")].map((issue) =>
        saysOn(issue, [waits, ...goesOn(`made-${issue}.md`)]),
      ),
      ...issuesOf("at work").map((issue) =>
        saysOn(
          issue,
          [call("bash", { command: PAUSE, description: "Wait" }), ...makes(`made-${issue}.md`)],
          "earlier conversation|interrupted by a restart",
        ),
      ),
    ],
  });

describeConfined(
  `a service whose agents' files are damaged at random (DAMAGE_SEED=${SEED}, DAMAGE_AGENTS=${DAMAGED})`,
  () => {
    const top = mkdtempSync(join(tmpdir(), "flotilla-damage-"));
    const outside = join(top, "outside");
    const noted = noteMounts(top);
    const dealer = new DamageDealer(randomOf(SEED), outside);
    let journey: Journey;
    let health: HealthWatch;
    let answers: Awaited<ReturnType<HealthWatch["stop"]>>;
    let memory = 0;
    let mounts: readonly string[] = [];

    const agents = () =>
      journey.rows("SELECT id, issue, state, sleep_reason, reason, worktree_path FROM agent ORDER BY issue");
    const kindOf = (path: string) =>
      relative(journey.dataDir, path).replaceAll(/\d+/g, "<n>").replace("feat-dev-issue-<n>", "<name>");
    const all = [...INNOCENT, ...AGENTS.map(({ issue }) => issue)];
    const isWaiting = (issue: number) =>
      agents().some((agent) => agent["issue"] === issue && agent["sleep_reason"] === "blocked");
    /**
     * The agent has ended; or its commit is held for a person, because the planted damage may exceed what an agent may
     * commit; or its damage keeps the runtime from opening, which is retried until somebody ends the agent.
     */
    const isOver = ({ id, state, sleep_reason: waitsFor }: Readonly<Record<string, unknown>>) =>
      ["COMPLETED", "FAILED", "ESCALATED"].includes(String(state)) ||
      waitsFor === "approval" ||
      (waitsFor === "retry" && triesOf(Number(id)) > 2);
    const triesOf = (id: number) =>
      journey.rows("SELECT 1 FROM transition WHERE machine = 'run' AND event = 'ERROR' AND agent_id = ?", id)
        .length;
    const left = () => readdirSync(outside).map((name) => [name, lstatSync(join(outside, name)).mode]);

    /** Damages what these agents could write, and with `shared` what all setups of the repository could write. */
    function strike(time: string, shared: boolean): void {
      const others = agents().filter(({ issue }) => !issuesOf(time).includes(Number(issue)));
      const kept = others.flatMap(({ id, worktree_path: worktree }) => [
        String(worktree),
        join(journey.dataDir, "sessions", String(id)),
      ]);
      const present = noted.read().filter((path) => path.startsWith(journey.dataDir));
      const own = present.filter((path) => !kept.includes(path));
      const caches = own.filter((path) => path.startsWith(join(journey.dataDir, "caches")));
      for (const { id, issue, worktree_path: worktree } of agents()) {
        if (!issuesOf(time).includes(Number(issue))) continue;
        const mine = [String(worktree), join(journey.dataDir, "sessions", String(id))];
        dealer.deal(own.filter((path) => mine.includes(path)));
      }
      if (shared) dealer.deal(caches);
    }

    beforeAll(async () => {
      mkdirSync(outside);
      writeFileSync(join(outside, "canary"), CANARY, { mode: 0o640 });
      journey = await startJourney({
        scenario: scenario(join(outside, "canary")),
        confined: true,
        // A damaged directory can block the runtime while it opens: four times before the agent fails.
        env: { PATH: noted.path, FLOTILLA_OPEN_LIMIT_MS: "15000" },
        patience: 240,
      });
      health = watchHealth(journey);
      const octocat = journey.github.as("octocat");
      await octocat.openIssue({ title: "First", body: "By hand." });
      for (const issue of all) await octocat.openIssue({ title: `Work ${issue}`, body: "Do it." });
      for (const issue of all) await octocat.label(issue, "feature");

      const working = () =>
        journey.rows("SELECT count(*) AS n FROM tool_call WHERE tool = 'bash'")[0]?.["n"] ===
        issuesOf("at work").length;
      await journey.until("they are at work", working);
      strike("at work", false);
      for (const agent of agents())
        if (issuesOf("at work").includes(Number(agent["issue"])))
          writeFileSync(join(String(agent["worktree_path"]), "go"), "");

      const sleepers = [...INNOCENT, ...issuesOf("asleep"), ...issuesOf("dead")];
      await journey.until("the others sleep", () => sleepers.every(isWaiting));
      strike("asleep", true);
      await health.away(async () => {
        await journey.served().stop("SIGKILL");
        strike("dead", true);
        await journey.restart("SIGKILL");
      });
      await octocat.close(BLOCKER);
      await journey.until("nobody is at work any more", () => agents().every(isOver));
      await journey.quiet();
      answers = await health.stop();
      memory = Number(
        /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${journey.served().pid}/status`, "utf8"))?.[1],
      );
      mounts = noted.read();
    }, 600_000);
    afterAll(async () => {
      await journey.close();
      rmSync(top, { recursive: true, force: true });
    }, 180_000);

    it("damages exactly the kinds of directories that the sandbox makes writable", () => {
      const opened = mounts.filter((path) => !/\/flotilla-probe-[^/]+\/work$/.test(path));
      const damaged = [...[...dealer.struck].map(kindOf), ...BY_COMMANDS];
      expect([...new Set(damaged)].toSorted()).toEqual([...new Set(opened.map(kindOf))].toSorted());
      // Only the tests of the directories have their own list.
      const listed = new Set(WRITABLE.map((path) => path.split("/")[0]));
      expect(opened.filter((path) => !listed.has(kindOf(path).split("/")[0]))).toEqual([]);
    });

    it("keeps running, always answers, and stays within its memory limit", () => {
      expect(answers.faults).toEqual([]);
      expect(answers.answered).toBeGreaterThan(20);
      expect(memory).toBeLessThan(MOST_MEMORY);
    });

    it("completes undamaged work; damaged work completes, ends with a reason or waits with one", () => {
      const innocent = agents().filter(({ issue }) => INNOCENT.includes(Number(issue)));
      expect(innocent.map(({ state }) => state)).toEqual(INNOCENT.map(() => "COMPLETED"));
      const ended = agents().filter(({ state }) => ["FAILED", "ESCALATED"].includes(String(state)));
      const held = journey.rows(`SELECT detail AS reason FROM approval WHERE state = 'asked'
        UNION ALL SELECT reason FROM decision WHERE rule = 'unreachable'`);
      const untrue = [...ended, ...held].filter(({ reason }) =>
        /^$|null|undefined|TypeError|RangeError|is not a function|the agent's process died/.test(
          String(reason ?? ""),
        ),
      );
      expect([dealer.dealt, untrue]).toEqual([dealer.dealt, []]);
    });

    it("reads and changes nothing outside of these directories", () => {
      expect(left()).toEqual([["canary", 0o100640]]);
      expect(readFileSync(join(outside, "canary"), "utf8")).toBe(CANARY);
      const github = journey.github.state().repository.directory;
      expect(filesHolding(journey.dataDir, [CANARY])).toEqual([]);
      expect(filesHolding(github, [CANARY])).toEqual([]);
    });

    it("violates no lifecycle invariant", async () => {
      expect(await journey.violationsAfterStop()).toEqual([]);
    });
  },
);
