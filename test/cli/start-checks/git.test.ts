import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { tryGit } from "../../../src/adapters/git/process/try-git.ts";
import { checkGit, judged } from "../../../src/server/start-checks/git.ts";

afterEach(() => void vi.unstubAllEnvs());

test.each([
  ["2.30.2", 1, 0],
  ["2.39.4", 1, 0],
  ["2.39.5", 0, 0],
  ["2.43.0", 0, 1],
  ["2.43.4", 0, 0],
  ["2.50.1", 0, 0],
  ["3.0.0", 0, 0],
])("git %s: %i faults, %i pieces of advice", (version, faults, advice) => {
  const found = judged({ version, fired: [] });
  expect([found.faults.length, found.advice.length]).toEqual([faults, advice]);
});

test("the git of this machine runs nothing that is planted, under our configuration", async () => {
  expect(await tryGit()).toEqual({ version: expect.stringMatching(/^\d+\.\d+/), fired: [] });
});

test("a git that is missing is one sentence", async () => {
  vi.stubEnv("PATH", "/nonexistent");
  expect(await checkGit()).toEqual({
    faults: [
      {
        about: "git",
        what: "is not installed, or not on the PATH of Flotilla",
        next: expect.stringContaining("Install git 2.39.5 or newer"),
      },
    ],
    advice: [],
  });
});

test("a program that is called git and makes no repository is named with its version", async () => {
  const folder = mkdtempSync(join(tmpdir(), "flotilla-old-git-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "git"), "#!/bin/sh\necho git version 1.8.3\n", { mode: 0o755 });
  vi.stubEnv("PATH", `${folder}:${process.env["PATH"]}`);
  expect((await checkGit()).faults).toEqual([
    {
      about: "git",
      what: "version 1.8.3 cannot create a repository with the options that Flotilla uses",
      next: expect.stringContaining("See which git is first on PATH"),
    },
  ]);
});
