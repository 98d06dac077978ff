import { execFileSync, spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text as textOf } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { openStore } from "../../src/adapters/store/sqlite/open.ts";
import { onboard } from "../../src/cli/commands/onboard.ts";
import { DECLARED } from "../../src/cli/declared.ts";
import { printerTo } from "../../src/cli/printer.ts";
import { readingGitHub } from "../../src/cli/reading-github.ts";
import { loadConfig } from "../../src/config/load-config.ts";
import { type LocalGitHub, startLocalGitHub } from "../../src/demo/github/start.ts";
import { startControl } from "../../src/server/control/control-server.ts";
import { trialSchema } from "../../src/server/onboarding/trial-request.ts";
import { describeConfined } from "../adapters/sandbox/bubblewrap-here.ts";
import { ASKS_THE_PROXY, hostEnvironment, PROVIDER } from "./trial-ground.ts";
import { UNASKED } from "./unasked-operations.ts";

const log = { debug() {}, info() {}, warn() {}, error() {} };
const URL = "https://github.test/acme/x/pull/4";
const NAMES = ["mixed", "long", "open", "locking", "unknown"];

let root: string;
let github: LocalGitHub;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "flotilla-onboard-"));
  github = await startLocalGitHub({
    directory: mkdtempSync(join(root, "github-")),
    repositories: [
      {
        name: "mixed",
        files: {
          "package.json": JSON.stringify({ scripts: { test: "node -e 0" } }),
          // `go` fails by it, and without `go` the shell does.
          "go.mod": "module example.com/a\nnonsense (\n",
        },
      },
      { name: "long", files: { Makefile: "test:\n\t@echo begun; exec sleep 600\n" } },
      {
        name: "open",
        private: false,
        files: { Makefile: 'test:\n\t@echo "key-of-the-model in $$PWD, $$HOME"; false\n' },
      },
      {
        name: "locking",
        files: {
          "package.json": JSON.stringify({ scripts: { test: "chmod 000 ." } }),
          "CMakeLists.txt": "enable_testing()\n",
        },
      },
      { name: "unknown", files: { "README.md": "# Unknown\n" } },
    ],
    people: {},
    strict: true,
  });
});
afterAll(async () => {
  await github.close();
  rmSync(root, { recursive: true });
});

const asked = z.looseObject({ repository: z.string(), trial: trialSchema.nullable() });

/** A serving process that knows the repositories, and writes down what it is asked to propose. */
async function aHome(config: string, state = "free") {
  const cwd = mkdtempSync(join(root, "home-"));
  writeFileSync(join(cwd, "config.yaml"), `${config}\nruntime: { provider: ${PROVIDER} }\n`);
  const dataDir = join(cwd, "data");
  mkdirSync(dataDir, { mode: 0o700 });
  const env = hostEnvironment(github, dataDir);
  const loaded = loadConfig({ env, cwd, ...DECLARED });
  const { github: reads } = readingGitHub({ env, cwd }, loaded.config);
  const store = await openStore({ path: join(dataDir, "flotilla.db") });
  for (const name of NAMES) {
    const ref = await reads.installedAt({ owner: "acme", name });
    if (ref !== null) await store.repositories.put({ ...ref, private: true, defaultBranch: "main" });
  }
  const bodies: z.infer<typeof asked>[] = [];
  const propose = async (body: unknown) => {
    const request = asked.parse(body);
    bodies.push(request);
    const now = request.trial === null ? state : "opened";
    return { repository: request.repository, state: now, pull: 4, url: URL };
  };
  const parts = { store, operations: UNASKED, poke() {}, sweep: async () => ({ asked: 0, later: 0 }), log };
  const end = await startControl({ dataDir, ...parts, onboard: propose });
  onTestFinished(async () => {
    await end();
    await store.close();
  });
  const left = () => readdirSync(dataDir).filter((name) => name.startsWith("doctor-"));
  const says = async (name: string, options: Record<string, boolean> = {}) => {
    const [lines, complaints]: [string[], string[]] = [[], []];
    const print = printerTo((line) => void lines.push(line));
    const complain = printerTo((line) => void complaints.push(line));
    const code = await onboard.run({ cwd, env, print, complain, args: [name], options });
    return { code, lines, complaints, text: lines.join("\n") };
  };
  return { cwd, dataDir, env, bodies, left, says };
}

