import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { parse } from "yaml";
import { onboard } from "../../src/cli/commands/onboard.ts";
import { GitHubError } from "../../src/domain/kernel/errors.ts";
import { startControl } from "../../src/server/control/control-server.ts";
import { onboardsWith } from "../../src/server/onboarding/onboards-with.ts";
import { decisionsOn } from "../engine/look.ts";
import { aRig, REPOSITORY, type RigOptions } from "../engine/rig.ts";
import { aDomainEvent } from "../factories/an-occurrence.ts";
import { close, person } from "../fakes/github-world.ts";

const log = { debug() {}, info() {}, warn() {}, error() {} };
const FILE = ".github/flotilla.yml";
const sweep = async () => ({ asked: 0, later: 0 });

/** A rig's engine behind a control socket that proposes files. */
async function serving(options: RigOptions = {}) {
  const rig = await aRig(options);
  const { store, github, engine, clock } = rig;
  const { settings } = rig.context;
  await store.repositories.put({ ...REPOSITORY, private: true, defaultBranch: "main" });
  const dataDir = mkdtempSync(join(tmpdir(), "onboard-"));
  const proposes = onboardsWith({ store, github, settings, log, clock, operations: engine.operations });
  const parts = { store, operations: engine.operations, poke: () => {}, sweep, log };
  const end = await startControl({ dataDir, ...parts, onboard: proposes });
  onTestFinished(async () => {
    await end();
    rmSync(dataDir, { recursive: true });
  });
  const say = async (args: readonly string[], given: Record<string, boolean> = {}) => {
    const lines: string[] = [];
    const print = (line: string): void => void lines.push(line);
    const env = { FLOTILLA_DATA_DIR: dataDir };
    const code = await onboard.run({ env, cwd: "/", print, complain: print, options: given, args });
    return [code, lines.join("\n")] as const;
  };
  return { rig, say };
}

const closed = async ({ rig }: Awaited<ReturnType<typeof serving>>, number: number, merged: boolean) => {
  close(rig.repository, number, { merged, by: person("alice") });
  const headRef = rig.repository.pulls.get(number)?.headRef ?? "";
  await rig.engine.handle(
    aDomainEvent("proposal_closed", { delivery: `closed-${number}`, pull: number, merged, headRef }),
  );
};

it("opens one pull request with what the repository suggests, and names it when it is asked again", async () => {
  const { rig, say } = await serving({ settings: { level: "draft" } });
  rig.repository.files.set("go.mod", "module example.com/a\n");
  Object.assign(rig.repository.issues.get(2) ?? {}, { labels: ["feature"] });
  const url = "https://github.test/acme/shop/pull/4";
  const [code, text] = await say(["acme/shop"]);
  expect([code, text]).toEqual([
    0,
    `Opened ${url}: merge it to have the file in force, or close it to decline.`,
  ]);
  const pull = rig.repository.pulls.get(4);
  expect(pull).toMatchObject({ title: "Configure Flotilla", draft: true, headRef: "flotilla/configure" });
  expect(pull?.body).toContain("must then pass `go test ./...`");
  expect(pull?.body).toContain(
    "`#2` Feature 2: `triage` when it was opened, `feat-dev` by the label `feature`",
  );
  const proposed = rig.repository.proposed.get("flotilla/configure");
  expect(proposed?.path).toBe(FILE);
  expect(parse(proposed?.content ?? "")).toEqual({ evidence: { commands: ["go test ./..."] } });
  expect(await say(["ACME/shop"])).toEqual([0, `${url} is open and waits for people.`]);
  expect(rig.repository.pulls.size).toBe(1);
});

it("remembers that people declined it, until the operator says --again", async () => {
  const served = await serving();
  await served.say(["acme/shop"]);
  await closed(served, 4, false);
  expect(await decisionsOn(served.rig, 0)).toEqual(["file_proposed", "file_declined"]);
  const [code, text] = await served.say(["acme/shop"]);
  expect(code).toBe(1);
  expect(text).toContain("pull/4 was closed without merging (not_proposed)");
  expect(text).toContain("`flotilla onboard acme/shop --again` opens another one");
  expect(served.rig.repository.pulls.size).toBe(1);
  expect((await served.say(["acme/shop"], { again: true }))[1]).toMatch(/^Opened .*\/pull\/5:/);
  expect(served.rig.repository.pulls.get(5)?.headRef).toBe("flotilla/configure-again");
});

