import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createGitHub } from "../../src/adapters/github/api/create-github.ts";
import { openStore } from "../../src/adapters/store/sqlite/open.ts";
import { doctor } from "../../src/cli/commands/doctor.ts";
import { DECLARED } from "../../src/cli/declared.ts";
import { tryNamed } from "../../src/cli/try-named.ts";
import { loadConfig } from "../../src/config/load-config.ts";
import { type LocalGitHub, startLocalGitHub } from "../../src/demo/github/start.ts";
import type { Log } from "../../src/domain/ports/log.ts";
import { serverUrls } from "../../src/server/server-urls.ts";
import { systemClock } from "../../src/server/system-clock.ts";
import { describeConfined } from "../adapters/sandbox/bubblewrap-here.ts";
import { ASKS_THE_PROXY, hostEnvironment, PROVIDER } from "./trial-ground.ts";

const SILENT: Log = { debug() {}, info() {}, warn() {}, error() {} };
const UNCONFINED = "sandbox: { mode: none }";
const ASKS_FOR_A_HOST =
  "node -e \"require('node:dns').lookup('registry.npmjs.org', (e) => { if (e) throw e; })\"";

const redact = (text: string): string => text.replaceAll("key-of-the-model", "[redacted]");

let root: string;
let github: LocalGitHub;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "flotilla-try-"));
  github = await startLocalGitHub({
    directory: mkdtempSync(join(root, "github-")),
    repositories: [
      { name: "shop", files: { "made.txt": "made\n" } },
      { name: "open", private: false },
      {
        name: "own",
        files: {
          ".github/flotilla.yml":
            'evidence: { commands: ["test -f .github/flotilla.yml"] }\nsetup: { environment: { GREETING: "$HOME" } }\n',
        },
      },
      { name: "faulty", files: { ".github/flotilla.yml": "rolls: {}\n" } },
      { name: "unheard", files: { "made.txt": "made\n" } },
      { name: "other", installed: false },
    ],
    people: {},
    strict: true,
  });
});
afterAll(async () => {
  await github.close();
  rmSync(root, { recursive: true });
});

interface Commands {
  readonly setup?: readonly string[];
  readonly network?: readonly string[];
  readonly evidence?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly more?: string;
}

/** A data directory that is a working directory too, with this configuration and a database that knows these repositories. */
async function aHome(
  { setup = [], network = [], evidence = [], environment = {}, more = UNCONFINED }: Commands,
  known: readonly string[],
) {
  const cwd = mkdtempSync(join(root, "home-"));
  const written = {
    setup: { commands: setup, network, cache: ["npm"], environment },
    evidence: { commands: evidence },
  };
  writeFileSync(
    join(cwd, "config.yaml"),
    [more, `runtime: { provider: ${PROVIDER} }`, flow(written)].join("\n"),
  );
  await know(cwd, known);
  const env = hostEnvironment(github, cwd);
  return { cwd, env };
}

/** What trying these commands finds, what was shown meanwhile, and what is left in the data directory. */
async function trial(
  commands: Commands,
  args: readonly string[] = [],
  known: readonly string[] = ["acme/shop"],
) {
  const { cwd, env } = await aHome(commands, known);
  const { config } = loadConfig({ env, cwd, ...DECLARED });
  const client = createGitHub({
    appId: github.app.id,
    privateKey: github.app.privateKey,
    baseUrl: serverUrls(config.environment).apiUrl,
    markerSecret: "",
    labels: [],
    clock: systemClock,
    log: SILENT,
    minted: () => {},
  });
  const shown: string[] = [];
  const findings = await tryNamed(
    { env, cwd, args },
    { config, github: client, log: SILENT, redact },
    { show: (what) => void shown.push(what) },
  );
  return { findings, shown, left: readdirSync(cwd).filter((name) => name.startsWith("doctor-")) };
}

async function know(dataDir: string, names: readonly string[]): Promise<void> {
  const store = await openStore({ path: join(dataDir, "flotilla.db") });
  for (const name of names) {
    const { repository } = github.state(name);
    await store.repositories.put({
      id: repository.id,
      owner: "acme",
      name: repository.name,
      installationId: github.installation.id,
      private: repository.private,
      defaultBranch: "main",
    });
  }
  await store.close();
}

/** JSON is YAML too. */
function flow(value: Readonly<Record<string, unknown>>): string {
  return Object.entries(value)
    .map(([key, one]) => `${key}: ${JSON.stringify(one)}`)
    .join("\n");
}

const beside = (services: object) => `${UNCONFINED}\n${flow({ services })}`;

/** A command that fails unless the variable has the value. */
const sees = (value: string) => `test "$GREETING" = '${value}'`;