/** A path by which git runs for the local GitHub in this process, and not in a sandbox, which does not see it. */
function pathWithGitAlone(): string {
  const bin = mkdtempSync(join(root, "bin-"));
  symlinkSync(execFileSync("which", ["git"], { encoding: "utf8" }).trim(), join(bin, "git"));
  return bin;
}

const trialOf = ({ bodies }: Awaited<ReturnType<typeof aHome>>) => bodies.at(-1)?.trial;

describe("flotilla onboard without a sandbox", () => {
  const UNCONFINED = "sandbox: { mode: none }";

  test("sends why nothing could be tried, and proposes all the same", async () => {
    const home = await aHome(UNCONFINED);
    const { code, lines } = await home.says("acme/open");
    expect(trialOf(home)).toEqual({ kind: "hindered", why: "is public, and agents run unconfined" });
    expect(lines.slice(1)).toEqual([
      "Nothing was tried. acme/open: is public, and agents run unconfined. Nothing is run there; set sandbox.mode: bubblewrap.",
      `Opened ${URL}: merge it to have the file in force, or close it to decline.`,
    ]);
    expect([code, home.left()]).toEqual([0, []]);
  });

  test("tries nothing with --untried, where nothing is recognised, or where no file can be proposed", async () => {
    const home = await aHome(UNCONFINED);
    expect((await home.says("acme/mixed", { untried: true })).lines).toEqual([
      expect.stringMatching(/^Opened /),
    ]);
    expect(home.bodies).toMatchObject([{ trial: { kind: "skipped" } }]);
    expect((await home.says("acme/unknown")).text).toContain("there is nothing to try");
    expect(trialOf(home)).toEqual({ kind: "skipped" });
    const open = await aHome(UNCONFINED, "open");
    expect((await open.says("acme/mixed")).lines).toEqual([`${URL} is open and waits for people.`]);
    expect(open.bodies).toMatchObject([{ trial: null }]);
  });
});

