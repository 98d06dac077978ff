import { describe, expect, it } from "vitest";
import { HOUR } from "../../factories/moment.ts";
import { someSettings } from "../../factories/some-settings.ts";
import { agentOf, commentsOn, runOf, sessionsOf, stateOf, toldTo } from "../look.ts";
import { methodOf } from "../method-of.ts";
import { labeled, said, tell } from "../people.ts";
import { aRig, type Rig } from "../rig.ts";
import { after, commit, complete, edit, escalate, on, openPr, work } from "../scripts.ts";

const wanting = (evidence: Partial<ReturnType<typeof someSettings>["evidence"]>) => ({
  settings: { evidence: { ...someSettings().evidence, ...evidence } },
});
const rowsOf = async (rig: Rig) => rig.store.evidence.ofAgent((await agentOf(rig)).id);
const linesRun = (rig: Rig) => rig.runner.ran.map(({ line }) => line);

describe("acceptance commands", () => {
  const COMMANDS = wanting({ commands: ["npm run lint", "npm test"] });

  it("run in a clean checkout of the claimed commit, in an environment without a secret, and are kept", async () => {
    const rig = await aRig({ ...COMMANDS, script: [on(1, ...work)] });
    rig.runner.ends.set("npm test", { output: "10 passed, token ghp_0123456789abcdefghijABCDEFGHIJ" });
    const made: string[] = [];
    const checkout = methodOf(rig.worktrees, "checkout");
    rig.worktrees.checkout = (ref, head) => {
      made.push(head);
      return checkout(ref, head);
    };
    await tell(rig, labeled(rig, 1));
    expect(await stateOf(rig)).toBe("COMPLETED");
    const { headCommit } = await agentOf(rig);
    expect(made).toEqual([headCommit]);
    expect(rig.runner.ran).toEqual(
      ["npm run lint", "npm test"].map((line) => ({
        line,
        cwd: "/fake/worktrees/7/feat-dev-issue-1.checkout",
        env: {
          PATH: "/usr/bin:/bin",
          HOME: "/fake/worktrees/7/feat-dev-issue-1.checkout-home",
          TMPDIR: "/fake/worktrees/7/feat-dev-issue-1.checkout-home",
          CI: "true",
        },
        writable: [
          "/fake/worktrees/7/feat-dev-issue-1.checkout",
          "/fake/worktrees/7/feat-dev-issue-1.checkout-home",
        ],
        hosts: [],
        registries: false,
      })),
    );
    const rows = await rowsOf(rig);
    expect(rows.map(({ kind, commit: of, holds, exitCode }) => [kind, of, holds, exitCode])).toEqual([
      ["command", headCommit, true, 0],
      ["command", headCommit, true, 0],
    ]);
    expect(rows[1]?.output).toBe("10 passed, token [redacted]");
    expect(rig.worktrees.checkouts.size).toBe(0);
  });

  it("that fail are told with the end of their output, and run again for the next claim", async () => {
    const script = [on(1, ...work, after("this is missing", edit("fix.ts")), commit, complete)];
    const rig = await aRig({ ...COMMANDS, script });
    // As the runner gives an output that is too long.
    const output = `[9 bytes left out]\n${"x".repeat(15_982)}expected 1 to be 2`;
    rig.runner.ends.set("npm test", { exitCode: 1, output });
    rig.onCrashPoint = (point) => {
      if (point === "turn:intent" && rig.runner.ran.length > 0) rig.runner.ends.clear();
    };
    await tell(rig, labeled(rig, 1));
    expect(toldTo(rig)[1]).toMatch(/`npm test` fails on a clean checkout.*exit code 1.*expected 1 to be 2/s);
    expect(await stateOf(rig)).toBe("COMPLETED");
    expect(linesRun(rig)).toEqual(["npm run lint", "npm test", "npm run lint", "npm test"]);
  });

  it("are not run while something is missing that can be seen without them", async () => {
    const rig = await aRig({ ...COMMANDS, script: [on(1, edit(), commit, complete, escalate)] });
    await tell(rig, labeled(rig, 1));
    expect(toldTo(rig)[1]).toContain("There is no pull request");
    expect(rig.runner.ran).toEqual([]);
  });

  it("that an earlier life ran for the claim are not run again; what is missing is", async () => {
    const rig = await aRig({ ...COMMANDS, script: [on(1, ...work)] });
    const gone = Promise.withResolvers<void>();
    rig.onCrashPoint = (point) => {
      if (point !== "evidence:command") return;
      rig.life.end();
      gone.resolve();
    };
    await rig.engine.handle(labeled(rig, 1));
    await Promise.race([rig.idle(), gone.promise]);
    rig.onCrashPoint = () => {};
    expect(rig.worktrees.checkouts.size).toBe(1);
    await rig.restart();
    expect(rig.runner.killed).toEqual(["commands-1@/fake/sessions/1"]);
    expect(rig.worktrees.checkouts.size).toBe(0);
    await rig.pass(10_000);
    expect(await stateOf(rig)).toBe("COMPLETED");
    expect(linesRun(rig)).toEqual(["npm run lint", "npm test"]);
  });

  it("are cut off when the host stops, say nothing then, and are run after the restart", async () => {
    const rig = await aRig({ ...COMMANDS, script: [on(1, ...work)] });
    rig.runner.ends.set("npm run lint", "hang");
    await rig.engine.handle(labeled(rig, 1));
    await rig.until("it runs", () => rig.runner.ran.length === 1);
    await rig.engine.stop();
    expect(await agentOf(rig)).toMatchObject({ state: "SLEEPING", sleepReason: "restart" });
    expect((await runOf(rig))?.state).toBe("evaluating");
    expect(await rowsOf(rig)).toEqual([]);
    rig.runner.ends.clear();
    await rig.restart();
    await rig.pass(10_000);
    expect(await stateOf(rig)).toBe("COMPLETED");
    expect(toldTo(rig)).toHaveLength(1);
  });

  it("are cut off at max_active_duration", async () => {
    const rig = await aRig({ ...COMMANDS, script: [on(1, ...work)] });
    rig.runner.ends.set("npm run lint", "hang");
    await rig.engine.handle(labeled(rig, 1));
    await rig.until("it runs", () => rig.runner.ran.length === 1);
    await rig.work(2 * HOUR);
    await rig.idle();
    expect(await agentOf(rig)).toMatchObject({ state: "FAILED", breaker: "max_active_duration" });
    expect(await rowsOf(rig)).toEqual([]);
  });
});