describe("a trial of the commands", () => {
  test("runs them in a clean checkout, each as an agent would, and leaves nothing", async () => {
    const { findings, shown, left } = await trial({
      setup: ['test -f made.txt && touch ready "$HOME/ready" "$FLOTILLA_CACHE/npm/ready"'],
      evidence: [
        "test -f ready",
        'test -z "$FLOTILLA_CACHE$MODEL_API_KEY" && test -f "$HOME/ready" && test "$HOME" != "$PWD" && test "$CI" = true',
      ],
    });
    expect(findings).toEqual([]);
    expect(shown).toHaveLength(3);
    expect(shown[1]).toBe("acme/shop: test -f ready");
    expect(left).toEqual([]);
  });

  test("says what each lacks, and no secret that it printed", async () => {
    const { findings, left } = await trial({
      evidence: ["flotilla-cargo build", "echo key-of-the-model; exit 3"],
    });
    expect(findings).toEqual([
      {
        about: "acme/shop",
        what: "the acceptance command `flotilla-cargo build` does not find flotilla-cargo",
        next: expect.stringContaining("docs/deploy.md"),
      },
      {
        about: "acme/shop",
        what: expect.stringContaining("(exit code 3); it ended with: [redacted]"),
        next: expect.stringContaining("No agent can show that its work is done"),
      },
    ]);
    expect(left).toEqual([]);
  });

  test("goes no further than a setup command that fails", async () => {
    const { findings, shown } = await trial({ setup: ["false", "true"], evidence: ["false"] });
    expect(findings.map(({ what }) => what)).toEqual([
      "the setup command `false` fails on the default branch (exit code 1)",
    ]);
    expect(shown).toEqual(["acme/shop: false"]);
  });

  test("are those of the repository's own file, and the configuration's where that is faulty", async () => {
    const known = ["acme/own", "acme/faulty"];
    const { findings, shown } = await trial({ evidence: ["true"] }, [], known);
    expect(shown).toEqual(["acme/own: test -f .github/flotilla.yml", "acme/faulty: true"]);
    expect(findings).toEqual([
      {
        about: "acme/faulty",
        what: expect.stringContaining('rolls: unknown key. Did you mean "roles"?'),
        next: expect.stringContaining("flotilla check --file"),
      },
    ]);
  });

  test("see the environment variables of the configuration and of the repository's own file", async () => {
    const there = await trial({ setup: [sees("$HOME")], environment: { GREETING: "no" } }, [], ["acme/own"]);
    expect(there.findings).toEqual([]);
    const here = await trial({ evidence: [sees("hello")], environment: { GREETING: "hello" } });
    expect(here.findings).toEqual([]);
    expect((await trial({ evidence: [sees("hello")] })).findings).toHaveLength(1);
  });

  test("runs acceptance commands beside the services, and setup commands without them", async () => {
    const seen = 'test "$GREETING" = hello && test -f "$HOME/services/greeter/up"';
    const services = {
      greeter: {
        run: 'touch "$FLOTILLA_SERVICE_DIR/up"; exec sleep 60',
        ready: 'test -f "$FLOTILLA_SERVICE_DIR/up"',
        env: { GREETING: "hello" },
      },
    };
    const sound = { setup: ['test -z "$GREETING"'], evidence: [seen, "exit 3"], more: beside(services) };
    const { findings } = await trial(sound);
    expect(findings.map(({ what }) => what)).toEqual([expect.stringContaining("`exit 3` fails")]);
    const broken = { greeter: { run: "echo key-of-the-model; exit 1", ready: "false" } };
    const faulty = await trial({ evidence: ["true", "true"], more: beside(broken) });
    expect(faulty.shown).toHaveLength(1);
    expect(faulty.findings.map(({ what }) => what)).toEqual([
      "the service `greeter` did not become ready: `echo key-of-the-model; exit 1` ended (exit code 1) before `false` exited with 0; it must stay in the foreground; its output ended with: [redacted]",
    ]);
  });

  test("looks where it is told to, also where no webhook came from, and says where it cannot", async () => {
    const args = ["Acme/Shop", "acme/unheard", "acme/shoe", "acme/other", "shop"];
    const { findings, shown } = await trial({ evidence: ["test -f made.txt"] }, args);
    expect(shown).toEqual(["acme/shop: test -f made.txt", "acme/unheard: test -f made.txt"]);
    const what = "does not exist, or the App is not installed there, so nothing was run";
    const next = "Install the App on it, or name one of acme/shop";
    expect(findings).toEqual([
      { about: "acme/shoe", what, next },
      { about: "acme/other", what, next },
      { about: "shop", what: "is no name of a repository", next: "Write it as owner/name" },
    ]);
  });

  test("before any webhook takes those that the configuration names", async () => {
    const more = `${UNCONFINED}\nrepositories: ["other/*", "acme/unheard"]`;
    const { findings, shown } = await trial({ evidence: ["flotilla-cargo"], more }, [], []);
    expect(shown).toEqual(["acme/unheard: flotilla-cargo"]);
    expect(findings.map(({ next }) => next)).toEqual([expect.stringContaining("docs/deploy.md")]);
  });

  test("runs nothing unconfined that anybody may have written", async () => {
    const { findings, shown } = await trial({ evidence: ["true"] }, [], ["acme/open"]);
    expect(findings.map(({ what }) => what)).toEqual(["is public, and agents run unconfined"]);
    expect(shown).toEqual([]);
  });

  test("is made by doctor when it is asked to, and else not", async () => {
    const home = await aHome({ evidence: ["flotilla-cargo build"] }, ["acme/shop"]);
    const said: string[] = [];
    const print = (line: string): void => void said.push(line);
    const shell = { ...home, print, complain: print, args: [] };
    for (const run of [false, true])
      expect(await doctor.run({ ...shell, options: { run, json: true } })).toBe(1);
    expect(said.map((line) => line.includes("does not find flotilla-cargo"))).toEqual([false, true]);
  });

  test("of nothing says so", async () => {
    expect((await trial({})).findings[0]?.what).toContain("there is nothing to run");
    expect((await trial({ evidence: ["true"] }, [], [])).findings[0]?.what).toContain("none is known yet");
  });
});

describeConfined("a trial of the commands in the sandbox", () => {
  const more = "sandbox: { mode: bubblewrap }";

  test.each([
    ["by name", ASKS_FOR_A_HOST, []],
    ["through the proxy", ASKS_THE_PROXY, ["example.com"]],
  ])("names the host that a setup command asks for %s and may not reach", async (_, command, network) => {
    const { findings } = await trial({ setup: [command], network, more });
    expect(findings).toEqual([
      {
        about: "acme/shop",
        what: `the setup command \`${command}\` asks for registry.npmjs.org, which it may not reach`,
        next: "Add registry.npmjs.org to setup.network",
      },
    ]);
  });
});
