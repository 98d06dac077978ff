import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { redactor, settledLength } from "../../../src/domain/access/redact.ts";

const redact = redactor([]);
const chars = (alphabet: string, minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...alphabet.split("")), minLength, maxLength });
const LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
const HEX_UP = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** The secret part of each known shape, and the whole as it stands in a text. */
const shapes = {
  ghp: chars(LETTERS, 36, 40).map((body) => ({ secret: body, text: `ghp_${body}` })),
  ghs: chars(LETTERS, 36, 40).map((body) => ({ secret: body, text: `ghs_${body}` })),
  github_pat: chars(`${LETTERS}_`, 40, 82).map((body) => ({ secret: body, text: `github_pat_${body}` })),
  sk: chars(LETTERS, 20, 60).map((body) => ({ secret: body, text: `sk-proj-${body}` })),
  akia: chars(HEX_UP, 16, 16).map((body) => ({ secret: body, text: `AKIA${body}` })),
  slack: chars(LETTERS, 24, 24).map((body) => ({ secret: body, text: `xoxb-${body}` })),
  jwt: chars(LETTERS, 20, 60).map((body) => ({ secret: body, text: `eyJhbGciOiJIUzI1NiJ9.${body}.${body}` })),
  bearer: chars(LETTERS, 10, 40).map((body) => ({ secret: body, text: `Authorization: Bearer ${body}` })),
  url: chars(LETTERS, 10, 40).map((body) => ({ secret: body, text: `https://me:${body}@host/x` })),
  pem: chars(LETTERS, 64, 64).map((body) => ({
    secret: body,
    text: `-----BEGIN RSA PRIVATE KEY-----\n${body}\n${body}\n-----END RSA PRIVATE KEY-----`,
  })),
};
const anySecret = fc.oneof(...Object.values(shapes));
const around = fc.constantFrom("", " ", "\n", '"', "(", ", ", "text before. ", "x=");

describe("redaction", () => {
  it.each(Object.entries(shapes))("takes out a secret of the shape %s wherever it stands", (_, shape) => {
    fc.assert(
      fc.property(around, shape, around, (before, { secret, text }, behind) => {
        const shown = redact(`${before}${text}${behind === "x=" ? " " : behind}`);
        expect(shown).not.toContain(secret);
        expect(shown).toContain("[redacted]");
        expect(shown.startsWith(before)).toBe(true);
      }),
    );
  });

  it("changes nothing the second time", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            anySecret.map(({ text }) => text),
            fc.lorem(),
          ),
        ),
        (parts) => {
          const once = redact(parts.join(" "));
          expect(redact(once)).toBe(once);
        },
      ),
    );
  });

  it.each([
    "const task-force-of-seventeen-people = 1; // disk-usage-of-the-whole-machine",
    "The bearer of bad news. Basic types are easy, basic functionality and bearer authentication too.",
    "See https://example.com/a:b@c and mail me@example.com",
    "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----",
    "function sk(a) { return a - 1 } AKI ghp gho_ github_pat",
  ])("leaves ordinary text as it is: %s", (text) => {
    expect(redact(text)).toBe(text);
  });

  it("takes out the rest of a key whose end is missing", () => {
    expect(redact("key: -----BEGIN PRIVATE KEY-----\nMIIEvg")).toBe("key: [redacted]");
  });

  it("takes out given values word for word, in JSON and in URLs", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 10, maxLength: 60 }), fc.lorem(), (secret, words) => {
        fc.pre(secret.trim().length >= 8 && !"[redacted]".includes(secret.trim()));
        const ours = redactor([secret]);
        for (const form of [secret, JSON.stringify({ secret }), `?key=${encodeURIComponent(secret)}`])
          expect(ours(`${words} ${form} ${words}`)).not.toContain(secret.trim());
      }),
    );
  });

  it("takes out the longer of two values of which one begins the other", () => {
    expect(redactor(["password", "password-two"])("say password-two")).toBe("say [redacted]");
  });

  it("does not take short values out of ordinary words", () => {
    expect(redactor(["port", ""])("important")).toBe("important");
  });
});

describe("how much of a growing text can be shown", () => {
  it("never cuts a secret in two, wherever the pieces are cut", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            anySecret,
            fc.lorem().map((text) => ({ secret: "\0", text })),
          ),
          { minLength: 1 },
        ),
        fc.array(fc.nat(40), { minLength: 1 }),
        (parts, cuts) => {
          const text = parts.map((part) => part.text).join(" ");
          let held = "";
          let shown = "";
          for (let at = 0, turn = 0; at < text.length; turn += 1) {
            const next = at + 1 + (cuts[turn % cuts.length] ?? 0);
            held += text.slice(at, next);
            at = next;
            const ready = settledLength(held);
            shown += redact(held.slice(0, ready));
            held = held.slice(ready);
          }
          shown += redact(held);
          for (const { secret } of parts) expect(shown).not.toContain(secret);
          expect(shown).toBe(redact(text));
        },
      ),
    );
  });

  it.each([
    ["", 0],
    ["all of it ", 10],
    ["the last wor", 9],
    ["it said Bearer  abc", 8],
    ["-----BEGIN RSA PRIV", 0],
    ["a key -----BEGIN PRIVATE KEY-----\nabc def", 6],
    ["-----BEGIN PRIVATE KEY-----\nabc\n-----END PRIVATE KEY----- and ", 62],
  ])("of %j it is %i", (text, length) => {
    expect(settledLength(text)).toBe(length);
  });

  it("lets go of a run without a space that is longer than any token", () => {
    expect(settledLength("a".repeat(65_000))).toBe(0);
    expect(settledLength("a".repeat(66_000))).toBe(66_000);
  });
});

it("takes out a web token behind words that begin like one, and leaves those", () => {
  const token = `eyJhbGciOiJIUzI1NiJ9.${"c2VjcmV0".repeat(3)}.${"c2lnbmVk".repeat(3)}`;
  const words = "eyJ eyJ-eyJ-eyJhbGciOiJIUzI1NiJ9 eyJhbGci.a.b";
  expect(redactor([])(`${words} ${token}; -${token}`)).toBe(`${words} [redacted]; -[redacted]`);
});
