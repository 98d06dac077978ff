import { describe, expect, test } from "vitest";
import type { RepositoryFileRow } from "../../../src/domain/ports/settings-tables.ts";
import {
  fingerprintOf,
  keptOf,
  repositoryFileMessage,
  unreadable,
} from "../../../src/domain/settings/repository-file.ts";
import type { RepositoryOverride } from "../../../src/domain/settings/repository-override.ts";

const OVERRIDE: RepositoryOverride = {
  roles: {},
  evidence: {},
  review: { required: true },
  merge: {},
  limits: { defaults: {}, roles: {} },
  repositoryPerDay: {},
  storm: {},
  progress: {},
};
const read = (fingerprint: string, more: Partial<Parameters<typeof keptOf>[1]> = {}) => ({
  repositoryId: 7,
  fingerprint,
  readAt: 1,
  faults: [],
  override: OVERRIDE,
  ...more,
});
const GOOD: RepositoryFileRow = keptOf(undefined, read("a"));
const entry = (name: string, sha: string) => ({ name, type: "file", sha, bytes: 1 }) as const;

describe("what tells that a repository's file may have changed", () => {
  test("is the file and all below its directory, and nothing beside them", () => {
    expect(fingerprintOf([entry("flotilla.yml", "a"), entry("flotilla", "b"), entry("x", "c")])).toBe("a b");
    expect(fingerprintOf([entry("flotilla.yml", "a")])).toBe("a -");
    expect(fingerprintOf([entry("flotilla", "b")])).toBe("");
  });

  test("only a regular file that is short enough is read", () => {
    expect(unreadable({ type: "file", bytes: 16_384 })).toBeNull();
    expect(unreadable({ type: "file", bytes: 16_385 })).toContain("longer than 16384");
    expect(unreadable({ type: "symlink", bytes: 1 })).toContain("no regular file");
  });
});

describe("what is kept of a repository's file", () => {
  test("is the last one without a fault, and what it came from", () => {
    expect(GOOD).toEqual({
      repositoryId: 7,
      fingerprint: "a",
      override: OVERRIDE,
      source: "a",
      faults: [],
      readAt: 1,
    });
    expect(keptOf(GOOD, read("b", { faults: ["x"], override: undefined }))).toEqual({
      ...GOOD,
      fingerprint: "b",
      faults: ["x"],
    });
    expect(keptOf(undefined, read("b", { faults: ["x"], override: undefined }))).toMatchObject({
      override: null,
      source: null,
    });
    expect(keptOf(GOOD, read("", { override: undefined }))).toMatchObject({ override: null, source: null });
  });

  test("is told once for each content and each set of faults", () => {
    const faulty = keptOf(GOOD, read("b", { faults: ["x"], override: undefined }));
    const never = keptOf(undefined, read("b", { faults: ["x"], override: undefined }));
    expect(repositoryFileMessage(undefined, GOOD)?.rule).toBe("repository_file_taken");
    expect(repositoryFileMessage(undefined, GOOD, ["a notice"])?.reason).toMatch(/decision on; a notice$/);
    expect(repositoryFileMessage(GOOD, keptOf(GOOD, read("a")))).toBeNull();
    expect(repositoryFileMessage(GOOD, keptOf(GOOD, read("c")))?.rule).toBe("repository_file_taken");
    expect(repositoryFileMessage(GOOD, faulty)).toEqual({
      rule: "repository_file_faulty",
      reason: "what it said last without a fault holds: x",
    });
    expect(repositoryFileMessage(undefined, never)?.reason).toBe("the operator's settings hold: x");
    expect(repositoryFileMessage(faulty, faulty)).toBeNull();
    expect(repositoryFileMessage(faulty, { ...faulty, faults: ["x", "y"] })?.rule).toBe(
      "repository_file_faulty",
    );
    expect(repositoryFileMessage(faulty, { ...faulty, fingerprint: "d" })?.rule).toBe(
      "repository_file_faulty",
    );
    expect(repositoryFileMessage(faulty, keptOf(faulty, read("a")))?.rule).toBe("repository_file_taken");
  });

  test("says that a file is gone, and nothing where there never was one", () => {
    const none = keptOf(undefined, read("", { override: undefined }));
    expect(repositoryFileMessage(undefined, none)).toBeNull();
    expect(repositoryFileMessage(none, none)).toBeNull();
    expect(repositoryFileMessage(GOOD, keptOf(GOOD, read("", { override: undefined })))?.rule).toBe(
      "repository_file_gone",
    );
  });
});
