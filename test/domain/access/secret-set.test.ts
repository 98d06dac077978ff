import * as fc from "fast-check";
import { expect, it, vi } from "vitest";
import { redactor, redactorOf } from "../../../src/domain/access/redact.ts";
import { formsOf } from "../../../src/domain/access/secret-forms.ts";
import { SecretSet } from "../../../src/domain/access/secret-set.ts";
import { WindowSet } from "../../../src/domain/access/secret-windows.ts";

const BODY = "MIIEowIBAAKCAQEAq7BFUpkGp3LQmlQYx2eqzDV0xeG8kx9sQFV18S5JhzGe";
/** Secrets that share pieces, begin one another, are words, or are too short. */
const SECRETS = [
  "ghs_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8",
  "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0",
  "x1B2c3D4e5F6g7H8i9J0k1L2m3N4zzzzz",
  "a1B2c3D4e5F6g7H8i9J0a1B2c3D4e5F6g7H8i9J0",
  "password-of-ours",
  "password-of-ours-two",
  "sword-of-ours-owned",
  " ghs_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8",
  "short",
  `-----BEGIN RSA PRIVATE KEY-----\n${BODY}\n${BODY.toLowerCase()}\n-----END RSA PRIVATE KEY-----`,
];
const token = (index: number) => `ghs_${Array.from({ length: 36 }, (_, at) => letter(index, at)).join("")}`;
const letter = (index: number, at: number) =>
  "aB1cD2eF3gH4iJ5kL6mN7oP8qR9sT0".charAt((index * 7 + at * (index % 11) + at) % 30);

it("gives what a new redactor of the same secrets gives, in whatever order they come and go", () => {
  const secret = fc.constantFrom(...SECRETS, ...Array.from({ length: 40 }, (_, index) => token(index)));
  const act = fc.record({ secret, comes: fc.boolean() });
  // Pieces of secrets side by side, in some of their forms.
  const piece = fc
    .record({ secret, from: fc.nat(30), length: fc.integer({ min: 8, max: 90 }), form: fc.nat(22) })
    .map(({ secret: whole, from, length, form }) => {
      const all = formsOf(whole);
      return (all[form % all.length] ?? whole).slice(from, from + length);
    });
  fc.assert(
    fc.property(
      fc.array(act, { maxLength: 60 }),
      fc.array(piece, { minLength: 1, maxLength: 12 }),
      fc.constantFrom("", " ", "-", "\u200B"),
      (acts, pieces, between) => {
        const set = new SecretSet();
        const redact = redactorOf(set);
        const left = new Set<string>();
        for (const { secret: one, comes } of acts) {
          if (comes) set.add(one);
          else set.remove(one);
          if (comes) left.add(one);
          else left.delete(one);
        }
        const text = pieces.join(between);
        expect(redact(text)).toBe(redactor([...left])(text));
      },
    ),
    { numRuns: 300 },
  );
});

it("finds nothing when all have gone, and everything when they come again", () => {
  const set = new SecretSet();
  const all = [...SECRETS, ...Array.from({ length: 60 }, (_, index) => token(index))];
  for (let round = 0; round < 3; round += 1) {
    for (const secret of all) set.add(secret);
    for (const secret of all.filter((one) => one !== "short"))
      expect(set.takeOut(secret)).not.toContain(secret.trim());
    for (const secret of round % 2 === 0 ? all : all.toReversed()) set.remove(secret);
    for (const secret of all) expect(set.takeOut(secret)).toBe(secret);
  }
});

it("costs the work of one secret to add or remove one, however many there are", () => {
  const add = vi.spyOn(WindowSet.prototype, "add");
  const remove = vi.spyOn(WindowSet.prototype, "remove");
  const set = new SecretSet();
  /** Characters that are put into the windows or taken out of them. */
  const work = (act: () => void) => {
    for (const spy of [add, remove]) spy.mockClear();
    act();
    const pools = [...add.mock.results.map(({ value }) => String(value)), ...remove.mock.calls.flat()];
    return pools.reduce((sum, pool) => sum + pool.length, 0);
  };
  const first = work(() => set.add(token(1)));
  for (const secret of SECRETS) set.add(secret);
  for (let index = 100; index < 200; index += 1) set.add(token(index));
  expect(first).toBeGreaterThan(0);
  expect(work(() => set.add(token(2)))).toBeLessThan(first * 1.2);
  expect(work(() => set.remove(token(1)))).toBe(first);
});

it("finds each window alone, after others that lay in its way are gone", () => {
  const windows = new WindowSet();
  const all = Array.from({ length: 2_000 }, (_, index) => `${index}`.padStart(4, "0") + "abcdEFGH");
  const pools = all.map((window) => windows.add([window]));
  for (const pool of pools.slice(0, 1_500)) windows.remove(pool);
  expect(all.filter((window) => windows.find(window).length > 0)).toEqual(all.slice(1_500));
  for (const pool of pools.slice(1_500)) windows.remove(pool);
  expect(windows.isEmpty).toBe(true);
});
