import { createHash, generateKeyPairSync } from "node:crypto";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { redactor } from "../../../src/domain/access/redact.ts";
import { isRandom } from "../../../src/domain/access/secret-forms.ts";
import { WINDOW } from "../../../src/domain/access/secret-windows.ts";
import { ENCODINGS } from "../../encodings.ts";

const characters = (alphabet: string, least: number, most: number) =>
  fc.string({ unit: fc.constantFrom(...alphabet.split("")), minLength: least, maxLength: most });
const BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

const keyOf = (seed: number, as: "hex" | "base64") => createHash("sha512").update(`key ${seed}`).digest(as);
/** Random as keys and tokens are; from a hash, since shrunk strings are anything but random. */
const random = fc
  .tuple(fc.nat(), fc.integer({ min: 24, max: 40 }), fc.constantFrom("hex" as const, "base64" as const))
  .map(([seed, length, as]) => keyOf(seed, as).slice(0, length))
  .filter(isRandom);
const around = fc.oneof(fc.lorem(), characters(BASE64, 0, 5), fc.constantFrom("", '"', "/", "=", "é "));

describe.each(ENCODINGS)("a secret $name", ({ encode }) => {
  it("is taken out whole, and so is each piece of 12 characters of it", () => {
    fc.assert(
      fc.property(random, around, around, fc.nat(), (secret, before, behind, at) => {
        const redact = redactor([secret]);
        const form = encode(secret);
        expect(redact(`${before} ${form} ${behind}`)).not.toContain(form);
        const start = at % (form.length - WINDOW + 1);
        const piece = form.slice(start, start + WINDOW);
        const said = redact(`${before} ${piece} ${behind}`);
        expect(said.includes(piece) && new Set(piece).size >= 5).toBe(false);
      }),
      { numRuns: 60 },
    );
  });
});

describe("redaction of given values", () => {
  it("finds base64 of a text in whose middle the secret stands", () => {
    fc.assert(
      fc.property(random, fc.nat(9), fc.nat(9), (secret, before, behind) => {
        const text = Buffer.from(`${"x".repeat(before)}${secret}${"y".repeat(behind)}`).toString("base64");
        const left = redactor([secret])(text).replace("[redacted]", "");
        // What is left decides less than two of its characters at either end.
        expect(left.length).toBeLessThanOrEqual(text.length - Math.floor((secret.length * 4) / 3) + 2);
      }),
    );
  });

  it("takes out passphrases as a whole and leaves their words where they stand alone", () => {
    const redact = redactor(["correct-horse-battery-staple-of-2024"]);
    expect(redact("the correct-horse-battery is charged")).toBe("the correct-horse-battery is charged");
    for (const { encode } of ENCODINGS.slice(0, -1))
      expect(redact(`it is ${encode("correct-horse-battery-staple-of-2024")}.`)).toBe("it is [redacted].");
  });

  it("knows each line of a private key, and its body in one line, but not the words around it", () => {
    const key = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const pem = key.privateKey.export({ type: "pkcs1", format: "pem" }).toString();
    const [, second = "", ...others] = pem.trim().split("\n").slice(0, -1);
    for (const given of [pem, pem.replaceAll("\n", "\\n")]) {
      const redact = redactor([given]);
      const text = `-----BEGIN RSA PUBLIC KEY----- is no PRIVATE KEY-----; ${second} and ${others.join("")}`;
      expect(redact(text)).toBe(
        "-----BEGIN RSA PUBLIC KEY----- is no PRIVATE KEY-----; [redacted] and [redacted]",
      );
      expect(redact(Buffer.from(pem).toString("base64"))).not.toContain(
        Buffer.from(others.join("\n")).toString("base64").slice(20, 80),
      );
    }
  });

  it("takes nearly every random value for one, and no words", () => {
    const seeds = Array.from({ length: 1000 }, (_, seed) => seed);
    const missed = seeds.filter(
      (seed) => !isRandom(keyOf(seed, seed % 2 === 0 ? "hex" : "base64").slice(0, 32)),
    );
    expect(missed.length).toBeLessThan(3);
    for (const words of ["this-is-the-secret-of-my-webhook-2024", "A long sentence with Words in it"])
      expect(isRandom(words)).toBe(false);
    expect(isRandom("aB3dE5gH7jK9mN1pQ3s")).toBe(false);
  });

  it("changes nothing the second time", () => {
    fc.assert(
      fc.property(
        fc.array(random, { minLength: 1, maxLength: 3 }),
        fc.array(fc.oneof(around, fc.nat(200)), { maxLength: 8 }),
        (secrets, parts) => {
          const forms = secrets.flatMap((secret) => ENCODINGS.map(({ encode }) => encode(secret)));
          const pieces = parts.map((part) =>
            typeof part === "number" ? (forms[part % forms.length] ?? "").slice(part % 7) : part,
          );
          const redact = redactor(secrets);
          const once = redact(pieces.join(""));
          expect(redact(once)).toBe(once);
        },
      ),
    );
  });

  it("leaves hashes, numbers and zeros alone", () => {
    const redact = redactor([
      createHash("sha256").update("ours").digest("hex"),
      `${"A".repeat(40)}bC3dE5fG7hJ9kL1m`,
    ]);
    const text = Array.from({ length: 500 }, (_, at) =>
      createHash("sha1").update(`${at}`).digest("hex"),
    ).join(" ");
    expect(redact(`${text} ${"A".repeat(64)}`)).toBe(`${text} ${"A".repeat(64)}`);
  });

  it("makes nothing of a value that is too short, or of none", () => {
    expect(redactor(["", "1234567", "-----BEGIN PRIVATE KEY-----"])("1234567 x")).toBe("1234567 x");
  });
});
