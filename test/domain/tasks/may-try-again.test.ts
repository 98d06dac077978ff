import { expect, test } from "vitest";
import { GitError, GitHubError } from "../../../src/domain/kernel/errors.ts";
import { mayTryAgain } from "../../../src/domain/tasks/may-try-again.ts";
import { HOUR } from "../../factories/moment.ts";

const down = new GitHubError("unavailable", "502", 502, { consequence: "retry" });
const odd = new GitHubError("malformed", "protection is missing", 200, { consequence: "retry" });
const cut = new GitError("network", "Connection refused", { consequence: "retry" });
const faulty = new GitHubError("conflict", "409", 409, { consequence: "retry" });
const refused = new GitHubError("forbidden", "403", 403, { consequence: "tell" });
const after = (attempts: number) => ({ attempts, maxAttempts: 3, createdAt: 0 });

test.each([
  ["what passes, while there are tries left", faulty, 2, 0, true],
  ["what passes, after the last try", faulty, 3, 0, false],
  ["an error of ours, while there are tries left", new Error("a bug"), 2, 0, true],
  ["an error of ours, after the last try", new Error("a bug"), 3, 0, false],
  ["what does not pass", refused, 1, 0, false],
  ["a server that is down, for a day, however many tries there were", down, 200, 24 * HOUR - 1, true],
  ["answers that cannot be read, for as long as they are thought to pass", odd, 200, 24 * HOUR - 1, true],
  ["git that is down, for as long", cut, 200, 24 * HOUR - 1, true],
  ["a server that is down for longer", down, 200, 24 * HOUR, false],
])("%s", (_, error, attempts, now, again) => {
  expect(mayTryAgain(error, after(attempts), now)).toBe(again);
});

test("what gives way to others has no more tries while a server is down", () => {
  expect(mayTryAgain(down, { ...after(2), givesWay: true }, 0)).toBe(true);
  expect(mayTryAgain(down, { ...after(3), givesWay: true }, 0)).toBe(false);
});
