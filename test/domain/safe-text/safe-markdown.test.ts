import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { NOWHERE } from "../../../src/domain/safe-text/inline.ts";
import { LONGEST_TEXT, safeMarkdown } from "../../../src/domain/safe-text/safe-markdown.ts";

const corpus = z
  .array(z.tuple([z.string(), z.string(), z.string()]))
  .parse(JSON.parse(readFileSync("test/fixtures/unsafe-markdown.json", "utf8")));

/** As much as shows whether a part is read in time that grows with its square. */
const MUCH = 20_000;

const reach = { site: "https://github.com", closes: 42 };
const safe = (text: string) => safeMarkdown(text, reach);

describe("Markdown of an agent", () => {
  it.each(corpus)("is safe with %s", (_name, text, expected) => {
    expect(safe(text)).toBe(expected);
    expect(safe(expected)).toBe(expected);
  });

  it("closes nothing and leads nowhere where that is said", () => {
    expect(safeMarkdown("Closes #42, [x](https://github.com/o) https://github.com/o", NOWHERE)).toBe(
      "Closes `#42`, [x\\](`https://github.com/o`) `https://github.com/o`",
    );
  });

  it("leads to the server that is ours, by its own scheme and port", () => {
    const at = { site: "http://127.0.0.1:3000", closes: null };
    const text = "http://127.0.0.1:3000/o https://127.0.0.1:3000/o http://127.0.0.1:30001/o";
    expect(safeMarkdown(text, at)).toBe(
      "http://127.0.0.1:3000/o `https://127.0.0.1:3000/o` `http://127.0.0.1:30001/o`",
    );
  });

  it("is cut where it is too long, not within a character, with its fence closed", () => {
    const text = `\`\`\`\n${"😀".repeat(LONGEST_TEXT)}`;
    const cut = safe(text);
    expect(cut.length).toBeLessThanOrEqual(LONGEST_TEXT);
    expect(cut).toMatch(/😀\n\n… \(cut: \d+ characters\)\n```$/u);
    expect(cut.isWellFormed()).toBe(true);
    expect(safe(cut)).toBe(cut);
  });

  it("is cut to less where less is asked for", () => {
    expect(safeMarkdown("a ".repeat(5000), reach, 3000).length).toBeLessThanOrEqual(3000);
  });

  it("is left alone at its longest", () => {
    const text = "a".repeat(LONGEST_TEXT);
    expect(safe(text)).toBe(text);
  });

  it.each([
    "`",
    "~",
    "``a ",
    "@a ",
    "fixes #1 ",
    "](",
    "\\",
    "<a",
    "&#1;",
    "> ",
    "a@b.",
    "\n/a",
    "~~~\n",
    "- ",
    " ```a\n",
    "> ~~~a\n",
  ])("is made of %j again and again in a moment, and stays within its length", (part) => {
    const text = safe(part.repeat(MUCH / part.length));
    expect(text.length).toBeLessThanOrEqual(LONGEST_TEXT);
    expect(safe(text)).toBe(text);
  });
});