describeConfined("flotilla onboard in the sandbox", () => {
  const config = "sandbox: { mode: bubblewrap }";

  test("tries what it proposes, prints it as check does, and sends how each command ended", async () => {
    const home = await aHome(config);
    const { code, lines } = await home.says("acme/mixed");
    expect(lines.slice(0, 4)).toEqual([
      "Trying the commands in a checkout of the default branch, before they are proposed.",
      "acceptance: npm test",
      expect.stringMatching(/^ {2}succeeded in \d+ s$/),
      "acceptance: go test ./...",
    ]);
    expect(lines[4]).toMatch(/^ {2}failed after \d+ s \(exit code \d+\)$/);
    expect(lines.at(-1)).toMatch(/^Opened /);
    expect(home.bodies[0]?.trial).toBe(null);
    expect(trialOf(home)).toMatchObject({
      kind: "tried",
      commands: [
        { kind: "acceptance", command: "npm test", exitCode: 0, output: "" },
        { kind: "acceptance", command: "go test ./...", output: expect.stringContaining("go") },
      ],
    });
    expect([code, home.left()]).toEqual([0, []]);
  });

  test("sends what the proxy refused, and nothing of what a setup command kept from running", async () => {
    const setup = { commands: [ASKS_THE_PROXY], network: ["example.com"] };
    const home = await aHome(`${config}\nsetup: ${JSON.stringify(setup)}`);
    const { text } = await home.says("acme/mixed");
    expect(text).toContain("Flotilla's proxy refused `registry.npmjs.org`");
    expect(trialOf(home)).toMatchObject({
      commands: [{ kind: "setup", exitCode: 1, refusedHosts: ["registry.npmjs.org"] }],
    });
  });

  test("sends what a command printed without colours and without the directories of this host", async () => {
    const printing = [
      'echo "$FLOTILLA_CACHE/npm, $PWD/a, $HOME/b"; cat .git; printf "\\033[31mred\\033[0m\\n"',
      // A sign that nobody sees, within the path.
      "for sign in '\\033' '\\033[0m' '\\342\\200\\213'; do printf '%s' \"$PWD\" | sed \"s/./&$(printf \"$sign\" | sed 's/\\[/\\\\[/')/9\"; echo; done",
      "exit 3",
    ].join("; ");
    const home = await aHome(`${config}\nsetup: ${JSON.stringify({ commands: [printing], cache: ["npm"] })}`);
    const { text } = await home.says("acme/mixed");
    const output = expect.stringMatching(
      /^\$FLOTILLA_CACHE\/npm, \.\/a, ~\/b\ngitdir: …\/mirrors\/\S+\nred\n\.\n\.\n\.$/,
    );
    expect(trialOf(home)).toMatchObject({ commands: [{ exitCode: 3, output }] });
    expect(text).not.toContain(home.dataDir);
  });

  test("sends the very end of an output that is too long", async () => {
    const commands = ["seq 1 9000; printf the-end; exit 3"];
    const home = await aHome(`${config}\nsetup: ${JSON.stringify({ commands })}`);
    await home.says("acme/mixed");
    expect(trialOf(home)).toMatchObject({
      commands: [{ output: expect.stringMatching(/\n9000\nthe-end$/) }],
    });
  });

  test("keeps how the commands ended before one that no longer starts", async () => {
    const home = await aHome(config);
    const { code, text } = await home.says("acme/locking");
    expect(trialOf(home)).toMatchObject({
      kind: "tried",
      commands: [
        { command: "npm test", exitCode: 0 },
        { exitCode: null, notRun: { what: expect.stringContaining("Can't chdir to .: Permission denied") } },
      ],
    });
    expect(text).toContain("does not start after those before it");
    expect([code, home.left()]).toEqual([0, []]);
  });

  test("names what a sandbox lacks that does not confine", async () => {
    const home = await aHome(config);
    vi.stubEnv("PATH", pathWithGitAlone());
    onTestFinished(() => void vi.unstubAllEnvs());
    const { code, text } = await home.says("acme/mixed");
    expect(trialOf(home)).toEqual({
      kind: "hindered",
      why: expect.stringMatching(/^git cannot be kept to the files of an agent/),
    });
    expect(text).toContain("git cannot be kept to the files of an agent");
    expect([code, home.left()]).toEqual([0, []]);
  });

  test("prints with --print the file that the trial leaves, once with --json and without secrets, and sends nothing", async () => {
    const home = await aHome(config);
    const { code, text } = await home.says("acme/mixed", { print: true });
    const [, file = ""] = text.split(/^--- .*$/m);
    expect(parse(file)).toEqual({ evidence: { commands: ["npm test"] } });
    expect(text).toContain("| `go test ./...` | acceptance | failed");
    const { lines } = await home.says("acme/open", { print: true, json: true });
    expect(lines).toHaveLength(1);
    const { content, body } = z
      .looseObject({ content: z.string(), body: z.string() })
      .parse(JSON.parse(lines[0] ?? ""));
    expect(content).toContain("#     # When it was tried: failed (exit code 2).\n#     - make test");
    expect(body).toContain("[redacted] in ., ~\n");
    expect(body).not.toContain("key-of-the-model");
    expect([code, home.bodies, home.left()]).toEqual([0, [], []]);
  });

  test.each(["SIGINT", "SIGHUP"] as const)(
    "proposes nothing after %s, and leaves nothing",
    async (signal) => {
      const { cwd, env, bodies, left } = await aHome(config);
      const main = join(import.meta.dirname, "../../src/main.ts");
      const child = spawn(process.execPath, [main, "onboard", "acme/long"], {
        cwd,
        env: { ...env, PATH: process.env["PATH"] ?? "" },
      });
      const ended = new Promise((resolve) => child.once("exit", resolve));
      const complaints = textOf(child.stderr);
      for await (const line of createInterface({ input: child.stdout }))
        if (line.startsWith("acceptance: ")) child.kill(signal);
      expect(await ended).toBe(1);
      expect(await complaints).toContain("and nothing is proposed.");
      expect(bodies).toMatchObject([{ trial: null }]);
      expect(left()).toEqual([]);
    },
  );

  test("removes what a killed trial left, and not what one has that is at work", async () => {
    const { cwd, dataDir, env, left } = await aHome(config);
    const { pid: gone } = spawnSync("true");
    for (const [of, name] of [
      [gone, "aaaaaa"],
      [process.ppid, "bbbbbb"],
    ] as const)
      mkdirSync(join(dataDir, `doctor-${of}-${name}`, "worktrees"), { recursive: true });
    const main = join(import.meta.dirname, "../../src/main.ts");
    const child = spawn(process.execPath, [main, "onboard", "acme/open", "--print"], {
      cwd,
      env: { ...env, PATH: process.env["PATH"] ?? "" },
      stdio: "ignore",
    });
    expect(await new Promise((resolve) => child.once("exit", resolve))).toBe(0);
    expect(left()).toEqual([`doctor-${process.ppid}-bbbbbb`]);
  });
});
