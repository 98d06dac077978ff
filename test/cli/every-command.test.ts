import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { commandLine } from "../../src/cli/command-line.ts";
import { commandsNamed, everyCommand } from "../../src/cli/commands.ts";
import { printCommands } from "../../src/cli/commands-reference.ts";
import { helpAsked, helpOf, overview } from "../../src/cli/help.ts";

const commands = await everyCommand();

const cwd = mkdtempSync(join(tmpdir(), "flotilla-every-"));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

async function typed(argv: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const out: string[] = [];
  const err: string[] = [];
  const code = await commandLine(argv, commands, {
    cwd,
    env,
    load: () => {},
    print: (line) => out.push(line),
    complain: (text) => err.push(text),
  });
  return { code, out, err: err.join("\n") };
}

const filled = z.string().min(1);
const refusal = z.strictObject({ error: z.looseObject({ code: filled, message: filled, hint: filled }) });

const each = commands.map((command) => [command.name, command] as const);

describe("every command", () => {
  test.each(each)("%s is loaded by its name, without any other", async (name, command) => {
    expect(await commandsNamed(name)).toMatchObject([
      { name, summary: command.summary, options: command.options },
    ]);
  });

  test.each(each)("%s has help of 80 columns with its options and two examples or more", (_, command) => {
    const text = helpOf(command);
    expect(text.split("\n").filter((line) => line.length > 80)).toEqual([]);
    for (const option of [...Object.keys(command.options), "json", "help"])
      expect(text).toContain(`  --${option} `);
    expect(command.examples.length).toBeGreaterThanOrEqual(2);
    for (const example of command.examples) expect(text).toContain(`\n  ${example}`);
  });

  test.each(each)(
    "%s shows examples of itself that say nothing it does not know",
    (name, { examples, options }) => {
      const known = [...Object.keys(options), "json"].map((option) => `--${option}`);
      for (const example of examples) {
        const [own = ""] = example.split(/ [|>] /);
        expect(own).toMatch(new RegExp(`\\b(?:flotilla|npm run(?: flotilla --)?) ${name}\\b`));
        for (const [option] of own.matchAll(/--[a-z][a-z-]*/g)) expect(known).toContain(option);
      }
    },
  );

  /** What each is asked where nothing was set up: all are refused or done at once, none serves. */
  const asked: Readonly<Record<string, readonly string[]>> = {
    demo: ["--scenario", "missing.yaml"],
    completion: ["bash"],
    explain: ["acme/shop#1"],
    pause: ["--all"],
    resume: ["--all"],
  };

  test.each(each)(
    "%s prints one JSON document with --json, also when it cannot do what is asked",
    async (name) => {
      const { code, out, err } = await typed([name, ...(asked[name] ?? []), "--json"], { APP_ID: "1" });
      expect(err).toBe("");
      const documents = out.map((line): unknown => JSON.parse(line));
      expect(documents.length).toBeGreaterThan(0);
      const errors = documents.filter((one) => refusal.safeParse(one).success);
      const refuses = code !== 0 && !["check", "doctor"].includes(name);
      expect(errors).toHaveLength(refuses ? 1 : 0);
    },
  );

  test.each(each)("%s says on standard error why it does nothing", async (name) => {
    const { code, out, err } = await typed([name, ...(asked[name] ?? []), "unknown", "2", "3", "4"], {
      APP_ID: "1",
    });
    if (code === 0 || ["check", "doctor"].includes(name)) return;
    expect(out).toEqual([]);
    expect(err).toMatch(/./);
  });

  test.each(each)("%s names the option that was meant", async (name) => {
    const { code, out, err } = await typed([name, "--jsno"]);
    expect({ code, out }).toEqual({ code: 1, out: [] });
    expect(err).toContain(`flotilla ${name} has no option "--jsno". Did you mean "--json"?`);
    expect(err).toContain(`flotilla ${name} --help`);
  });
});

test("the overview names every command with the beginning of its summary, in 80 columns", () => {
  const lines = overview(commands).split("\n");
  for (const { name, summary } of commands)
    expect(
      lines.filter((line) => line.startsWith(`  ${name} `) && line.includes(summary.slice(0, 20))),
    ).toHaveLength(1);
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
});

const everyVerb = commands.flatMap((command) =>
  Object.keys(command.verbs ?? {}).map((verb) => [`${command.name} ${verb}`, command, verb] as const),
);

