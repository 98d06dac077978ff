import { expect, it } from "vitest";
import {
  type SkillEntry,
  skillContent,
  skillHead,
  unreadSkill,
} from "../../../src/domain/instructions/skill.ts";

const file = (path: string, bytes = 10): SkillEntry => ({ path, kind: "file", bytes });
const SOUND = [file("SKILL.md"), file("scripts/run.py")];
const TEXTS = [{ path: "SKILL.md", text: "Do it." }];

it("is read where it is a folder of plain files with a SKILL.md", () => {
  expect(unreadSkill("sql-2", SOUND)).toBeNull();
});

it.each<[string, string, readonly SkillEntry[], string]>([
  ["a name with capitals", "Sql", SOUND, "has a name that no skill can have: write at most 64 small letters"],
  ["a name with two hyphens", "a--b", SOUND, "has a name that no skill can have"],
  ["a name that leads out", "..", SOUND, "has a name that no skill can have"],
  ["too long a name", "a".repeat(65), SOUND, "has a name that no skill can have"],
  [
    "a link",
    "sql",
    [...SOUND, { path: "a/key", kind: "link", bytes: 9 }],
    "contains a link, which is not followed: a/key",
  ],
  ["a submodule", "sql", [{ path: "sub", kind: "submodule", bytes: 0 }], "contains a submodule"],
  [
    "a path that leads out",
    "sql",
    [...SOUND, file("a/../../b")],
    "or one that leads out of the folder: a/../../b",
  ],
  ["an absolute path", "sql", [...SOUND, file("/etc/x")], "contains a path with other characters"],
  ["a path with a line end", "sql", [...SOUND, file("a\nb")], "contains a path with other characters"],
  ["too many files", "sql", Array.from({ length: 51 }, (_, at) => file(`f${at}`)), "has more than 50 files"],
  ["a megabyte", "sql", [file("SKILL.md", 1_048_576)], "has 1048576 bytes, more than 262144"],
  [
    "a file in the place of a folder",
    "sql",
    [...SOUND, file("scripts")],
    "contains a file and a folder of the same name",
  ],
  ["a path twice", "sql", [...SOUND, file("SKILL.md")], "contains a file and a folder of the same name"],
  ["no SKILL.md", "sql", [file("skill.md"), file("a/SKILL.md")], "has no SKILL.md"],
])("is not read with %s", (_, name, entries, says) => {
  expect(unreadSkill(name, entries)).toContain(says);
});

it("is described in one line", () => {
  expect(skillHead("sql", TEXTS, { name: "sql", description: " Reads\n  tables. ", license: "MIT" })).toEqual(
    {
      description: "Reads tables.",
    },
  );
});

it.each([
  ["no front matter", null, "has a SKILL.md without a front matter that can be read"],
  ["no name", { description: "x" }, "has a SKILL.md without a name"],
  ["a number as its name", { name: 1, description: "x" }, "has a SKILL.md without a name"],
  ["another name", { name: "other", description: "x" }, "the two must be the same: other"],
  ["no description", { name: "sql", description: " \n" }, "has a SKILL.md without a description"],
  ["a list as its description", { name: "sql", description: ["x"] }, "has a SKILL.md without a description"],
  ["a long description", { name: "sql", description: "x".repeat(1025) }, "of more than 1024 characters"],
])("is not given with %s", (_, data, says) => {
  expect(skillHead("sql", TEXTS, data)).toEqual({ fault: expect.stringContaining(says) });
});

it.each(["P\0NG", "P\uFFFDNG"])("is not given with a file that is no text: %j", (text) => {
  const files = [...TEXTS, { path: "logo.png", text }];
  expect(skillHead("sql", files, { name: "sql", description: "x" })).toEqual({
    fault: "contains a file that is no text in UTF-8: logo.png",
  });
});

it("has another hash with any other path or text", () => {
  const contents = [
    [{ path: "a", text: "b" }],
    [{ path: "a", text: "c" }],
    [{ path: "ab", text: "" }],
    [
      { path: "a", text: "" },
      { path: "b", text: "" },
    ],
  ].map(skillContent);
  expect(new Set(contents).size).toBe(4);
});
