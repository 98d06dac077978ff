import { expect, it } from "vitest";
import { safeMarkdown } from "../../../src/domain/safe-text/safe-markdown.ts";
import { safePlain } from "../../../src/domain/safe-text/safe-plain.ts";
import { withoutHiddenCharacters } from "../../../src/domain/safe-text/without-hidden-characters.ts";
import { proved } from "../../proved.ts";
import { randomOf } from "../../random.ts";
import { reached } from "../text/safe/as-shown.ts";

const PARTS = [
  ..."` `` ``` ~~~ @bob @a/b @ fixes closes #1 o/r#2 #42 [ ] ( ) ![ ]( ]: [x](//e.x) https://e.x/p https://github.com/o www.".split(
    " ",
  ),
  ..."< <b> <!-- --> </details> & &#64; &#35; &lt; &amp; &nbsp; \\ \\\\ _ ** | - > / /flotilla javascript: a@b.c x é 😀".split(
    " ",
  ),
  ..."\u200b \u202e \u{E0041} \u0301 \ufe0f \u0000 \ud800 <!--flotilla:x-->".split(" "),
  " ",
  " ",
  "\n",
  "\n",
  "\n\n",
  "   ",
  "\t",
];
const TEXTS = 4000;

/** Texts of up to 40 parts in any order; where `flat`, none that begin a list or a quote, which the check does not know. */
function texts(seed: number, flat: boolean): readonly string[] {
  const random = randomOf(seed);
  const parts = flat ? PARTS.filter((part) => !/^(?:[->|]|\t| {2,})$/.test(part)) : PARTS;
  return Array.from({ length: TEXTS }, () =>
    Array.from(
      { length: 1 + Math.floor(random() * 40) },
      () => parts[Math.floor(random() * parts.length)],
    ).join(""),
  );
}

const safe = (text: string) => safeMarkdown(text, { site: "https://github.com", closes: null });

it("reaches nobody and nothing, whatever stands in it, and is left alone the second time", () => {
  let reaching = 0;
  for (const text of texts(1, true)) {
    const shown = safe(text);
    if (reached(text).length > 0) reaching += 1;
    expect({ text, shown, reached: reached(shown) }).toEqual({ text, shown, reached: [] });
    expect(safe(shown)).toBe(shown);
  }
  // Or nothing would be shown by this.
  expect(reaching).toBeGreaterThan(TEXTS / 2);
  proved({
    promise:
      "Text of an agent mentions nobody, closes nothing, shows no image, links nowhere else and is stable",
    test: "test/domain/safe-text/properties.test.ts",
    figure: `${reaching} of ${TEXTS} random texts reached something before, 0 after`,
  });
});

it("is left alone the second time within lists, quotes and tables, and as a message", () => {
  for (const text of texts(2, false)) {
    const shown = safe(text);
    expect(safe(shown)).toBe(shown);
    const message = safePlain(text, 42);
    expect(safePlain(message, 42)).toBe(message);
    expect(message).not.toMatch(
      /(?<![A-Za-z0-9])@[A-Za-z0-9]|(?<![A-Za-z0-9])(?:fixes|closes)\s+(?:o\/r#2|#1\b)/,
    );
    const seen = withoutHiddenCharacters(text);
    expect(withoutHiddenCharacters(seen)).toBe(seen);
    expect(seen).not.toMatch(/\p{Cf}|<!--flotilla:/u);
  }
});
