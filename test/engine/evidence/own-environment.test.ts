import { expect, it } from "vitest";
import { someSettings } from "../../factories/some-settings.ts";
import { decisionsOn, stateOf, toldTo } from "../look.ts";
import { labeled, said, tell } from "../people.ts";
import { aRig, REPOSITORY, type Rig } from "../rig.ts";
import { after, edit, escalate, on, say, work } from "../scripts.ts";

const FILE = ".github/flotilla.yml";
const SETTINGS = {
  setup: {
    commands: ["npm ci"],
    network: [],
    cache: [],
    reuse: [],
    repositoriesMay: { commands: true, services: true, hosts: [] },
    environment: { A: "ours", B: "ours" },
  },
  evidence: { ...someSettings().evidence, commands: ["npm test"] },
};
const written = (variables: string) => `setup: { environment: ${variables} }`;
const linesRun = (rig: Rig) => rig.runner.ran.map(({ line }) => line);
/** A later reading of the repository's file. */
async function laterSaid(rig: Rig, text: string): Promise<void> {
  rig.clock.advance(rig.context.settings.reconcileEveryMs);
  await tell(rig, said(rig, 1, text));
}

it("the variables of the repository's file reach agent, setup and acceptance commands, and the prompt names them", async () => {
  const rig = await aRig({ settings: SETTINGS, script: [on(1, ...work)] });
  rig.repository.files.set(FILE, written('{ B: "theirs", C: "$HOME\\nnot printed" }'));
  await tell(rig, labeled(rig, 1));
  expect(await stateOf(rig)).toBe("COMPLETED");
  const environment = { A: "ours", B: "theirs", C: "$HOME\nnot printed" };
  expect(linesRun(rig)).toEqual(["npm ci", "npm ci", "npm test"]);
  for (const { env } of rig.runner.ran)
    expect(env).toEqual({
      ...environment,
      PATH: "/usr/bin:/bin",
      CI: "true",
      HOME: expect.any(String),
      TMPDIR: expect.any(String),
    });
  expect(rig.runtime.opened.map((spec) => spec.environment)).toEqual([environment]);
  const prompt = rig.runtime.opened[0]?.systemPrompt ?? "";
  expect(prompt).toContain("commands that check your work: A, B, C\n");
  expect(prompt + toldTo(rig).join("")).not.toContain("not printed");
});

it("a variable with the name of one of ours, which no file may set, replaces none of ours", async () => {
  const environment = { PATH: "/theirs", HOME: "/theirs", CI: "theirs", TMPDIR: "/theirs" };
  const setup = { ...SETTINGS.setup, environment };
  const rig = await aRig({ settings: { ...SETTINGS, setup }, script: [on(1, ...work)] });
  await tell(rig, labeled(rig, 1));
  expect(rig.runner.ran.length).toBeGreaterThan(1);
  for (const { env } of rig.runner.ran) expect(Object.values(env).join()).not.toContain("theirs");
});

it("without variables nothing is added", async () => {
  const rig = await aRig({ script: [on(1, ...work)] });
  await tell(rig, labeled(rig, 1));
  expect(rig.runtime.opened[0]?.environment).toEqual({});
  expect(rig.runtime.opened[0]?.systemPrompt).not.toContain("environment variables");
});

it("what an agent writes to its branch changes no variable: the default branch alone is read", async () => {
  const rig = await aRig({
    settings: SETTINGS,
    script: [on(1, edit(FILE, written("{ A: mine }")), ...work)],
  });
  await tell(rig, labeled(rig, 1));
  expect(linesRun(rig)).toContain("npm ci");
  expect(new Set(rig.runner.ran.map(({ env }) => env["A"]))).toEqual(new Set(["ours"]));
});

it("a faulty file keeps the variables that it set last", async () => {
  const rig = await aRig({ settings: SETTINGS, script: [on(1, escalate, after("answers", escalate))] });
  rig.repository.files.set(FILE, written("{ A: theirs }"));
  await tell(rig, labeled(rig, 1));
  rig.repository.files.set(FILE, written("{ A: later, PATH: /tmp }"));
  await laterSaid(rig, "/flotilla answer This answers it.");
  expect(rig.context.settingsOf(REPOSITORY.id).setup.environment).toEqual({ A: "theirs", B: "ours" });
  expect(await decisionsOn(rig, 0)).toContain("repository_file_faulty");
});

it("setup runs again when a variable changes, in the next period and with the new value, and not otherwise", async () => {
  const rig = await aRig({ settings: SETTINGS, script: [on(1, escalate, escalate, escalate, escalate)] });
  rig.repository.files.set(FILE, written("{ A: one, C: x, D: y }"));
  await tell(rig, labeled(rig, 1));
  expect(rig.runner.ran).toHaveLength(1);
  rig.repository.files.set(FILE, written("{ D: y, C: x, A: one }"));
  await laterSaid(rig, "/flotilla answer Continue.");
  expect(rig.runner.ran).toHaveLength(1);
  rig.repository.files.set(FILE, written("{ C: x, A: two, D: y }"));
  await laterSaid(rig, "/flotilla answer Continue.");
  expect(rig.runner.ran.map(({ env }) => env["A"])).toEqual(["one", "two"]);
  expect(rig.runtime.opened.map(({ environment }) => environment["A"])).toEqual(["one", "one", "two"]);
});

it("a variable that changes while setup runs makes it run again before the next message", async () => {
  const rig = await aRig({ settings: SETTINGS, script: [on(1, say("Where do I begin?"), ...work)] });
  rig.repository.files.set(FILE, written("{ A: one }"));
  let changed: Promise<void> | undefined;
  rig.runner.ends.set("npm ci", () => {
    rig.repository.files.set(FILE, written("{ A: two }"));
    changed ??= rig.store.repositories
      .get(REPOSITORY.id)
      .then((row) => row && rig.context.ownSettings.refresh(row));
    return {};
  });
  // The new file is read before the command's end is kept.
  const add = rig.store.evidence.add.bind(rig.store.evidence);
  rig.store.evidence.add = async (row) => {
    await changed;
    return add(row);
  };
  await tell(rig, labeled(rig, 1));
  const setups = rig.runner.ran.filter(
    ({ line, cwd }) => line === "npm ci" && cwd === rig.runner.ran[0]?.cwd,
  );
  expect(setups.map(({ env }) => env["A"])).toEqual(["one", "two"]);
});
