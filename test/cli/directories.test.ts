import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { agentDirectories } from "../../src/server/session-directories.ts";
import { aSkill } from "../factories/a-skill.ts";

test("all of an agent's own directories go, read-only ones too, and nothing of another's, shared, or behind a link", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "flotilla-directories-"));
  onTestFinished(() => rmSync(dataDir, { recursive: true }));
  const directories = agentDirectories(dataDir);
  const home = await directories.home(7);
  const others = [await directories.home(8), await directories.cache(3, ["npm"])];
  const evaluation = await directories.evaluation(7);
  const [sent, sentByOther] = [await directories.sentFile(7), await directories.sentFile(8)];
  for (const file of [sent, sentByOther]) writeFileSync(file, "");
  mkdirSync(join(home, "go/pkg"), { recursive: true });
  writeFileSync(join(home, "go/pkg/mod"), "");
  chmodSync(join(home, "go/pkg"), 0o500);
  writeFileSync(join(dataDir, "outside"), "");
  symlinkSync(dataDir, join(home, "link"));
  await directories.drop(7);
  expect([join(dataDir, "sessions/7"), evaluation, sent].filter(existsSync)).toEqual([]);
  expect([...others, sentByOther, join(dataDir, "outside")].filter((path) => !existsSync(path))).toEqual([]);
  await directories.drop(7);
});

test.each(["home", "workplace", "npm"])(
  "what an agent has put in the place of its %s is deleted and not followed",
  async (name) => {
    const dataDir = mkdtempSync(join(tmpdir(), "flotilla-directories-"));
    onTestFinished(() => rmSync(dataDir, { recursive: true }));
    const directories = agentDirectories(dataDir);
    const make = {
      home: () => directories.home(7),
      workplace: () => directories.workplace(7),
      npm: async () => join(await directories.cache(3, ["npm"]), "npm"),
    }[name];
    if (make === undefined) throw new Error(name);
    const path = await make();
    const outside = join(dataDir, "outside");
    mkdirSync(outside);
    for (const target of [outside, "/dev/zero", "nowhere", name]) {
      rmSync(path, { recursive: true });
      symlinkSync(target, path);
      expect(await make()).toBe(path);
      expect(lstatSync(path).isDirectory()).toBe(true);
      expect(existsSync(outside)).toBe(true);
    }
  },
);

test("skills are written for reading only, in place of what was there, follow nothing, and go with the agent", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "flotilla-directories-"));
  onTestFinished(() => rmSync(dataDir, { recursive: true }));
  const directories = agentDirectories(dataDir);
  const files = [
    { path: "SKILL.md", text: "Select first.\n" },
    { path: "scripts/deep/run.sql", text: "SELECT 1;\n" },
  ];
  const path = await directories.skills(7, [aSkill({ files }), aSkill({ name: "other" })]);
  expect(path).toBe(join(dataDir, "skills/7"));
  expect(readdirSync(path, { recursive: true }).map(String).toSorted()).toEqual([
    "other",
    "other/SKILL.md",
    "sql",
    "sql/SKILL.md",
    "sql/scripts",
    "sql/scripts/deep",
    "sql/scripts/deep/run.sql",
  ]);
  expect(readFileSync(join(path, "sql/scripts/deep/run.sql"), "utf8")).toBe("SELECT 1;\n");
  const modes = ["sql/SKILL.md", "sql/scripts", "sql"].map((name) => statSync(join(path, name)).mode & 0o777);
  expect(modes).toEqual([0o444, 0o555, 0o555]);

  writeFileSync(join(dataDir, "outside"), "kept");
  mkdirSync(join(dataDir, "elsewhere"));
  rmSync(path, { recursive: true, force: true });
  symlinkSync(join(dataDir, "elsewhere"), path);
  expect(await directories.skills(7, [aSkill({ name: "other" })])).toBe(path);
  expect(lstatSync(path).isDirectory()).toBe(true);
  expect([readdirSync(path), readdirSync(join(dataDir, "elsewhere"))]).toEqual([["other"], []]);
  await directories.skills(7, []);
  expect(readdirSync(path)).toEqual([]);
  await directories.drop(7);
  expect(existsSync(path)).toBe(false);
});

test("a skill never overwrites what is there already", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "flotilla-directories-"));
  onTestFinished(() => rmSync(dataDir, { recursive: true }));
  const file = { path: "SKILL.md", text: "x" };
  await expect(agentDirectories(dataDir).skills(7, [aSkill({ files: [file, file] })])).rejects.toThrow(
    "EEXIST",
  );
});