it("tells that it was merged, and has nothing to propose where the file is there", async () => {
  const served = await serving();
  await served.say(["acme/shop"]);
  await closed(served, 4, true);
  served.rig.repository.files.set(FILE, "# Theirs\n");
  expect(await decisionsOn(served.rig, 0)).toEqual(["file_proposed", "file_merged"]);
  const [code, text] = await served.say(["acme/shop"], { again: true });
  expect(code).toBe(1);
  expect(text).toContain(`acme/shop has ${FILE} on its default branch, merged as #4 (not_proposed)`);
});

it.each([
  [
    "an archived repository",
    "acme/shop is archived",
    (rig: { repository: { archived: boolean } }) => {
      rig.repository.archived = true;
    },
  ],
  [
    "a person's file",
    `acme/shop has ${FILE} on its default branch (`,
    (rig: { repository: { files: Map<string, string> } }) =>
      void rig.repository.files.set(FILE, "evidence: {}\n"),
  ],
] as const)("writes nothing for %s", async (_, why, make) => {
  const { rig, say } = await serving();
  make(rig);
  const [code, text] = await say(["acme/shop"]);
  expect([code, text]).toEqual([1, expect.stringContaining(why)]);
  expect(rig.github.writes).toEqual([]);
});

it("says which level it needs where no pull request may leave, and writes nothing", async () => {
  const { rig, say } = await serving({ settings: { level: "comment" } });
  const [code, text] = await say(["acme/shop"]);
  expect(code).toBe(1);
  expect(text).toContain("the level of acme/shop is comment, at which no pull request leaves");
  expect(text).toContain("draft or further");
  expect(rig.github.writes).toEqual([]);
  expect(await rig.store.effects.find({})).toEqual([]);
});

it("tells which permission the App lacks, and where to give it", async () => {
  const { rig, say } = await serving();
  const advice = "Grant the App the permissions that app.yml lists.";
  const denied = new GitHubError("forbidden", "GitHub answered 403", 403, { consequence: "tell", advice });
  rig.github.failNext("addFileOnBranch", denied, "before");
  expect(await say(["acme/shop"])).toEqual([1, `GitHub answered 403 (not_proposed)\n${advice}`]);
});

it("tells a repository that nobody has heard of from one that is misspelt", async () => {
  const { say } = await serving();
  const [code, text] = await say(["no/where"]);
  expect([code, text]).toEqual([1, expect.stringContaining("Flotilla has not heard of no/where yet")]);
  for (const args of [[], ["acme"], ["acme/shop", "more"]])
    expect(await say(args)).toEqual([1, "Say `flotilla onboard owner/name [--again] [--print]`."]);
});

it("says as JSON what it says in words", async () => {
  const { say } = await serving();
  const [code, text] = await say(["acme/shop"], { json: true });
  expect(code).toBe(0);
  expect(JSON.parse(text)).toEqual({
    repository: "acme/shop",
    state: "opened",
    pull: 4,
    url: "https://github.test/acme/shop/pull/4",
  });
});

it("says that it is under way where GitHub takes its time", async () => {
  const { rig, say } = await serving();
  const retryAt = rig.clock.now() + 3_600_000;
  const limited = new GitHubError("rate_limited", "429", 429, { consequence: "park", retryAt });
  rig.github.failNext("addFileOnBranch", limited, "before");
  const asked = say(["acme/shop"]);
  await rig.until("it is parked", async () => (await rig.store.effects.find({}))[0]?.notBefore === retryAt);
  await rig.pass(60_000);
  expect(await asked).toEqual([0, expect.stringContaining("The pull request for acme/shop is under way")]);
});
