import { describe, expect, it } from "vitest";
import {
  isOurs,
  isUnreachable,
  outsideCode,
  triesInARow,
  unreachableText,
  waitsForOutside,
} from "../../../src/domain/agents/unreachable.ts";
import {
  GitError,
  GitHubError,
  OutsideError,
  RuntimeError,
  StaleSnapshot,
} from "../../../src/domain/kernel/errors.ts";

const AT = 1_000_000;
const clean = (text: string) => text.replaceAll("secret", "***");
const away = new GitError("network", "could not fetch with secret: 503", { consequence: "retry" });
const error = (code: string, consequence: "retry" | "park" | "tell" | "stop") =>
  new OutsideError(code, "it broke", { consequence });

describe("what is unreachable", () => {
  it.each([
    ["what passes, whatever its code", error("unknown", "retry"), true],
    ["a limit", error("rate_limited", "park"), true],
    ["a full disk, although no try helps", error("disk_full", "stop"), true],
    ["a runtime that is not installed", error("runtime_missing", "tell"), true],
    ["a role that is gone", error("unknown_role", "stop"), false],
    ["a word that only an object has", error("constructor", "stop"), false],
    ["a snapshot that another write changed", new StaleSnapshot("agent", 1), false],
    ["an error of our code", new TypeError("no"), false],
  ])("%s", (_, thrown, expected) => {
    expect(isUnreachable(thrown)).toBe(expected);
  });

  it("is never what only another try of our own needs", () => {
    expect(
      [new StaleSnapshot("agent", 1), error("stopping", "retry"), error("place_taken", "retry")].every(
        isOurs,
      ),
    ).toBe(true);
    expect([error("network", "retry"), new TypeError("stopping")].some(isOurs)).toBe(false);
  });

  it("is named before the error's own words, where its code is known", () => {
    expect(unreachableText(away)).toBe(
      "GitHub's git server cannot be reached: could not fetch with secret: 503",
    );
    expect(unreachableText(error("tree_moved", "retry"))).toBe("it broke");
    expect(unreachableText(error("toString", "retry"))).toBe("it broke");
  });
});

describe("the wait for it", () => {
  const pauses = [0, 1, 2, 5, 6, 100].map(
    (tries) => (waitsForOutside(away, { at: AT, tries, clean }).dueAt ?? 0) - AT,
  );

  it("doubles from 15 s to 10 min, and counts nothing", () => {
    expect(pauses).toEqual([15_000, 30_000, 60_000, 480_000, 600_000, 600_000]);
    expect(waitsForOutside(away, { at: AT, tries: 0, idleSince: 7, clean })).toEqual({
      type: "WAIT",
      at: AT,
      actor: "flotilla",
      reason: "retry",
      dueAt: AT + 15_000,
      idleSince: 7,
      crash: false,
      breaker: null,
      detail: "GitHub's git server cannot be reached: could not fetch with ***: 503",
      code: "git_unavailable",
    });
  });

  it.each([
    [new GitHubError("unavailable", "503", 503, { consequence: "retry" }), "github_unavailable"],
    [away, "git_unavailable"],
    [new RuntimeError("start_failed", "no", { consequence: "retry" }), "runtime_unavailable"],
    [error("odd", "retry"), "outside_unavailable"],
  ])("says for programs what is away: %s is %s", (thrown, code) => {
    expect(waitsForOutside(thrown, { at: AT, tries: 0, clean }).code).toBe(code);
    expect(outsideCode(thrown)).toBe(code);
  });

  it("ends when GitHub's limit does", () => {
    const limited = new GitHubError("rate_limited", "no request left", 403, {
      consequence: "park",
      retryAt: AT + 5,
    });
    expect(waitsForOutside(limited, { at: AT, tries: 9, clean })).toMatchObject({
      reason: "provider_limit",
      dueAt: AT + 5,
    });
  });
});

const run = (...events: string[]) => events.map((event) => ({ machine: "run" as const, event }));

it("counts errors of the run that no other move of it parts", () => {
  expect(triesInARow([])).toBe(0);
  expect(triesInARow(run("START"))).toBe(0);
  expect(triesInARow(run("START", "ERROR", "RETRY", "ERROR", "RETRY"))).toBe(2);
  expect(triesInARow(run("ERROR", "RETRY", "STEP", "ERROR", "RETRY"))).toBe(1);
  expect(triesInARow([...run("ERROR"), { machine: "agent" as const, event: "WAKE" }, ...run("RETRY")])).toBe(
    1,
  );
});
