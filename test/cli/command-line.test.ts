import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { runFlotilla } from "../journeys/run-flotilla.ts";

const SLOW = 30_000;
const MAIN = join(import.meta.dirname, "../../src/main.ts");

describe("the command line", () => {
  const cwd = mkdtempSync(join(tmpdir(), "flotilla-commands-"));
  afterAll(() => rmSync(cwd, { recursive: true, force: true }));
  const flotilla = (...args: string[]) => runFlotilla(args, { cwd, env: { KEY: "key-of-the-model" } });

  it("lists every command in its help", { timeout: SLOW }, async () => {
    const { code, stdout } = await flotilla("help");
    expect(code).toBe(0);
    expect(stdout).toContain("Usage: flotilla <command>");
    expect(stdout).toContain("  doctor ");
  });

  it("says its version", { timeout: SLOW }, async () => {
    const { version }: { version: string } = JSON.parse(readFileSync("package.json", "utf8"));
    expect(await flotilla("--version")).toMatchObject({ code: 0, stdout: `${version}\n` });
  });

  it("refuses to run nothing, and what it does not know, on standard error", { timeout: SLOW }, async () => {
    const nothing = await flotilla();
    expect(nothing).toMatchObject({ code: 1, stdout: expect.stringContaining("Usage: flotilla <command>") });
    const pasted = [await flotilla("check", "--key-of-the-model"), await flotilla("key-of-the-model")];
    for (const { code, stdout, stderr } of pasted)
      expect({ code, stdout, stderr }).toEqual({
        code: 1,
        stdout: "",
        stderr: expect.stringMatching(/\[redacted\]"/),
      });
    expect(pasted.map(({ stderr }) => stderr).join()).not.toContain("key-of-the-model");
  });

  it("says where that is for which people of other tools type a name", { timeout: SLOW }, async () => {
    const { code, stderr } = await flotilla("status");
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/^There is no command "status"\.\n`flotilla agents list` shows/),
    });
  });

  it("has colours on a terminal, unless they are not wanted", { timeout: SLOW }, async () => {
    expect(shown({})).toContain("\u001b[1mUsage:");
    expect(shown({ NO_COLOR: "1" })).not.toContain("\u001b[");
    expect((await flotilla("help")).stdout).not.toContain("\u001b[");
  });

  it("has no agents and no deliveries to show before the first start, and says so", {
    timeout: SLOW,
  }, async () => {
    for (const name of ["agents", "deliveries"]) {
      const { code, stderr } = await flotilla(name, "list");
      expect(code).toBe(2);
      expect(stderr).toContain(`there is no database at ${join(cwd, "data", "flotilla.db")}`);
      expect(stderr).toContain("Start Flotilla once with `npm start`");
    }
  });

  it("checks a configuration without starting anything", { timeout: SLOW }, async () => {
    writeFileSync(join(cwd, "config.yaml"), GOOD);
    const good = await flotilla("check");
    expect(good.stdout).toContain(
      "config.yaml is in order. Roles: triage, feat-dev, bug-fix, docs-dev, reviewer.",
    );
    expect(good.code).toBe(0);
    expect(good.stdout).toContain(
      "notice: not set yet, and needed by `flotilla serve`: APP_ID, WEBHOOK_SECRET, PRIVATE_KEY_PATH.",
    );
    const json: unknown = JSON.parse((await flotilla("check", "--json")).stdout);
    expect(json).toMatchObject({ ok: true, faults: [], roles: expect.arrayContaining(["feat-dev"]) });

    writeFileSync(join(cwd, "config.yaml"), "sandbox: { mode: nune }\nprojct: {}\n");
    const bad = await flotilla("check");
    expect(bad.code).toBe(1);
    expect(bad.stdout).toContain(
      'fault: config.yaml: sandbox.mode: write bubblewrap or none. Did you mean "none"?',
    );
    expect(bad.stdout).toContain("fault: config.yaml: projct: unknown key.");
    const faulty = await flotilla("check", "--json");
    expect(faulty.code).toBe(1);
    expect(JSON.parse(faulty.stdout)).toMatchObject({ ok: false, roles: [] });

    writeFileSync(join(cwd, "config.yaml"), GOOD);
    const environment = { KEY: "key-of-the-model", PORT: "80800", LOG_LEVEL: "loud" };
    const wrong = await runFlotilla(["check"], { cwd, env: environment });
    expect(wrong.stdout).toMatch(/^fault: PORT: write .*\nfault: LOG_LEVEL: write .*\n[^]*2 faults to fix/);
    // What is to be done next is said once, behind all faults.
    const examined = await runFlotilla(["doctor"], { cwd, env: environment });
    expect(examined.stdout.match(/again once the configuration is right/g)).toHaveLength(1);
    expect(examined.stdout).toMatch(/^configuration: LOG_LEVEL: write [^.]*\.$/m);
    expect(examined.stdout).toMatch(/^✓ git$/m);
    expect(examined.stdout).not.toContain("✓ the configuration");
  });

  it("checks a repository's file and its role files, with and without a configuration", {
    timeout: SLOW,
  }, async () => {
    rmSync(join(cwd, "config.yaml"), { force: true });
    const at = join(cwd, "shop/.github");
    mkdirSync(join(at, "flotilla/roles"), { recursive: true });
    writeFileSync(
      join(at, "flotilla.yml"),
      "roles: { bug-fix: { prompt: fix.md } }\nevidence: { timeout: 11m }\n",
    );
    const fault = "evidence.timeout: is more than the operator's 10m";
    const alone = await flotilla("check", "--file", "shop/.github/flotilla.yml");
    expect(alone).toMatchObject({ code: 1, stdout: expect.stringContaining(`${fault}; a repository only`) });
    expect(alone.stdout).toContain("roles.bug-fix.prompt: there is no .github/flotilla/roles/fix.md.");
    expect(alone.stdout).toContain("2 faults to fix, checked against the defaults.");

    writeFileSync(join(cwd, "config.yaml"), `${GOOD}\nevidence: { timeout: 12m }\n`);
    writeFileSync(join(at, "flotilla/roles/fix.md"), "---\ndescription: Fixes.\ntools: [read]\n---\nMend.\n");
    const sound = await flotilla("check", "--file", "shop/.github/flotilla.yml", "--json");
    expect(JSON.parse(sound.stdout)).toMatchObject({
      ok: true,
      faults: [],
      against: join(cwd, "config.yaml"),
    });
    const own = "services: { db: { run: db, ready: ping } }\n";
    writeFileSync(join(at, "flotilla.yml"), own);
    const named = await flotilla("check", "--file", "shop/.github/flotilla.yml");
    expect(named.stdout).toMatch(/ Roles there: .*\. Services: db\.$/m);
    expect((await flotilla("check", "--file", "none.yml")).stdout).toContain("none.yml cannot be read");
  });
});

/** What a terminal gets of `flotilla help`. */
function shown(env: Readonly<Record<string, string>>): string {
  return execFileSync("script", ["-qec", `"${process.execPath}" "${MAIN}" help`, "/dev/null"], {
    encoding: "utf8",
    env: { PATH: process.env["PATH"], TERM: "xterm-256color", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
}

const GOOD = `
agents_dir: ${JSON.stringify(join(import.meta.dirname, "../../config/roles"))}
sandbox: { mode: none }
runtime:
  provider: { type: openai, base_url: "http://127.0.0.1:9/v1", api_key_env: KEY }
  model: gpt-4.1
`;
