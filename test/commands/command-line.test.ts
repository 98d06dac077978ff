import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { commands } from "../../src/commands/commands.ts";
import { runFlotilla } from "../journeys/run-flotilla.ts";

const SLOW = 30_000;

describe("the command line", () => {
  const cwd = mkdtempSync(join(tmpdir(), "flotilla-commands-"));
  afterAll(() => rmSync(cwd, { recursive: true, force: true }));
  const flotilla = (...args: string[]) => runFlotilla(args, { cwd, env: { KEY: "key-of-the-model" } });

  it("lists every command in its help", { timeout: SLOW }, async () => {
    const { code, stdout } = await flotilla("help");
    expect(code).toBe(0);
    expect(stdout).toContain("Usage: flotilla <command>");
    for (const { name, summary } of commands)
      expect(stdout).toMatch(new RegExp(`^ {2}${name} +${summary.slice(0, 12)}`, "m"));
  });

  it("refuses to run nothing, and what it does not know, with its help", { timeout: SLOW }, async () => {
    const nothing = await flotilla();
    expect(nothing).toMatchObject({ code: 1, stdout: expect.stringContaining("Usage: flotilla <command>") });
    const unknown = await flotilla("sevre");
    expect(unknown).toMatchObject({ code: 1, stdout: "" });
    expect(unknown.stderr).toContain('There is no command "sevre".');
    expect(unknown.stderr).toContain("Usage: flotilla <command>");
  });

  it("explains each command", { timeout: SLOW }, async () => {
    const explained = await Promise.all(commands.map(({ name }) => flotilla(name, "--help")));
    for (const [index, { name }] of commands.entries()) {
      expect(explained[index]?.stdout).toMatch(new RegExp(`^${name}: .+\n\nUsage: flotilla ${name}`));
      expect(explained[index]?.code).toBe(0);
    }
  });

  it("says which option it does not know", { timeout: SLOW }, async () => {
    const { code, stderr } = await flotilla("check", "--jsno");
    expect(code).toBe(2);
    const pasted = [await flotilla("check", "--key-of-the-model"), await flotilla("key-of-the-model")];
    for (const { stderr: said } of pasted) expect(said).toMatch(/^[^]*\[redacted\]["'][^]*$/);
    expect(pasted.map(({ stderr: said }) => said).join()).not.toContain("key-of-the-model");
    expect(stderr).toContain("'--jsno'");
    expect(stderr).toContain("Say `flotilla help` for the commands.");
    expect(stderr).not.toMatch(/^\s+at /m);
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
  });
});

const GOOD = `
agents_dir: ${JSON.stringify(join(import.meta.dirname, "../../config/roles"))}
sandbox: { mode: none }
runtime:
  provider: { type: openai, base_url: "http://127.0.0.1:9/v1", api_key_env: KEY }
  model: gpt-4.1
`;