describe("setup commands", () => {
  const SETUP = {
    settings: {
      setup: {
        commands: ["npm ci", "npm run build"],
        network: [],
        cache: [],
        reuse: [],
        repositoriesMay: { commands: true, services: true, hosts: [] },
        environment: {},
      },
    },
  };

  it("prepare the worktree before the first message, in the home of its shells", async () => {
    const rig = await aRig({ ...SETUP, script: [on(1, ...work)] });
    let atFirst: readonly string[] = [];
    rig.onCall = (name) => {
      if (name === "session.exchange" && atFirst.length === 0) atFirst = linesRun(rig);
    };
    await tell(rig, labeled(rig, 1));
    expect(await stateOf(rig)).toBe("COMPLETED");
    expect(atFirst).toEqual(["npm ci", "npm run build"]);
    expect(linesRun(rig)).toEqual(["npm ci", "npm run build"]);
    expect(rig.runner.ran[0]).toMatchObject({
      cwd: "/fake/worktrees/7/feat-dev-issue-1",
      env: { HOME: "/fake/sessions/1/home", CI: "true" },
    });
  });

  it("run again when a lock file changed or the directory was made again, and not otherwise", async () => {
    const rig = await aRig({ ...SETUP, script: [on(1, escalate, escalate, escalate, escalate)] });
    const answered = () => tell(rig, said(rig, 1, "/flotilla answer Continue."));
    await tell(rig, labeled(rig, 1));
    expect(rig.runner.ran).toHaveLength(2);
    rig.worktrees.write("feat-dev-issue-1", "src/shop.ts", "changed");
    await answered();
    expect(rig.runner.ran).toHaveLength(2);
    rig.worktrees.write("feat-dev-issue-1", "yarn.lock", "v2");
    await answered();
    expect(rig.runner.ran).toHaveLength(4);
    rig.worktrees.loseDirectory("feat-dev-issue-1");
    await answered();
    expect(rig.runner.ran).toHaveLength(6);
  });

  it("that fail at the first start ask a person, who sees why, and are tried again after", async () => {
    const rig = await aRig({ ...SETUP, script: [on(1, ...work)] });
    rig.runner.ends.set("npm run build", { exitCode: 1, output: "registry not reachable" });
    await tell(rig, labeled(rig, 1));
    expect(await agentOf(rig)).toMatchObject({ state: "ESCALATED", category: "setup", turns: 0 });
    expect(commentsOn(rig).join()).toMatch(/setup command `npm run build` failed \(exit code 1\)/);
    expect(commentsOn(rig).join()).toContain("registry not reachable");
    expect(toldTo(rig)).toEqual([]);
    rig.runner.ends.clear();
    await tell(rig, said(rig, 1, "/flotilla resume"));
    expect(await stateOf(rig)).toBe("COMPLETED");
    expect(linesRun(rig)).toEqual(["npm ci", "npm run build", "npm run build"]);
  });

  it("that fail after the agent changed a lock file are told to it", async () => {
    const script = [on(1, edit("package-lock.json", "broken"), escalate, after("answers", escalate))];
    const rig = await aRig({ ...SETUP, script });
    rig.onCrashPoint = (point) => {
      if (point === "turn:intent") rig.runner.ends.set("npm ci", { exitCode: 1, output: "out of sync" });
    };
    await tell(rig, labeled(rig, 1));
    await tell(rig, said(rig, 1, "/flotilla answer This answers it."));
    expect(toldTo(rig)[1]).toMatch(
      /A lock file or the repository's setup changed, and the setup command `npm ci` then failed.*out of sync/s,
    );
    expect(await sessionsOf(rig)).toHaveLength(1);
  });

  it("prepare the clean checkout before the acceptance commands", async () => {
    const settings = { ...SETUP.settings, ...wanting({ commands: ["npm test"] }).settings };
    const rig = await aRig({ settings, script: [on(1, edit(), commit, openPr, complete)] });
    await tell(rig, labeled(rig, 1));
    const inCheckout = rig.runner.ran.filter(({ cwd }) => cwd.endsWith(".checkout"));
    expect(inCheckout.map(({ line }) => line)).toEqual(["npm ci", "npm run build", "npm test"]);
  });

  it("that fail in the clean checkout leave no acceptance command to run, and are told", async () => {
    const settings = { ...SETUP.settings, ...wanting({ commands: ["npm test"] }).settings };
    const rig = await aRig({ settings, script: [on(1, ...work, after("this is missing", escalate))] });
    rig.runner.ends.set("npm run build", (cwd) => ({ exitCode: cwd.endsWith(".checkout") ? 2 : 0 }));
    await tell(rig, labeled(rig, 1));
    expect(linesRun(rig).slice(2)).toEqual(["npm ci", "npm run build"]);
    expect(toldTo(rig)[1]).toContain(
      "`npm run build` fails on a clean checkout of your commit (exit code 2)",
    );
  });
});
