import { expect, test } from "vitest";
import { working } from "../../src/cli/progress.ts";
import { whileWaiting } from "../../src/cli/while-waiting.ts";
import { createFakeClock } from "../fakes/clock.ts";

/** A terminal of this width, or a file. */
function screen(columns?: number) {
  const written: string[] = [];
  return {
    written,
    ...(columns !== undefined && { isTTY: true, columns }),
    write: (text: string) => written.push(text.replaceAll("\r\u001b[K", "<")),
  };
}

test("long work keeps one line of a terminal, with a bar where it is known how much there is, and takes it away", async () => {
  const terminal = screen(40);
  const answer = await working(
    "issues are read",
    async ({ show }) => {
      show("acme/shop#7", 5, 10);
      show("x".repeat(80));
      return "done";
    },
    terminal,
  );
  expect(answer).toBe("done");
  expect(terminal.written).toEqual([
    "<issues are read …",
    "<[##########          ] 5/10 acme/shop#7".slice(0, 40),
    `<${"x".repeat(39)}`,
    "<",
  ]);
});

test("the line goes when the work fails, and nothing is written to a file", async () => {
  const terminal = screen(40);
  const failing = working("work", () => Promise.reject(new Error("no")), terminal);
  await expect(failing).rejects.toThrow("no");
  expect(terminal.written.at(-1)).toBe("<");
  const file = screen();
  await working("work", async ({ show }) => show("more"), file);
  expect(file.written).toEqual([]);
});

test("a wait says each second how much of its time is over, and no more once it has ended", async () => {
  const clock = createFakeClock(0);
  const shown: unknown[] = [];
  const { promise, resolve } = Promise.withResolvers<string>();
  const waiting = whileWaiting(
    promise,
    { show: (...said) => void shown.push(said) },
    { what: "a is to be COMPLETED", withinMs: 2500, clock },
  );
  clock.advance(1000);
  clock.advance(1000);
  resolve("COMPLETED");
  expect(await waiting).toBe("COMPLETED");
  clock.advance(5000);
  expect(shown).toEqual([0, 1, 2].map((seconds) => ["s: a is to be COMPLETED", seconds, 3]));
});
