import { describe, expect, it } from "vitest";
import {
  APPEARS_WITHIN_MS,
  type CheckFacts,
  flakeKey,
  type JudgedCheck,
  judgeCommit,
  PATIENCE_MS,
} from "../../../src/domain/checks/check-verdict.ts";

const NOW = 10_000_000;

const check = (state: JudgedCheck["state"], overrides: Partial<JudgedCheck> = {}): JudgedCheck => ({
  name: "build",
  state,
  conclusion: { red: "failure", green: "success", pending: "in_progress" }[state],
  changedAt: NOW - 1000,
  fingerprint: state === "red" ? "f1" : null,
  excused: false,
  rerun: null,
  ...overrides,
});

const judge = (overrides: Partial<CheckFacts> = {}) =>
  judgeCommit({
    required: ["build"],
    head: [check("red")],
    base: [],
    wereGreen: new Set(),
    flakes: new Set(),
    reruns: new Map(),
    flakeReruns: 1,
    awaitsApproval: false,
    since: NOW - 1000,
    now: NOW,
    ...overrides,
  });

const OWN = { kind: "own_failure", checks: ["build"] };
const PENDING = { kind: "pending", checks: ["build"] };
const rerun = (cause: string, byPerson = false) => ({
  kind: "flaky",
  reruns: [{ check: "build", cause, byPerson }],
});

describe("a commit whose required checks", () => {
  it.each<[string, readonly JudgedCheck[], object]>([
    ["are all green", [check("green")], { kind: "green" }],
    ["still run", [check("pending")], PENDING],
    ["are green by one App and run by another", [check("green"), check("pending")], PENDING],
    ["are green by one App and red by another", [check("green"), check("red")], OWN],
    ["have not appeared yet", [], PENDING],
    [
      "wait for a person's word",
      [check("red", { conclusion: "action_required" })],
      { kind: "awaiting_approval", checks: ["build"] },
    ],
  ])("%s is judged by that", (_, head, verdict) => {
    expect(judge({ head })).toEqual(verdict);
  });

  it("are named twice and red once counts that once, and checks that are not required not at all", () => {
    expect(
      judge({ required: ["build", "build"], head: [check("red"), check("red", { name: "lint" })] }),
    ).toEqual(OWN);
    expect(judge({ required: [] })).toEqual({ kind: "green" });
  });

  it("do not appear waits a quarter of an hour, then nothing is expected any more, but of a person who may approve", () => {
    const since = NOW - APPEARS_WITHIN_MS;
    expect(judge({ head: [], since: since + 1 })).toEqual(PENDING);
    expect(judge({ head: [], since })).toEqual({ kind: "no_checks", checks: ["build"] });
    expect(judge({ head: [], since, awaitsApproval: true })).toEqual({
      kind: "awaiting_approval",
      checks: ["build"],
    });
  });
});

describe("a red check", () => {
  it("is the base's where the base fails alike, by what it says or by how it ended", () => {
    const base = { kind: "base_red", checks: ["build"] };
    expect(judge({ base: [check("red")] })).toEqual(base);
    expect(judge({ base: [check("red", { fingerprint: "f2" })] })).toEqual(OWN);
    expect(judge({ base: [check("red", { fingerprint: null })] })).toEqual(base);
    expect(judge({ base: [check("red", { fingerprint: null, conclusion: "timed_out" })] })).toEqual(OWN);
    expect(judge({ base: [check("red", { name: "lint" })] })).toEqual(OWN);
    expect(judge({ base: [check("green")] })).toEqual(OWN);
  });

  it("waits for the base's own run, for half an hour at most", () => {
    const base = [check("pending")];
    expect(judge({ base })).toEqual(PENDING);
    expect(judge({ base, head: [check("red", { changedAt: NOW - PATIENCE_MS })] })).toEqual(OWN);
    expect(judge({ base, head: [check("red", { changedAt: null })] })).toEqual(OWN);
  });

  it("that failed as the base did is run again once the base is fixed", () => {
    expect(judge({ head: [check("red", { excused: true })], base: [check("green")] })).toEqual(
      rerun("base_mended"),
    );
  });

  it("that was green on the commit, or is a known flake, is run again as often as is configured", () => {
    const known = new Set([flakeKey("build", "f1")]);
    const wereGreen = new Set(["build"]);
    expect(judge({ flakes: known })).toEqual(rerun("flake"));
    expect(judge({ wereGreen, head: [check("red", { fingerprint: null })] })).toEqual(rerun("flake"));
    expect(judge({ flakes: known, reruns: new Map([["build", 1]]) })).toEqual(OWN);
    expect(judge({ flakes: known, reruns: new Map([["build", 1]]), flakeReruns: 2 })).toEqual(rerun("flake"));
    expect(judge({ wereGreen, flakeReruns: 0 })).toEqual(OWN);
    expect(judge({ flakes: new Set([flakeKey("lint", "f1")]) })).toEqual(OWN);
  });

  it("that was asked to run again is waited for, and a person's when nothing comes of it", () => {
    const asked = (at: number) => ({ head: [check("red", { rerun: { state: "asked", at } as const })] });
    const flakes = new Set([flakeKey("build", "f1")]);
    const reruns = new Map([["build", 1]]);
    expect(judge({ ...asked(NOW - 1000), flakes, reruns })).toEqual(PENDING);
    expect(judge({ ...asked(NOW - PATIENCE_MS), flakes, reruns })).toEqual(rerun("flake", true));
    expect(judge({ head: [check("red", { rerun: { state: "refused" } })], flakes })).toEqual(
      rerun("flake", true),
    );
  });

  it.each(["cancelled", "stale", "startup_failure"])(
    "that ended as %s is nobody's failure, however often",
    (conclusion) => {
      const head = [check("red", { conclusion })];
      expect(judge({ head })).toEqual(rerun("stopped"));
      expect(judge({ head, reruns: new Map([["build", 1]]) })).toEqual(rerun("stopped", true));
      expect(judge({ head, flakeReruns: 0 })).toEqual(rerun("stopped", true));
    },
  );

  it("of the commit's own comes before everything that others wait for", () => {
    const head = [check("red"), check("red", { name: "lint", conclusion: "cancelled" })];
    expect(judge({ required: ["lint", "build"], head })).toEqual(OWN);
    expect(judge({ required: ["build", "lint"], head: head.slice(1) })).toMatchObject({ kind: "flaky" });
  });
});
