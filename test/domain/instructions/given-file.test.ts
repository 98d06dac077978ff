import { describe, expect, it } from "vitest";
import {
  type GivenFile,
  givenWords,
  latestOfEach,
  MOST_BYTES,
  shownOf,
  unread,
} from "../../../src/domain/instructions/given-file.ts";
import { aTreeFile } from "../../factories/a-tree-file.ts";

const given = (fields: Partial<GivenFile> = {}): GivenFile => ({
  path: "AGENTS.md",
  blob: "b",
  shown: 10,
  note: null,
  ...fields,
});

describe("a file is not read", () => {
  it.each([
    [aTreeFile({ kind: "link" }), [], "is a link and is not followed"],
    [aTreeFile({ kind: "submodule" }), [], "is a submodule and is not followed"],
    [aTreeFile({ blob: "b" }), [given()], "is the same as AGENTS.md"],
    [
      aTreeFile(),
      [given({ shown: MOST_BYTES })],
      "does not fit: all 32 KiB for instructions are used; read it where it concerns you",
    ],
    [aTreeFile({ blob: "b" }), [given({ shown: 0 })], null],
    [aTreeFile(), [given({ shown: MOST_BYTES - 1 })], null],
  ])("%#", (file, before, why) => {
    expect(unread(file, before)).toBe(why);
  });
});

describe("a file is shown", () => {
  it("whole where it fits", () => {
    const file = aTreeFile({ bytes: 12 });
    expect(shownOf(file, "\nUse tabs.\n\n", [])).toEqual({
      given: { path: file.path, blob: file.blob, shown: 9, note: null },
      text: "Use tabs.",
    });
  });

  it("up to the last line that fits, in bytes, with what is missing", () => {
    const before = [given({ shown: MOST_BYTES - 10 })];
    const { given: row, text } = shownOf(aTreeFile({ bytes: 15 }), "ééé\néééé\n", before);
    expect(text).toBe("ééé");
    expect(row).toMatchObject({ shown: 6, note: "is cut: only 6 of its 15 bytes fit into 32 KiB" });
    expect(shownOf(aTreeFile({ bytes: 12 }), "éééééé", [given({ shown: MOST_BYTES - 5 })])).toMatchObject({
      text: "éé",
      given: { shown: 4 },
    });
  });

  it("as cut where only its beginning was read", () => {
    const { given: row, text } = shownOf(
      aTreeFile({ bytes: 1_000_000 }),
      `${"a".repeat(99)}\n`.repeat(328),
      [],
    );
    expect(text).toHaveLength(32_699);
    expect(row.note).toBe("is cut: only 32699 of its 1000000 bytes fit into 32 KiB");
  });

  it("never where it is no text, or empty", () => {
    expect(shownOf(aTreeFile(), "a\0b", []).given).toMatchObject({ shown: 0, note: "is not text" });
    expect(shownOf(aTreeFile(), " \n", []).given).toMatchObject({ shown: 0, note: "is empty" });
  });
});

it("is one line on a terminal, and stands there once for all conversations", () => {
  const files = [
    given({ blob: "a".repeat(40) }),
    given({ path: "x\u001b[2J/AGENTS.md" }),
    given({ note: "is empty" }),
  ];
  expect(latestOfEach(files).map(givenWords)).toEqual(["AGENTS.md b: is empty", "x\\u001b[2J/AGENTS.md b"]);
  expect(givenWords(given({ blob: "a".repeat(40) }))).toBe("AGENTS.md aaaaaaa");
});
