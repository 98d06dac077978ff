import { describe, expect, test } from "vitest";
import type { RepositoryFileRow } from "../../../src/domain/ports/settings-tables.ts";
import { repositoryFileState } from "../../../src/domain/settings/repository-file-state.ts";
import { faultsInLine, repositoryFileWords } from "../../../src/domain/settings/repository-file-text.ts";
import { aRepositoryFile } from "../../factories/a-repository-file.ts";

const BLOB = `1a2b3c4${"d".repeat(33)}`;
const OTHER = `9f8e7d6${"c".repeat(33)}`;
const FAULTS = ["a: unknown key.", "b: too high."];
const words = (row: RepositoryFileRow | undefined) =>
  repositoryFileWords(repositoryFileState(row), "acme/shop");
const CORRECT =
  "Correct it there; check it with `flotilla check --file .github/flotilla.yml` before you push it";

describe("how a repository's own file stands", () => {
  test("before it was read, and where there is none, the operator's settings hold", () => {
    expect(repositoryFileState(undefined)).toEqual({ state: "unread" });
    expect(words(undefined)).toEqual({
      what: expect.stringContaining("has not read .github/flotilla.yml yet"),
      next: null,
    });
    const none = aRepositoryFile({ fingerprint: "", override: null, source: null });
    expect(repositoryFileState(none)).toEqual({ state: "none" });
    expect(words(none)).toEqual({
      what: "There is no .github/flotilla.yml on the default branch: the operator's settings apply",
      next: "`flotilla onboard acme/shop` proposes one",
    });
  });

  test("a sound one is in force, by the blob of the file itself", () => {
    const row = aRepositoryFile({ fingerprint: `${BLOB} ${OTHER}`, source: `${BLOB} ${OTHER}` });
    expect(repositoryFileState(row)).toEqual({ state: "in_force", blob: BLOB });
    expect(words(row)).toEqual({ what: ".github/flotilla.yml applies, blob 1a2b3c4", next: null });
  });

  test("of a faulty one it is told what holds instead, and what to do", () => {
    const row = aRepositoryFile({ faults: FAULTS, source: `${OTHER} -` });
    expect(repositoryFileState(row)).toEqual({
      state: "faulty",
      blob: BLOB,
      held: OTHER,
      faults: FAULTS,
    });
    expect(words(row)).toEqual({
      what: ".github/flotilla.yml on the default branch is faulty, blob 1a2b3c4: its last version without a fault still applies, blob 9f8e7d6",
      next: CORRECT,
    });
    const first = aRepositoryFile({ faults: FAULTS, source: null, override: null });
    expect(repositoryFileState(first)).toMatchObject({ state: "faulty", held: null });
    expect(words(first).what).toMatch(/blob 1a2b3c4: the operator's settings hold$/);
  });

  test("one that only another configuration made faulty is told as such", () => {
    expect(words(aRepositoryFile({ faults: FAULTS })).what).toMatch(
      /: it was without a fault before the configuration changed, and applies within the present limits$/,
    );
  });

  test("its faults are one line, which does not run on", () => {
    expect(faultsInLine(FAULTS)).toBe("a: unknown key. b: too high.");
    expect(faultsInLine(Array.from({ length: 1000 }, () => "a: unknown key.")).length).toBeLessThan(2_050);
  });
});
