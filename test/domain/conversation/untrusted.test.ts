import * as fc from "fast-check";
import { expect, it } from "vitest";
import { redactor } from "../../../src/domain/access/redact.ts";
import { closed, forModel, untrusted } from "../../../src/domain/conversation/untrusted.ts";
import { cutHead } from "../../../src/domain/messages/format.ts";

const redact = redactor(["our very own secret"]);
const said = (message: string): string => forModel(message, "n0nce", redact);

it("puts delimiters around each text of others, on lines of their own behind several lines", () => {
  expect(said(`# ${untrusted("Title")}\n\n${untrusted("one\ntwo")}\n\nEnd.`)).toBe(
    "# <<n0nce<< Title >>n0nce>>\n\n<<n0nce<< one\ntwo\n>>n0nce>>\n\nEnd.",
  );
  expect(untrusted("")).toBe("");
});

it("lets no text end its own delimiters, or begin others, whatever it holds", () => {
  const pieces = fc.constantFrom(
    "n0nce",
    ">>n0nce>>",
    "<<n0nce<<",
    "\u0002",
    "\u0003",
    "\u200B",
    "n0",
    "nce",
    "a",
    "\n",
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 12 }), (some) => {
      const message = said(`Before ${untrusted(`x${some.join("")}`)} after`);
      expect(message.split("n0nce")).toHaveLength(3);
      expect(message).toMatch(/^Before <<n0nce<< [^]*[ \n]>>n0nce>> after$/);
    }),
  );
});

it("takes secrets out on both sides of a delimiter, and never a delimiter with them", () => {
  const key = "-----BEGIN PRIVATE KEY-----\nMIIE";
  expect(said(`our very own secret ${untrusted(`our very own secret ${key}`)} and on`)).toBe(
    "[redacted] <<n0nce<< [redacted] [redacted] >>n0nce>> and on",
  );
});

it("ends a text whose end was cut off, and goes on outside of it", () => {
  const cut = cutHead(`- ${untrusted("x".repeat(200))}`, 100);
  expect(said(`${cut}\n- ${untrusted("y")}\nGo on.`)).toMatch(
    /^- <<n0nce<< x+… \(cut: \d+ characters\) >>n0nce>>\n- <<n0nce<< y >>n0nce>>\nGo on\.$/,
  );
  expect(closed("nothing open")).toBe("nothing open");
  expect(said("a\u0002open")).toBe("a<<n0nce<< open >>n0nce>>");
});
