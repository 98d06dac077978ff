import { expect, it } from "vitest";
import { SHOWN_AFTER_MS } from "../../../src/domain/evidence/running-command.ts";
import { setupReach } from "../../../src/engine/evidence/shell-reach.ts";
import { someSettings } from "../../factories/some-settings.ts";
import { agentOf, commentsOn, decisionsOn, stateOf, statusComments, toldTo } from "../look.ts";
import { labeled, said, tell } from "../people.ts";
import { aRig, REPOSITORY, type Rig } from "../rig.ts";
import { escalate, on, work } from "../scripts.ts";

const FILE = ".github/flotilla.yml";
const BASE = someSettings();
const SETTINGS = {
  setup: {
    ...BASE.setup,
    commands: ["npm ci"],
    network: ["registry.npmjs.org"],
    repositoriesMay: { commands: true, services: true, hosts: ["proxy.golang.org"] },
  },
};
const GO = "setup: { commands: [go mod download], network: [proxy.golang.org, evil.test], cache: [go] }";
const linesRun = (rig: Rig) => rig.runner.ran.map(({ line }) => line);

async function laterSaid(rig: Rig, text: string): Promise<void> {
  rig.clock.advance(rig.context.settings.reconcileEveryMs);
  await tell(rig, said(rig, 1, text));
}

it("a repository's own setup prepares worktree and checkout, with its hosts and cache, and the model reads it", async () => {
  const evidence = { ...BASE.evidence, commands: ["go test"] };
  const rig = await aRig({ settings: { ...SETTINGS, evidence }, script: [on(1, ...work)] });
  rig.repository.files.set(FILE, GO);
  await tell(rig, labeled(rig, 1));
  expect(await stateOf(rig)).toBe("COMPLETED");
  expect(linesRun(rig)).toEqual(["go mod download", "go mod download", "go test"]);
  for (const { hosts, env } of rig.runner.ran.slice(0, 2)) {
    expect(hosts).toEqual(["proxy.golang.org"]);
    expect(env["FLOTILLA_CACHE"]).toBe("/fake/caches/7");
  }
  expect(toldTo(rig).join()).toContain("go mod download");
  expect(toldTo(rig).join()).not.toContain("npm ci");
  expect(await decisionsOn(rig, 0)).toContain("repository_file_taken");
});

it("two repositories reach each what its own setup names", async () => {
  const rig = await aRig({ settings: SETTINGS, script: [on(1, ...work)] });
  rig.repository.files.set(FILE, GO);
  await tell(rig, labeled(rig, 1));
  const agent = await agentOf(rig);
  expect(rig.context.settingsOf(REPOSITORY.id + 1).setup.commands).toEqual(["npm ci"]);
  expect(await setupReach(rig.context, agent, "/own")).toMatchObject({ hosts: ["proxy.golang.org"] });
  const elsewhere = { ...agent, repositoryId: REPOSITORY.id + 1 };
  expect(await setupReach(rig.context, elsewhere, "/own")).toEqual({
    writable: ["/own"],
    hosts: ["registry.npmjs.org"],
    registries: true,
    env: {},
  });
});

it("setup runs again when the repository's setup changes, and not otherwise", async () => {
  const rig = await aRig({ settings: SETTINGS, script: [on(1, escalate, escalate, escalate, escalate)] });
  rig.repository.files.set(FILE, GO);
  await tell(rig, labeled(rig, 1));
  await laterSaid(rig, "/flotilla answer Continue.");
  expect(rig.runner.ran).toHaveLength(1);
  rig.repository.files.set(FILE, GO.replace("evil.test", "registry.npmjs.org"));
  await laterSaid(rig, "/flotilla answer Continue.");
  expect(linesRun(rig)).toEqual(["go mod download", "go mod download"]);
  rig.repository.files.set(FILE, "setup: { commands: [go mod download, go build] }");
  await laterSaid(rig, "/flotilla answer Continue.");
  expect(linesRun(rig).slice(2)).toEqual(["go mod download", "go build"]);
});

it("a setup that our proxy kept from a host says so to the person, with who can permit it", async () => {
  const rig = await aRig({ settings: SETTINGS, script: [on(1, ...work)] });
  rig.runner.ends.set("npm ci", {
    exitCode: 1,
    output: "403 Forbidden",
    refusedHosts: ["files.example.com", "proxy.golang.org"],
  });
  await tell(rig, labeled(rig, 1));
  const shown = commentsOn(rig).join();
  expect(shown).toContain("Flotilla's proxy refused `files.example.com`: the operator can add it");
  expect(shown).toContain("refused `proxy.golang.org`: add it to `setup.network` in `.github/flotilla.yml`");
  const [row] = await rig.store.evidence.ofAgent(1);
  expect(row?.output).toContain("403 Forbidden\nFlotilla's proxy refused `files.example.com`");
});

it("a setup that takes long is shown on the issue while it runs, and no longer after", async () => {
  const rig = await aRig({ settings: SETTINGS, script: [on(1, escalate)] });
  const { promise, resolve } = Promise.withResolvers<object>();
  rig.runner.ends.set("npm ci", promise);
  const keys: string[] = [];
  const add = rig.store.effects.add.bind(rig.store.effects);
  rig.store.effects.add = (rows) => {
    keys.push(...rows.map(({ key }) => key).filter((key) => key.startsWith("command:")));
    return add(rows);
  };
  await rig.engine.handle(labeled(rig, 1));
  await rig.until("it runs", () => rig.runner.ran.length === 1);
  const shows = () =>
    statusComments(rig).some((body) => body.includes("prepares its worktree: `npm ci`, since"));
  await rig.work(SHOWN_AFTER_MS);
  await rig.until("it is shown", shows);
  resolve({});
  await rig.idle();
  expect(rig.context.runningCommands.size).toBe(0);
  expect(shows()).toBe(false);
  expect(keys.map((key) => key.split(":").at(-1))).toEqual(["began", "ended"]);
});

it("a setup that is over at once writes no comment of its own", async () => {
  const rig = await aRig({ settings: SETTINGS, script: [on(1, escalate)] });
  await tell(rig, labeled(rig, 1));
  const effects = await rig.store.effects.latest("7#1", "status_comment");
  expect(effects?.key ?? "").not.toMatch(/^command:/);
});
