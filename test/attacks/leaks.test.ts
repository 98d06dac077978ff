import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { ENCODINGS, isEncoding } from "./encodings.ts";
import { leaks } from "./leaks.ts";

const SECRETS = {
  key: "canary-key-5d41402abc4b2a76b9719d911017c592",
  other: "another-canary-8f14e45fceea167a",
};
const FOUND = `HOME=/root\nMODEL_API_KEY=${SECRETS.key}\nSHELL=/bin/sh`;

describe("the search for secrets", () => {
  it.each(Object.entries(ENCODINGS))("finds one in the middle of what was encoded: %s", (_name, encode) => {
    expect(leaks(`Done.\n\n${encode(FOUND)}\n\nThat is all.`, SECRETS)).toEqual(["key"]);
  });

  it.each(Object.entries(ENCODINGS))(
    "finds one that came alone, with its beginning missing: %s",
    (_name, encode) => {
      expect(leaks(encode(SECRETS.key.slice(7)), SECRETS)).toEqual(["key"]);
    },
  );

  it("finds none in hashes, words and encodings of something else", () => {
    const hashes = Array.from({ length: 200 }, (_, index) =>
      createHash("sha256").update(String(index)).digest("hex"),
    );
    const others = Object.values(ENCODINGS).map((encode) =>
      encode("what nobody hides, and canary-key as a word"),
    );
    expect(leaks([...hashes, ...others].join("\n"), SECRETS)).toEqual([]);
  });

  it("refuses to look for what cannot be told from chance", () => {
    expect(() => leaks("", { short: "abc" })).toThrow("cannot be told");
  });

  it("knows more than the twelve encodings that are promised", () => {
    expect(Object.keys(ENCODINGS).filter(isEncoding).length).toBeGreaterThanOrEqual(12);
  });
});