test.each(everyVerb)(
  "%s has help of its own, with what it does and how it is said",
  (name, command, verb) => {
    const text = helpAsked(command, verb);
    expect(text.split("\n").filter((line) => line.length > 80)).toEqual([]);
    expect(text.replace(/\s+/g, " ")).toMatch(
      `${name}: ${command.verbs?.[verb]} Usage: flotilla ${command.name} `,
    );
    for (const [option, { of }] of Object.entries(command.options)) {
      expect(text.includes(`  --${option} `)).toBe(of?.includes(verb) ?? true);
      expect(Object.keys(command.verbs ?? {})).toEqual(expect.arrayContaining([...(of ?? [])]));
    }
  },
);

test.each([undefined, "help", "sevre", "toString"])("every command is loaded for %s", async (name) => {
  expect((await commandsNamed(name)).map((command) => command.name)).toEqual(commands.map((one) => one.name));
});

test("help of a verb says nothing of the others", async () => {
  const { out } = await typed(["agents", "pause", "--help"]);
  expect(out).toEqual([
    "agents pause: save its work and hold it until resume; `flotilla pause` does this",
    "to all agents",
    "",
    "Usage: flotilla agents pause <agent> [--reason text]",
    "",
    "Name an agent as owner/name:agent, as `list` shows it. list, show and transcript",
    "read the database and work while Flotilla is stopped; the others need a running",
    "Flotilla.",
    "",
    "Options:",
    "  --reason TEXT  why; an agent that continues or starts reads it",
    "  --json         print JSON, also for errors",
    "  --help         print the help of this command",
  ]);
  expect((await typed(["help", "agents", "pause"])).out).toEqual(out);
});

test("help of a command is had by its name too", async () => {
  expect((await typed(["help", "backup"])).out).toEqual((await typed(["backup", "--help"])).out);
});

test("a command that does not exist is refused with the one that was meant, and as JSON where that is asked", async () => {
  expect(await typed(["sevre"])).toMatchObject({
    code: 1,
    out: [],
    err: 'There is no command "sevre". Did you mean "serve"?\n`flotilla help` lists the commands.',
  });
  const { out } = await typed(["sevre", "--json"]);
  expect(out.map((line): unknown => JSON.parse(line))).toMatchObject([
    { error: { code: "invalid_argument", message: expect.stringContaining("serve") } },
  ]);
});

test("the demo refuses an option that `--` makes an argument, since it would not end without it", async () => {
  expect(await typed(["demo", "--", "--once"])).toMatchObject({
    code: 1,
    out: [],
    err: 'flotilla demo takes no argument, and got "--once".\nWrite its options without `--` before them: `flotilla demo --once`.',
  });
});

test("an option that lacks its value says so", async () => {
  expect(await typed(["tasks", "--state"])).toMatchObject({
    code: 1,
    err: expect.stringMatching(/--state <value>.*\n.*flotilla tasks --help/),
  });
});

test("an error that nobody caught is told with its advice, by JSON where that is asked, and without secrets", async () => {
  const env = { FLOTILLA_DATA_DIR: join(cwd, "KEY-key-of-the-model"), MODEL_KEY: "key-of-the-model" };
  const said = await typed(["tasks"], env);
  expect(said).toMatchObject({ code: 2, out: [], err: expect.stringContaining("Start Flotilla once") });
  expect(said.err).not.toContain("key-of-the-model");
  const { out } = await typed(["tasks", "--json"], env);
  expect(JSON.parse(out.join(""))).toMatchObject({ error: { code: "no_database", retryable: false } });
  expect(out.join("")).not.toContain("key-of-the-model");
  const { out: refusedStart } = await typed(["serve", "--json"]);
  expect(JSON.parse(refusedStart.join(""))).toMatchObject({
    error: {
      code: "startup_refused",
      faults: expect.arrayContaining([expect.stringContaining("APP_ID is not set")]),
    },
  });
  writeFileSync(join(cwd, "no-markers.md"), "nothing");
  const { out: odd } = await typed(["diagram", "--write", "no-markers.md", "--json"]);
  expect(JSON.parse(odd.join(""))).toMatchObject({ error: { code: "internal" } });
});

test("what is shown has colours only where they are asked for", async () => {
  vi.stubEnv("FORCE_COLOR", undefined);
  expect((await typed(["help"])).out.join("\n")).not.toContain("\u001b");
  vi.stubEnv("FORCE_COLOR", "1");
  const { out: bright } = await typed(["help"]);
  vi.unstubAllEnvs();
  expect(bright).toContainEqual(expect.stringContaining("\u001b[1mUsage:\u001b[22m"));
});

test("docs/commands.md is fresh", async () => {
  await expect(printCommands(commands)).toMatchFileSnapshot("../../docs/commands.md");
});
