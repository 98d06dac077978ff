import { expect, it } from "vitest";
import { OutsideError } from "../../../src/domain/kernel/errors.ts";
import { someSettings } from "../../factories/some-settings.ts";
import { agentOf, stateOf } from "../look.ts";
import { labeled, said, tell } from "../people.ts";
import { aRig, type Rig, type RigOptions } from "../rig.ts";
import { edit, escalate, on, work } from "../scripts.ts";

const BASE = someSettings();
const SETUP = { ...BASE.setup, commands: ["npm ci", "npm run more"], reuse: ["node_modules"] };
const FILES = { "package-lock.json": "v1", "package.json": "{}" };
const linesRun = (rig: Rig) => rig.runner.ran.map(({ line }) => line);

function reusing(options: RigOptions = {}): Promise<Rig> {
  return aRig({
    files: FILES,
    script: [on(1, ...work), on(2, ...work)],
    ...options,
    settings: { setup: SETUP, ...options.settings },
  });
}

async function rowsOf(rig: Rig, issue: number) {
  const agent = await agentOf(rig, `feat-dev-issue-${issue}`);
  return (await rig.store.evidence.ofAgent(agent.id)).filter(({ kind }) => kind === "setup");
}

it("runs once for a lock file, not once for each agent and check, and each row says where it was made", async () => {
  const evidence = { ...BASE.evidence, commands: ["npm test"] };
  const rig = await reusing({ settings: { setup: SETUP, evidence } });
  await tell(rig, labeled(rig, 1));
  // The check of the first agent's claim reuses what its own worktree got.
  expect(linesRun(rig)).toEqual(["npm ci", "npm run more", "npm test"]);
  await tell(rig, labeled(rig, 2));
  expect([await stateOf(rig), await stateOf(rig, "feat-dev-issue-2")]).toEqual(["COMPLETED", "COMPLETED"]);
  expect(linesRun(rig)).toEqual(["npm ci", "npm run more", "npm test", "npm test"]);
  const commit = (await agentOf(rig)).baseCommit?.slice(0, 7);
  const rows = await rowsOf(rig, 2);
  expect(rows.map(({ command, intentId }) => [command, intentId === null])).toEqual([
    ["npm ci", true],
    ["npm run more", true],
    ["npm ci", false],
    ["npm run more", false],
  ]);
  for (const row of rows) {
    expect(row).toMatchObject({ holds: true, exitCode: null });
    expect(row.output).toMatch(/^Not run: `node_modules` is reused, as these commands made it on 20/);
    expect(row.output).toContain(`at commit ${commit}.`);
  }
  const bodies = [...rig.repository.pulls.values()].map(({ body }) => body);
  expect(bodies).toHaveLength(2);
  expect(bodies.map((body) => body.includes("`npm ci`: exit 0"))).toEqual([true, false]);
  expect(bodies[1]).not.toContain("npm ci");
});

it("runs as ever for another lock file, another manifest, or changed settings", async () => {
  const rig = await reusing({ script: [1, 2, 3].map((issue) => on(issue, ...work)) });
  await tell(rig, labeled(rig, 1));
  rig.worktrees.serverCommit("main", { "package-lock.json": "v2" });
  await tell(rig, labeled(rig, 2));
  expect(linesRun(rig)).toHaveLength(4);
  rig.worktrees.serverCommit("main", { "web/package.json": "{}" });
  await tell(rig, labeled(rig, 3));
  expect(linesRun(rig)).toHaveLength(6);
});

it("finds the directories again when the settings name them in another order", async () => {
  const rig = await reusing({ settings: { setup: { ...SETUP, reuse: ["web", "lib"] } } });
  const asked: (readonly string[])[] = [];
  const keepSetup = rig.worktrees.keepSetup.bind(rig.worktrees);
  const restoreSetup = rig.worktrees.restoreSetup.bind(rig.worktrees);
  rig.worktrees.keepSetup = (ref, made) => {
    asked.push(made.directories);
    return keepSetup(ref, made);
  };
  rig.worktrees.restoreSetup = (ref, wanted) => {
    asked.push(wanted.directories);
    return restoreSetup(ref, wanted);
  };
  await tell(rig, labeled(rig, 1));
  rig.repository.files.set(".github/flotilla.yml", "setup: { reuse: [lib, web] }");
  await rig.context.ownSettings.round();
  await tell(rig, labeled(rig, 2));
  expect(linesRun(rig)).toHaveLength(2);
  expect(new Set(asked.map((names) => names.join()))).toEqual(new Set(["lib,web"]));
});

it("runs as ever where the copy cannot be used, and does not trouble the agent", async () => {
  const rig = await reusing();
  await tell(rig, labeled(rig, 1));
  rig.worktrees.restoreSetup = () => {
    throw new OutsideError("failed", "the disk is broken", { consequence: "stop" });
  };
  await tell(rig, labeled(rig, 2));
  expect(await stateOf(rig, "feat-dev-issue-2")).toBe("COMPLETED");
  expect(linesRun(rig)).toHaveLength(4);
});

it("runs again in a worktree whose lock file the agent changed", async () => {
  const rig = await reusing({
    script: [on(1, ...work), on(2, edit("package-lock.json", "v2"), escalate, ...work)],
  });
  await tell(rig, labeled(rig, 1));
  await tell(rig, labeled(rig, 2));
  await tell(rig, said(rig, 2, "/flotilla answer Go on."));
  expect(linesRun(rig)).toEqual(["npm ci", "npm run more", "npm ci", "npm run more"]);
});

it("does not keep a directory in which git has files, and says so below the last command", async () => {
  const rig = await reusing({ files: { ...FILES, "node_modules/own.js": "x" } });
  await tell(rig, labeled(rig, 1));
  await tell(rig, labeled(rig, 2));
  expect(linesRun(rig)).toHaveLength(4);
  const [first, last] = await rowsOf(rig, 1);
  expect(first?.output).not.toContain("keep");
  expect(last?.output).toContain(
    'Flotilla does not keep `node_modules` for other agents: git follows files there, such as "node_modules/own.js".',
  );
});

it("keeps nothing of a setup that changed what git follows, and nothing while the disk is short", async () => {
  const rig = await reusing();
  rig.onCall = (name) => {
    if (name === "runner.run") rig.worktrees.write("feat-dev-issue-1", "package-lock.json", "written");
  };
  await tell(rig, labeled(rig, 1));
  rig.onCall = (name) => {
    if (name === "runner.run") rig.disk.freeBytes = rig.context.settings.disk.minFreeBytes - 1;
  };
  await tell(rig, labeled(rig, 2));
  const why = async (issue: number) => (await rowsOf(rig, issue))[1]?.output;
  expect(await why(1)).toContain("the setup commands change files that git follows");
  expect(await why(2)).toContain("for other agents: the disk has no room for them.");
});
