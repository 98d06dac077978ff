import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { check } from "../../src/cli/commands/check.ts";
import { printerTo } from "../../src/cli/printer.ts";
import { type LocalGitHub, startLocalGitHub } from "../../src/demo/github/start.ts";
import { describeConfined } from "../adapters/sandbox/bubblewrap-here.ts";
import { ASKS_THE_PROXY, hostEnvironment, PROVIDER } from "./trial-ground.ts";

/** What a stranger would write to drive a terminal, or to be seen by nobody. */
const HOSTILE = "pwned\u001b]0;title\u0007\u202e\u2028\u009b31m";
const FILE = ".github/flotilla.yml";
const file = (setup: string, evidence: string) =>
  JSON.stringify({ setup: { commands: [setup], cache: ["own"] }, evidence: { commands: [evidence] } });

let root: string;
let github: LocalGitHub;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "flotilla-check-"));
  github = await startLocalGitHub({
    directory: mkdtempSync(join(root, "github-")),
    repositories: [
      {
        name: "green",
        files: {
          "made.txt": "made\n",
          [FILE]: file(
            'test -f made.txt && touch ready "$FLOTILLA_CACHE/own/ready"',
            'test -f ready && test -z "$FLOTILLA_CACHE$MODEL_API_KEY"',
          ),
        },
      },
      { name: "red", files: { [FILE]: file("echo key-of-the-model; exit 7", "true") } },
      { name: "loads", files: { [FILE]: file(ASKS_THE_PROXY, "true") } },
      {
        name: "unserved",
        files: {
          [FILE]: JSON.stringify({
            services: { db: { run: "echo no disk; exit 1", ready: "false" } },
            evidence: { commands: ["true"] },
          }),
        },
      },
      { name: "long", files: { [FILE]: file("echo begun; exec sleep 600", "true") } },
      { name: "faulty", files: { [FILE]: "rolls: {}\nevidence: { commands: [touch ran] }\n" } },
      { name: "plain", files: { Makefile: "test:\n\ttest -f Makefile\n" } },
      { name: "unknown", files: { "README.md": "# Unknown\n" } },
      { name: "open", private: false, files: { Makefile: "test:\n\ttrue\n" } },
      {
        name: "hostile",
        files: { [FILE]: file("true", `printf '\\033[2J\\n\\nacme/x MERGED'; false # ${HOSTILE}`) },
      },
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

/** A directory with this configuration and no data directory yet. */
function aHome(config: string) {
  const cwd = mkdtempSync(join(root, "home-"));
  writeFileSync(join(cwd, "config.yaml"), `${config}\nruntime: { provider: ${PROVIDER} }\n`);
  const env = hostEnvironment(github, join(cwd, "data"));
  const left = () => readdirSync(join(cwd, "data")).filter((name) => name.startsWith("doctor-"));
  return { cwd, env, left };
}

const UNCONFINED = "sandbox: { mode: none }";

async function checked(repo: string, { config = UNCONFINED, json = false } = {}) {
  const home = aHome(config);
  const lines: string[] = [];
  const print = printerTo((line) => void lines.push(line));
  const { cwd, env } = home;
  const code = await check.run({ cwd, env, print, complain: print, args: [], options: { repo, json } });
  return { code, lines, text: lines.join("\n"), left: home.left };
}

describe("flotilla check --repo", () => {
  test("names the faults of the repository's file as --file does, and runs nothing", async () => {
    const { code, lines } = await checked("acme/faulty");
    expect(code).toBe(1);
    expect(lines).toEqual([
      `fault: ${FILE}: rolls: unknown key. Did you mean "roles"?`,
      "1 fault to fix; nothing was run.",
    ]);
  });

  test("prints the file that the repository suggests where it has none, and tries it", async () => {
    const { code, text, lines, left } = await checked("acme/plain");
    expect(text).toContain("acme/plain has no .github/flotilla.yml");
    expect(lines).toContain("    - make test # Makefile has a target test");
    expect(lines.slice(-3)).toEqual([
      "acceptance: make test",
      expect.stringMatching(/^ {2}succeeded in \d+ s$/),
      "The command succeeded: agents can work with this.",
    ]);
    expect([code, left()]).toEqual([0, []]);
  });

  test("proposes nothing where nothing is recognised, and says so", async () => {
    const { code, lines } = await checked("acme/unknown");
    expect(code).toBe(1);
    expect(lines).toEqual([expect.stringContaining("no lock file or manifest at its top")]);
  });

  test("tries the operator's commands where there is no file and nothing is recognised", async () => {
    const config = `${UNCONFINED}\nevidence: { commands: ["test -f README.md"] }`;
    const { code, lines } = await checked("acme/unknown", { config });
    expect([code, lines.includes("acceptance: test -f README.md")]).toEqual([0, true]);
  });

  test.each([
    ["acme/other", "does not exist, or the App is not installed there"],
    ["shop", "is no name of a repository"],
    ["acme/open", "is public, and agents run unconfined"],
  ])("runs nothing in %s, and says why", async (name, why) => {
    const { code, lines } = await checked(name);
    expect([code, lines.at(-1)]).toEqual([1, expect.stringContaining(why)]);
    expect(lines.join("\n")).not.toContain("acceptance:");
  });

  test.each([false, true])(
    "prints of a stranger's commands and their output only what a terminal shows, with JSON: %s",
    async (json) => {
      const { lines } = await checked("acme/hostile", { json });
      for (const line of lines) expect(line).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
      expect(lines.join("\n")).toContain(String.raw`pwned\u001b`);
    },
  );

  test("says the same as JSON, once", async () => {
    const { code, lines } = await checked("acme/red", { json: true });
    expect([code, lines.length]).toEqual([1, 1]);
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({
      repository: "acme/red",
      ok: false,
      file: "in_order",
      proposal: null,
      faults: [],
      hindrance: null,
      stopped: false,
      commands: [{ kind: "setup", exitCode: 7, output: "[redacted]\n", refusedHosts: [] }],
    });
  });
});

describeConfined("flotilla check --repo in the sandbox", () => {
  const config = "sandbox: { mode: bubblewrap }";

  test("tries setup and acceptance commands as for an agent, tells the time of each, and leaves nothing", async () => {
    const { code, lines, left } = await checked("acme/green", { config });
    expect(lines).toEqual([
      "acme/green: .github/flotilla.yml is in order.",
      "Checking out the default branch and running its commands in the sandbox of an agent.",
      expect.stringMatching(/^setup: test -f made\.txt/),
      expect.stringMatching(/^ {2}succeeded in \d+ s$/),
      expect.stringMatching(/^acceptance: test -f ready/),
      expect.stringMatching(/^ {2}succeeded in \d+ s$/),
      "All 2 commands succeeded: agents can work with this.",
    ]);
    expect([code, left()]).toEqual([0, []]);
  });

  test("shows how a setup command failed, and goes no further", async () => {
    const { code, lines, left } = await checked("acme/red", { config });
    expect(lines.slice(2)).toEqual([
      "setup: echo key-of-the-model; exit 7",
      expect.stringMatching(/^ {2}failed after \d+ s \(exit code 7\)$/),
      "  The end of its output:",
      "    [redacted]",
      "  No agent can show that its work is done while this fails: fix the command or the branch.",
      "1 of the commands failed: `echo key-of-the-model; exit 7`. Nothing after it was run.",
    ]);
    expect([code, left()]).toEqual([1, []]);
  });

  test("names the service that was not ready, for which an acceptance command did not run", async () => {
    const { code, lines, left } = await checked("acme/unserved", { config });
    expect(lines.slice(2)).toEqual([
      "acceptance: true",
      expect.stringMatching(/^ {2}was not run: the service `db` did not become ready: .* no disk$/),
      expect.stringMatching(/^ {2}Correct `services\.db` in the configuration or the repository's own file/),
      "1 of the commands failed: `true`.",
    ]);
    expect([code, left()]).toEqual([1, []]);
  });

  test("names the host that the proxy refused, and who can permit it", async () => {
    const network = `${config}\nsetup: { network: [example.com] }`;
    const { code, text } = await checked("acme/loads", { config: network });
    expect(text).toContain("Flotilla's proxy refused `registry.npmjs.org`: the operator can add it");
    expect(code).toBe(1);
  });

  test("ends its command and removes its checkout after Ctrl-C", async () => {
    const { cwd, env, left } = aHome(config);
    const main = join(import.meta.dirname, "../../src/main.ts");
    const args = [main, "check", "--repo", "acme/long"];
    const child = spawn(process.execPath, args, { cwd, env: { ...env, PATH: process.env["PATH"] ?? "" } });
    const ended = new Promise((resolve) => child.once("exit", resolve));
    const lines: string[] = [];
    for await (const line of createInterface({ input: child.stdout })) {
      lines.push(line);
      if (line.startsWith("setup: ")) child.kill("SIGINT");
    }
    expect(await ended).toBe(1);
    expect(lines.at(-1)).toBe("Stopped. The checkout and what it loaded are removed.");
    expect(left()).toEqual([]);
  });
});
