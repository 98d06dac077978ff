import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { visibleText } from "../../../src/domain/messages/visible-text.ts";
import { HIDDEN_TEXTS, ORDER } from "../../fixtures/hidden-texts.ts";
import { proved } from "../../proved.ts";

const flat = (text: string): string => text.replaceAll(/\s+/g, " ").trim();
const INVISIBLE = /(?![\t\n])\p{Cc}|\p{Default_Ignorable_Code_Point}/u;

describe("what a model is shown of a text from GitHub", () => {
  it.each(HIDDEN_TEXTS)("has nothing of an order hidden in $name", ({ text, shown }) => {
    expect(flat(visibleText(text))).toBe(shown);
    expect(visibleText(text)).not.toContain(ORDER);
  });

  it("finds each of them beside all others", () => {
    const shown = HIDDEN_TEXTS.map((one) => visibleText(`${one.text}\n\nThe end.`)).join("\n");
    expect(shown).not.toContain(ORDER);
    proved({
      promise: "Text that a person does not see on the page is not shown to a model.",
      test: "test/domain/messages/visible.test.ts",
      figure: `${HIDDEN_TEXTS.filter(({ text }) => visibleText(text).includes(ORDER)).length} of ${HIDDEN_TEXTS.length} hidden orders shown`,
    });
  });

  it.each([
    ["code with a comment", 'Do this:\n\n```html\n<!-- here --><a href="x">\n```\n'],
    ["code of tildes at the start", "~~~\n[a]: b\n![x](y)\n~~~"],
    [
      "prose",
      "Compare a < b && c > d, `Map<string, number>` and <https://example.com/a?b=c>; mail <a@example.com>.",
    ],
    [
      "lists, quotes, tables and footnotes",
      "- [ ] one\n> two\n\n| a | b |\n|---|---|\n\n[^1]: It is so.\n[a](b)[^1]",
    ],
    ["entities of characters that show something", "&lt;a&gt; &#65; &#x41; &#xffffff; &nbsp;"],
    ["folds", "<details><summary>Log</summary>\n\nfailed\n\n</details>"],
    ["other languages", "Größe über 3 °C; 日本語; עברית; हिन्दी; 🙂"],
    ["words in brackets", "[WARN]: it broke again\n[x] done: no"],
  ])("is all of it for %s", (_, text) => {
    expect(visibleText(text)).toBe(text);
  });

  it("keeps a comment's beginning that hides nothing, so that nothing is hidden after it", () => {
    expect(visibleText("Write `<!--` first.\nThen more.")).toBe("Write `< !--` first.\nThen more.");
    expect(visibleText("Write `<?` first.")).toBe("Write `< ?` first.");
  });

  it("gives up on texts whose hidden parts are nested beyond reason", () => {
    expect(visibleText(`${"![".repeat(20)}a${"](b)".repeat(20)}`)).toContain("cannot be shown");
  });

  it("never throws, shows nothing invisible or commented, and changes nothing the second time", () => {
    const grammar =
      "<!-- --> <! <? ?> <a \" ' > <img ![ [ ] ]( ) ]: ( \\ ``` ~~~ ```` x - <pre> <![CDATA[ ]]> ^ mermaid";
    const others = [
      "\n",
      "\n\n",
      " ",
      "> ",
      "&#8203;",
      "&zwj;",
      "\u200B",
      "\u{E0041}",
      "\u0002",
      "\r\n",
      "\uD800",
    ];
    const pieces = fc.constantFrom(...grammar.split(" "), ...others);
    const texts = fc.oneof(
      fc.array(pieces, { maxLength: 40 }).map((some) => some.join("")),
      fc.string({ unit: "binary", maxLength: 80 }),
    );
    fc.assert(
      fc.property(texts, (text) => {
        const shown = visibleText(text);
        expect(visibleText(shown)).toBe(shown);
        expect(shown).not.toMatch(INVISIBLE);
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    ["beginnings of comments", "<!--"],
    ["comments inside of comments", "<!-<!-- -->- "],
    ["beginnings of tags", "<a x='"],
    ["beginnings of tags with quotes of both kinds", `<a "b' `],
    ["beginnings of images", "!["],
    ["beginnings of definitions", "\n[a"],
    ["definitions", "\n[a]:\n"],
    ["beginnings of titles", '[a](b "'],
    ["beginnings of fences", "\n\n```a"],
    ["blocks of code", "\n\n```\n```"],
    ["backslashes", "![\\"],
    ["ends", "-->"],
    ["quotes", '"'],
    ["digits", "1."],
    ["brackets of images", "![a]("],
    ["images with escaped brackets", "![\\]\\("],
    ["images with escaped parentheses", "![](\\)"],
    ["beginnings of declarations", "<!A"],
  ])("takes no longer for 64 KB of %s than a moment", (_, piece) => {
    const text = piece.repeat(Math.ceil(65_536 / piece.length));
    const before = performance.now();
    visibleText(text);
    expect(performance.now() - before).toBeLessThan(2000);
  });
});
