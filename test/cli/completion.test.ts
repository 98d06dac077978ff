import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { completionOf, everyCommand } from "../../src/cli/commands.ts";
import { SCRIPTS } from "../../src/cli/completion-scripts.ts";

const commands = await everyCommand();
const directory = mkdtempSync(join(tmpdir(), "flotilla-completion-"));
const scripts: Record<string, string> = {};

async function say(args: readonly string[], options: Record<string, boolean> = {}) {
  const lines: string[] = [];
  const completion = completionOf(everyCommand);
  const code = await completion.run({
    env: {},
    cwd: directory,
    print: (line) => lines.push(line),
    complain: (line) => lines.push(line),
    options,
    args,
  });
  return { code, text: lines.join("\n") };
}

beforeAll(async () => {
  for (const shell of ["bash", "zsh", "fish"]) {
    scripts[shell] = (await say([shell])).text;
    writeFileSync(join(directory, shell), scripts[shell]);
  }
  writeFileSync(join(directory, "story.yaml"), "");
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** What bash offers for the last of these words, by the very script. */
function offeredBy(...words: string[]): readonly string[] {
  const program = [
    `source "${join(directory, "bash")}"`,
    'COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))',
    '"$(complete -p flotilla | sed "s/.*-F \\([^ ]*\\) .*/\\1/")"',
    'printf "%s\\n" "${COMPREPLY[@]}"',
  ].join("\n");
  const out = execFileSync("bash", ["--norc", "-c", program, "bash", "flotilla", ...words], {
    cwd: directory,
    encoding: "utf8",
  });
  return out.split("\n").filter((line) => line !== "");
}

describe("bash", () => {
  test("completes every command by its first letters", () => {
    expect(offeredBy("")).toEqual(expect.arrayContaining(["help", ...commands.map(({ name }) => name)]));
    expect(offeredBy("de")).toEqual(expect.arrayContaining(["demo", "deliveries"]));
    expect(offeredBy("doc")).toEqual(["doctor"]);
  });

  test("completes verbs and options of each command", () => {
    const program = commands.map(({ name, verbs = {}, options }) => {
      const words = [
        ...Object.keys(verbs),
        ...Object.keys({ ...options, json: 1, help: 1 }).map((one) => `--${one}`),
      ];
      return [name, words] as const;
    });
    for (const [name, words] of program) expect([name, ...offeredBy(name, "")]).toEqual([name, ...words]);
    expect(offeredBy("agents", "tr")).toEqual(["transcript", "try"]);
    expect(offeredBy("backup", "--t")).toEqual(["--to"]);
  });

  test("completes what an option takes: known words, files, directories, and nothing where nobody knows", () => {
    expect(offeredBy("deliveries", "list", "--state", "d")).toEqual(["done", "dead"]);
    expect(offeredBy("demo", "--scenario", "st")).toEqual(["story.yaml"]);
    expect(offeredBy("backup", "--to", "st")).toEqual([]);
    expect(offeredBy("pause", "--reason", "")).toEqual([]);
    expect(offeredBy("help", "expl")).toEqual(["explain"]);
  });
});

describe.each(["zsh", "fish"])("%s", (shell) => {
  test("names every command, verb and option, and quotes all else", () => {
    const script = scripts[shell] ?? "";
    const read = spawnSync(shell, ["-n", join(directory, shell)], { encoding: "utf8" });
    // A shell that is not here says nothing.
    expect(read.stderr ?? "").toBe("");
    for (const { name, verbs = {}, options } of commands) {
      expect(script).toMatch(
        shell === "fish" ? new RegExp(`-a ${name} `) : new RegExp(`^ {4}${name}\\)$`, "m"),
      );
      for (const verb of Object.keys(verbs))
        expect(script).toContain(shell === "fish" ? ` -a ${verb} ` : `'${verb}:`);
      for (const option of Object.keys(options))
        expect(script).toContain(shell === "fish" ? ` -l ${option}` : `'--${option}[`);
    }
    // What stands in quotes taken out, nothing is left that a shell would run.
    const bare = script
      .replaceAll("'\\''", "")
      .replaceAll(/'[^']*'/g, "")
      .replaceAll(/^#.*$/gm, "");
    expect(bare).not.toMatch(/`|\$\(|;\s*[a-z]+ -rf/);
    expect(bare).not.toContain("'");
  });
});

test("zsh answers the first completion of a file that it reads as the function", () => {
  expect(scripts["zsh"]?.split("\n").at(-1)).toBe(
    'if [[ "${funcstack[1]}" == _flotilla ]]; then _flotilla "$@"; else compdef _flotilla flotilla; fi',
  );
});

test("fish goes by the place of a word: a verb that is called like a command brings none of its options", () => {
  const lines = (scripts["fish"] ?? "").split("\n").filter((line) => /-a pause|-l all/.test(line));
  expect(lines.map((line) => /-n '([^']*)' (-[al] \w+)/.exec(line)?.slice(1))).toEqual([
    ["__flotilla_verb help", "-a pause"],
    ["__flotilla_verb agents", "-a pause"],
    ["__flotilla_in goals", "-l all"],
    ["__fish_use_subcommand", "-a pause"],
    ["__flotilla_in pause", "-l all"],
    ["__flotilla_in resume", "-l all"],
  ]);
});

test("an apostrophe ends no quotes", () => {
  const all = [{ name: "agents", says: "it's $(touch x)", verbs: [], options: [] }];
  for (const shell of ["zsh", "fish"] as const) expect(SCRIPTS[shell](all)).toContain("it'\\''s $(touch x)");
});

test("another shell is refused, and JSON holds the script", async () => {
  expect(await say(["tcsh"])).toMatchObject({ code: 1, text: expect.stringContaining("bash | zsh | fish") });
  const { text } = await say(["fish"], { json: true });
  expect(JSON.parse(text)).toEqual({ shell: "fish", script: scripts["fish"] });
});
