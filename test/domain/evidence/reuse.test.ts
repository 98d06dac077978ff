import { matchesGlob } from "node:path";
import { describe, expect, it, test } from "vitest";
import {
  notKept,
  notKeptText,
  REUSE_FILES,
  reusedText,
  reuseFacts,
} from "../../../src/domain/evidence/reuse.ts";
import { reusedDirectories } from "../../../src/domain/settings/reused-directories.ts";
import { aTreeFile } from "../../factories/a-tree-file.ts";
import { anAgent } from "../../factories/records.ts";
import { someSettings } from "../../factories/some-settings.ts";

const BASE = "a".repeat(40);

const isTaken = (...paths: readonly string[]) => reusedDirectories().safeParse(paths).success;

describe("directories that are reused", () => {
  test.each([
    "node_modules",
    "web/node_modules",
    ".venv",
    "vendor/bundle",
    "a/.yarn/cache",
    "@app+x/node-1.2_3",
  ])("%s may be one", (path) => expect(isTaken(path)).toBe(true));

  test.each([
    ["", "/etc", "//etc", "/", "~/x", "$HOME"],
    ["../x", "a/../../b", "a/..", "..", ".", "./a", "a/./b", "..x"],
    [".git", ".git/hooks", "a/.git", "a/.GIT/b", ".Git"],
    ["a/", "a//b", "a b", "a\nb", "a\0b", "*", "a/**", "-rf", "a\\b", "é"],
  ])("%j may not", (...paths) => {
    for (const path of paths) expect([path, isTaken(path)]).toEqual([path, false]);
  });

  it("lie not one in the other", () => {
    expect(isTaken("a", "b")).toBe(true);
    expect(isTaken("a", "ab")).toBe(true);
    for (const pair of [
      ["a", "a"],
      ["a", "a/b"],
      ["a/b", "a"],
    ])
      expect(isTaken(...pair)).toBe(false);
    expect(isTaken(...Array.from({ length: 9 }, (_, index) => `d${index}`))).toBe(false);
    expect(isTaken("a".repeat(201))).toBe(false);
  });
});

describe("what one setup has in common with another", () => {
  const { setup, registries, sandbox } = someSettings();
  const settings = {
    setup: { ...setup, commands: ["npm ci"], reuse: ["node_modules"] },
    registries,
    sandbox,
  };
  const file = aTreeFile({ path: "package-lock.json", blob: "b1" });
  const facts = (files = [file], changed: Partial<typeof settings> = {}, programs = "node 24") =>
    JSON.stringify(reuseFacts(files, { ...settings, ...changed }, programs));

  it("changes with each file, setting and program that decides what is made", () => {
    const all = [
      facts(),
      facts([{ ...file, blob: "b2" }]),
      facts([{ ...file, path: "web/package-lock.json" }]),
      facts([{ ...file, kind: "link" }]),
      facts([]),
      facts([file], { setup: { ...settings.setup, commands: ["npm install"] } }),
      facts([file], { setup: { ...settings.setup, environment: { A: "b" } } }),
      facts([file], { setup: { ...settings.setup, network: ["x.test"] } }),
      facts([file], { setup: { ...settings.setup, reuse: ["node_modules", "web"] } }),
      facts([file], { registries: [{ kind: "npm", url: "https://npm.example.com/", tokenEnv: "T" }] }),
      facts([file], { sandbox: { ...sandbox, mode: sandbox.mode === "none" ? "bubblewrap" : "none" } }),
      facts([file], {}, "node 26"),
    ];
    expect(new Set(all).size).toBe(all.length);
    expect(facts()).toBe(all[0]);
  });

  test.each([
    "package-lock.json",
    "package.json",
    "packages/a/package.json",
    ".npmrc",
    "web/.npmrc",
    "pnpm-workspace.yaml",
    "requirements-dev.txt",
    "pyproject.toml",
    "crates/a/Cargo.toml",
    "go.mod",
    "patches/left-pad+1.0.0.patch",
    ".yarn/releases/yarn-4.cjs",
  ])("%s is one of these files", (path) => {
    expect(REUSE_FILES.some((pattern) => matchesGlob(path, pattern))).toBe(true);
  });

  it("does not change with the sources", () => {
    const paths = ["src/main.ts", "README.md", "test/package.json.ts", "node_modules.md"];
    expect(paths.filter((path) => REUSE_FILES.some((one) => matchesGlob(path, one)))).toEqual([]);
  });
});

describe("a setup is kept for other agents", () => {
  const agent = anAgent({ issue: 7, prNumber: null, token: 1, turns: 0, toolCalls: 0, baseCommit: BASE });
  const place = {
    status: { exists: true, clean: true, head: BASE as string | null },
    base: "main",
    trusted: ["main", "develop"],
  };

  it("only as the commands made it at a commit of the base branch", () => {
    expect(notKept(agent, place)).toBeNull();
    expect(notKept(agent, { ...place, base: "develop" })).toBeNull();
    const head = { ...place.status, head: "b".repeat(40) };
    expect(notKept(agent, { ...place, status: head })).toMatch(/does not begin at a commit of the base/);
    expect(notKept({ ...agent, baseCommit: null }, { ...place, status: { ...head, head: null } })).toMatch(
      /begin/,
    );
  });

  test.each([
    ["a stranger's pull request", { prNumber: 7 }, {}],
    ["work on a branch of an agent", {}, { base: "flotilla/dev/issue-1" }],
    ["an agent that had a turn", { turns: 1 }, {}],
    ["an agent that called a tool", { toolCalls: 1 }, {}],
    ["a second period", { token: 2 }, {}],
    ["changed files", {}, { status: { ...place.status, clean: false } }],
    ["a worktree that is gone", {}, { status: { ...place.status, exists: false } }],
  ])("never of %s", (_, one, other) => {
    expect(notKept({ ...agent, ...one }, { ...place, ...other })).not.toBeNull();
  });
});

it("people read what was reused, from when and where, and what was not kept", () => {
  expect(reusedText(["node_modules", "web/lib"], { commit: BASE, at: Date.UTC(2026, 0, 2, 3, 4) })).toBe(
    "Not run: `node_modules`, `web/lib` is reused, as these commands made it on 2026-01-02 03:04 UTC at commit aaaaaaa.",
  );
  expect(notKeptText(["a"], "git has files there")).toBe(
    "Flotilla does not keep `a` for other agents: git has files there.",
  );
});
