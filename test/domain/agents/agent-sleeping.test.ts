import { describe, expect, it } from "vitest";
import { leaseLost } from "../../../src/domain/agents/lease-lost.ts";
import { RUN_STATES } from "../../../src/domain/agents/run.ts";
import { AT, HOUR } from "../../factories/moment.ts";
import { anAgent } from "../../factories/records.ts";
import { surroundings } from "../../factories/surroundings.ts";
import { agentEvent } from "../machines/agent-events.ts";
import { asked, commentOf, told, took } from "../machines/agent-take.ts";

const RESTING = { state: "SLEEPING", sleepingSince: AT, activeSince: null, leaseUntil: null };

it("asleep for a model that did not answer, is not charged the time that it was asked", () => {
  const active = anAgent({ state: "ACTIVE", activeSince: AT - 10_000, activeMs: 5 });
  const waits = { reason: "provider_limit", dueAt: AT + 1 } as const;
  expect(took(active, agentEvent("WAIT", { ...waits, idleSince: AT - 4_000 })).snapshot.activeMs).toBe(6_005);
  expect(took(active, agentEvent("WAIT", waits)).snapshot.activeMs).toBe(10_005);
});

describe("an agent that goes to sleep", () => {
  it("adds the period that ends to its active time", () => {
    const agent = anAgent({ activeMs: HOUR, activeSince: AT - HOUR });
    expect(took(agent, agentEvent("WAIT")).snapshot).toMatchObject({ ...RESTING, activeMs: 2 * HOUR });
    const unsure = took({ ...agent, activeSince: null }, agentEvent("WAIT"));
    expect(unsure.snapshot.activeMs).toBe(HOUR);
    const backwards = took({ ...agent, activeSince: AT + HOUR }, agentEvent("WAIT"));
    expect(backwards.snapshot.activeMs).toBe(HOUR);
  });

  it("blocked: keeps its conversation, writes the dependency, names the blocker, looks once more", () => {
    const move = took(anAgent({ restarts: 2 }), agentEvent("BLOCKED"));
    expect(move.snapshot).toMatchObject({
      ...RESTING,
      sleepReason: "blocked",
      blockedBy: [7],
      restarts: 0,
      dueAt: null,
    });
    expect(asked(move)).toEqual([
      "keep session",
      "add_blocked_by",
      "comment feat-dev-issue-42-blocked-4",
      "status_comment",
      "recheck_blocker",
    ]);
    expect(commentOf(move)).toContain("#7");
    expect(commentOf(move)).toContain("needs the schema");
    expect(told(move)).toEqual(["run AGENT_NEEDED", "session REST"]);
    expect(move.emits).toMatchObject([{ event: { waitingFor: "#7" } }, { event: { reason: "blocked" } }]);
  });

  it("blocked by an issue of another repository keeps, looks at and names that repository", () => {
    const elsewhere = { repositoryId: 9, repository: "acme/lib" };
    const move = took(anAgent(), agentEvent("BLOCKED", { elsewhere }));
    expect(move.snapshot).toMatchObject({ blockedBy: [], blockedElsewhere: [{ ...elsewhere, number: 7 }] });
    expect(move.effects).toContainEqual({ kind: "recheck_blocker", blocker: 7, repositoryId: 9 });
    expect(move.effects).toContainEqual({ kind: "add_blocked_by", blocker: 7, repositoryId: 9 });
    expect(commentOf(move)).toContain("blocked by acme/lib#7");
    expect(move.emits[0]).toMatchObject({ event: { waitingFor: "acme/lib#7" } });
  });

  it.each([
    ["review", null, ["run INPUT_NEEDED", "task REQUEST_REVIEW"]],
    ["question", null, ["run INPUT_NEEDED"]],
    ["approval", null, ["run APPROVAL_NEEDED"]],
    ["approval", "max_turns", ["run STEP"]],
    ["retry", null, ["run ERROR"]],
    ["provider_limit", null, ["run ERROR"]],
    ["checks", null, []],
    ["restart", null, []],
    ["time", null, []],
  ] as const)("for %s (limit: %s) tells its run %j", (reason, breaker, run) => {
    const move = took(anAgent(), agentEvent("WAIT", { reason, breaker, dueAt: AT + HOUR }));
    expect(move.snapshot).toMatchObject({ ...RESTING, sleepReason: reason, breaker, dueAt: AT + HOUR });
    const session = { approval: "session AWAIT_APPROVAL", restart: "session STOP" };
    expect(told(move)).toEqual([
      ...run,
      reason === "approval" || reason === "restart" ? session[reason] : "session REST",
    ]);
    const ended = reason === "restart" ? "restart" : "waiting";
    expect(move.emits.at(-1)).toMatchObject({ event: { reason: ended } });
  });

  it("for a lease that was lost fails the conversation, and counts nothing", () => {
    const lost = { ...leaseLost(AT), around: surroundings() };
    const move = took(anAgent({ restarts: 1 }), lost);
    expect(move.snapshot).toMatchObject({ ...RESTING, sleepReason: "retry", dueAt: AT + 2_000, restarts: 1 });
    expect(told(move)).toEqual(["run ERROR", "session FAIL"]);
    expect(move.emits.at(-1)).toMatchObject({ event: { reason: "lease_lost" } });
  });

  it("tells its run what it waits for", () => {
    const detail = "which colour";
    expect(took(anAgent(), agentEvent("WAIT", { reason: "question", detail })).emits[0]).toMatchObject({
      event: { waitingFor: detail },
    });
    expect(took(anAgent(), agentEvent("WAIT", { reason: "approval", detail })).emits[0]).toMatchObject({
      event: { waitingFor: detail },
    });
    expect(took(anAgent(), agentEvent("WAIT", { reason: "retry", detail })).emits[0]).toMatchObject({
      event: { recoverable: true, error: detail },
    });
    const limit = agentEvent("WAIT", { reason: "approval", breaker: "max_turns" });
    expect(took(anAgent(), limit).emits[0]).toMatchObject({ event: { atLimit: true } });
  });

  it("after a crash counts it and marks the session as failed", () => {
    const move = took(anAgent({ restarts: 1 }), agentEvent("WAIT", { reason: "retry", crash: true }));
    expect(move.snapshot.restarts).toBe(2);
    expect(told(move)).toEqual(["run ERROR", "session FAIL"]);
    expect(move.emits[1]).toMatchObject({ event: { reason: "crashed" } });
    expect(took(anAgent({ restarts: 1 }), agentEvent("WAIT")).snapshot.restarts).toBe(1);
  });

  it("at a limit names it, and what a person can say", () => {
    const limit = { reason: "approval", breaker: "max_turns", detail: "50 of 50 turns are used" } as const;
    const move = took(anAgent(), agentEvent("WAIT", limit));
    expect(asked(move)).toEqual(["keep session", "comment feat-dev-issue-42-limit-4", "status_comment"]);
    expect(commentOf(move)).toContain("`max_turns`");
    expect(commentOf(move)).toContain("50 of 50 turns are used");
    expect(commentOf(move)).toContain("/flotilla continue");
    expect(asked(took(anAgent(), agentEvent("WAIT")))).toEqual(["keep session", "status_comment"]);
  });

  it("paused at work: is held by whoever paused it, once", () => {
    const move = took(anAgent({ heldBy: ["sprint"] }), agentEvent("PAUSE"));
    expect(move.snapshot).toMatchObject({
      ...RESTING,
      sleepReason: "paused",
      heldBy: ["sprint", "person"],
      reason: "paused by @alice",
    });
    expect(asked(move)).toEqual(["keep session", "status_comment"]);
    expect(told(move)).toEqual(["run PAUSE", "session PAUSE"]);
    expect(took(anAgent(), agentEvent("PAUSE", { holder: null })).snapshot.heldBy).toEqual([]);
    expect(took(anAgent({ heldBy: ["person"] }), agentEvent("PAUSE")).snapshot.heldBy).toEqual(["person"]);
  });

  it.each(["CREATED", "SLEEPING"] as const)("paused while %s: stays where it is, held", (state) => {
    const around = surroundings({ run: "waiting_agent" });
    const agent = anAgent({ state });
    const move = took(agent, agentEvent("PAUSE", { around, holder: "commit", why: "bob pushed" }));
    expect(move.snapshot).toEqual({ ...agent, heldBy: ["commit"], reason: "bob pushed" });
    expect(asked(move)).toEqual(["comment feat-dev-issue-42-foreign-4", "status_comment"]);
    expect(took(move.snapshot, agentEvent("PAUSE")).snapshot.heldBy).toEqual(["commit", "person"]);
  });

  it("paused for somebody else's commit says so once, with what a person can do", () => {
    const foreign = { holder: "commit", why: "@bob pushed" } as const;
    const move = took(anAgent(), agentEvent("PAUSE", foreign));
    expect(commentOf(move)).toMatch(
      /@bob pushed\. Flotilla does not push over these commits.*resume.*release/s,
    );
    expect(asked(took({ ...move.snapshot, state: "SLEEPING" }, agentEvent("PAUSE", foreign)))).toEqual([
      "status_comment",
    ]);
    expect(asked(took(anAgent({ state: "SLEEPING" }), agentEvent("PAUSE")))).toEqual(["status_comment"]);
  });

  it.each([null, ...RUN_STATES])("paused while asleep pauses its run in %s only where that waits", (run) => {
    const around = surroundings({ run });
    const waits = run?.startsWith("waiting_") ?? false;
    const move = took(anAgent({ state: "SLEEPING" }), agentEvent("PAUSE", { around }));
    expect(told(move)).toEqual(waits ? ["run PAUSE", "session PAUSE"] : ["session PAUSE"]);
  });
});
