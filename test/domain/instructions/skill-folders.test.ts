import { expect, it } from "vitest";
import { protectedFiles } from "../../../src/domain/evidence/protected-paths.ts";
import type { Skill } from "../../../src/domain/instructions/skill.ts";
import {
  filesOf,
  fittingSkills,
  givenSkill,
  SKILL_PATTERNS,
  skillFolders,
  skillLeftOut,
} from "../../../src/domain/instructions/skill-folders.ts";
import type { TreeFile } from "../../../src/domain/ports/worktrees.ts";
import { aSkill } from "../../factories/a-skill.ts";

const entry = (path: string, kind: TreeFile["kind"] = "file"): TreeFile => ({
  path,
  kind,
  blob: `blob of ${path}`,
  bytes: 1,
});
const described = (length: number, at: number): Skill =>
  aSkill({ name: `s${at}`, description: "x".repeat(length) });
const skill = (path: string) => entry(`${path}/SKILL.md`);

it("are found in three folders, with what is beside their SKILL.md", () => {
  const { wanted, leftOut } = skillFolders(
    [
      skill(".agents/skills/b"),
      skill(".claude/skills/c"),
      entry(".github/skills/README.md"),
      entry(".github/skills/a/scripts/run.py"),
      skill(".github/skills/a"),
    ],
    [],
  );
  expect(wanted.map(({ name, path, entries }) => [name, path, entries.map((one) => one.path)])).toEqual([
    ["a", ".github/skills/a", ["scripts/run.py", "SKILL.md"]],
    ["b", ".agents/skills/b", ["SKILL.md"]],
    ["c", ".claude/skills/c", ["SKILL.md"]],
  ]);
  expect(leftOut).toEqual([]);
});

it("are left out where the operator or an earlier folder has one of that name", () => {
  const files = [".agents/skills/sql", ".claude/skills/sql", ".github/skills/deploy"].map(skill);
  const { wanted, leftOut } = skillFolders(files, ["deploy"]);
  expect(wanted.map(({ path }) => path)).toEqual([".agents/skills/sql"]);
  expect(leftOut).toEqual([
    { path: ".github/skills/deploy", note: "is left out: the operator's skill of that name is given" },
    { path: ".claude/skills/sql", note: "is left out: .agents/skills/sql has the same name" },
  ]);
});

it("are not followed where they, or their folder, are a link", () => {
  const { wanted, leftOut } = skillFolders(
    [entry(".claude/skills", "link"), entry(".github/skills/out", "link")],
    [],
  );
  expect(wanted).toEqual([]);
  expect(leftOut).toEqual([
    { path: ".claude/skills", note: "is a link and is not followed" },
    { path: ".github/skills/out", note: "contains a link, which is not followed: out" },
  ]);
});

it("are 20 at most with the operator's, and people are told of 20 that are left out", () => {
  const many = Array.from({ length: 60 }, (_, at) => skill(`.github/skills/s${at}`));
  const { wanted, leftOut } = skillFolders(many, ["x", "y"]);
  expect(wanted).toHaveLength(18);
  expect(leftOut).toHaveLength(21);
  expect(leftOut[0]?.note).toBe("is left out: an agent gets at most 20 skills");
  expect(leftOut.at(-1)).toEqual({ path: "skills", note: "of 22 more folders are left out" });
});

it("are given as long as their descriptions fit, and no more than 20", () => {
  const long = [1000, 7000, 1, 1].map(described);
  expect(fittingSkills([...long.slice(0, 2), described(900, 9)]).leftOut.map(({ name }) => name)).toEqual([
    "s9",
  ]);
  const { given, leftOut } = fittingSkills(Array.from({ length: 21 }, (_, at) => described(1, at)));
  expect([given.length, leftOut.length]).toEqual([20, 1]);
});

it("have the texts of their files, or none where one is missing", () => {
  const { wanted } = skillFolders([skill(".github/skills/a")], []);
  const [folder] = wanted;
  if (folder === undefined) throw new Error("there is no folder");
  const texts = new Map([["blob of .github/skills/a/SKILL.md", "Text."]]);
  expect(filesOf(folder, texts)).toEqual([{ path: "SKILL.md", text: "Text." }]);
  expect(filesOf(folder, new Map())).toBeNull();
});

it("are told with their hash, or with why they were left out", () => {
  const given = givenSkill(aSkill({ path: "skills/sql", hash: "ab".repeat(32), from: "operator" }));
  expect(given).toEqual({
    path: "skills/sql",
    blob: "ab".repeat(20),
    shown: 0,
    note: null,
    skill: "operator",
  });
  expect(skillLeftOut({ path: "p", note: "is a link" })).toMatchObject({
    note: "is a link",
    skill: "repository",
  });
});

it("are protected, whatever is below them and in the place of their folder", () => {
  const links = new Set([".claude/skills"]);
  const paths = [".github/skills/a/run.py", ".agents/skills/x/SKILL.md", ".claude/skills", ".github/skill"];
  expect(protectedFiles(paths, SKILL_PATTERNS, links)).toEqual(paths.slice(0, 3));
});
