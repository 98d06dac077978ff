import { describe, expect, it } from "vitest";
import { type Activity, newActivity } from "../../../src/domain/breakers/activity.ts";
import {
  afterProbe,
  type Liveness,
  probeDue,
  verdictText,
  WELL,
} from "../../../src/domain/breakers/liveness.ts";
import { print } from "../traces/print.ts";
import { type LifeTrace, lifeTraces, replayLife } from "../traces/replay-life.ts";

const found = (label: "hung" | "dead") =>
  lifeTraces(label).map((trace) => ({ trace, verdict: replayLife(trace).verdict }));

describe("on the labelled traces", () => {
  it.each(lifeTraces("alive"))("lets live: $name", (trace) => {
    expect(replayLife(trace).verdict).toBeNull();
  });

  it.each(lifeTraces("alive"))("lets live when it looks every second: $name", (trace) => {
    expect(replayLife(trace, 1).verdict).toBeNull();
  });

  it.each(found("hung"))("finds hung: $trace.name", ({ trace, verdict }) => {
    expect(verdict?.kind).toBe(trace.want ?? "hung");
  });

  it.each(found("dead"))("finds dead: $trace.name", ({ verdict }) => {
    expect(verdict?.kind).toBe("dead");
  });

  it("has at least twenty of each class, and prints how long a verdict takes", () => {
    for (const label of ["alive", "hung", "dead"] as const)
      expect(lifeTraces(label).length).toBeGreaterThanOrEqual(20);
    print(`liveness: ${lifeTraces("alive").length} alive traces, no verdict`);
    for (const label of ["dead", "hung"] as const) print(`liveness: ${label} ${times(found(label))}`);
  });

  it("comes to the verdict on a dead process within four minutes", () => {
    const late = found("dead").filter((one) => secondsTo(one) > 240);
    expect(late.map(({ trace }) => trace.name)).toEqual([]);
  });
});

function secondsTo({ trace, verdict }: { trace: LifeTrace; verdict: { at: number } | null }): number {
  return (verdict?.at ?? Number.POSITIVE_INFINITY) / 1000 - (trace.since ?? 0);
}

function times(traces: ReturnType<typeof found>): string {
  const sorted = traces.map(secondsTo).toSorted((one, other) => one - other);
  const at = (share: number) => Math.round(sorted[Math.floor(share * (sorted.length - 1))] ?? 0);
  return `${sorted.length} traces, time to detect: median ${at(0.5)} s, p95 ${at(0.95)} s, longest ${at(1)} s`;
}

describe("probing", () => {
  const activity = newActivity(0);
  const none: Activity = { lastSignAt: 0, inFlight: [] };
  const probe = { at: 120_000, process: true, answered: false, changed: false };

  it("suspects after two minutes without a sign of life, and not before", () => {
    expect(probeDue(WELL, activity, 119_999)).toBe(false);
    expect(probeDue(WELL, activity, 120_000)).toBe(true);
  });

  it("probes a suspect once a minute", () => {
    const suspect: Liveness = { state: "suspect", probes: [probe] };
    expect(probeDue(suspect, activity, 179_999)).toBe(false);
    expect(probeDue(suspect, activity, 180_000)).toBe(true);
  });

  it("never comes to a verdict on one failed probe", () => {
    const gone = { ...probe, process: false };
    expect(afterProbe(WELL, none, gone).liveness).toEqual({ state: "suspect", probes: [gone] });
  });

  it("begins again after a sign of life between two failed probes", () => {
    const suspect = afterProbe(WELL, none, probe).liveness;
    const since: Activity = { lastSignAt: 130_000, inFlight: [] };
    expect(afterProbe(suspect, since, { ...probe, at: 180_000 }).liveness).toEqual(WELL);
    const later = { ...probe, at: 260_000 };
    expect(afterProbe(suspect, since, later).liveness).toEqual({ state: "suspect", probes: [later] });
  });

  it("takes a change of the files for a sign of life, but not of a process that is gone", () => {
    const changed = { ...probe, changed: true };
    expect(afterProbe(WELL, none, changed)).toEqual({
      liveness: WELL,
      activity: { lastSignAt: 120_000, inFlight: [] },
    });
    expect(afterProbe(WELL, none, { ...changed, process: false }).liveness.state).toBe("suspect");
  });

  it("takes an answer for a sign of life only while something is in flight within its deadline", () => {
    const answer = { ...probe, answered: true };
    expect(afterProbe(WELL, activity, answer).liveness).toEqual(WELL);
    expect(afterProbe(WELL, none, answer).liveness.state).toBe("suspect");
    expect(afterProbe(WELL, activity, { ...answer, at: 900_001 }).liveness.state).toBe("suspect");
  });

  it("does not change its mind, nor probe again, after the verdict", () => {
    const suspect = afterProbe(WELL, none, probe).liveness;
    const judged = afterProbe(suspect, none, { ...probe, at: 180_000 }).liveness;
    expect(judged.state).toBe("judged");
    expect(probeDue(judged, none, 900_000)).toBe(false);
    expect(afterProbe(judged, activity, { ...probe, answered: true }).liveness).toBe(judged);
  });
});

describe("the words of a verdict", () => {
  const at = 180_000;
  const probes = [
    { at: 120_000, process: true, answered: true, changed: false },
    { at, process: true, answered: true, changed: false },
  ];
  const tool = { what: "tool", id: "a", name: "view", since: 0, deadlineAt: 60_000 } as const;
  const of = (kind: "dead" | "hung" | "tool", inFlight: Activity["inFlight"]) =>
    verdictText({ kind, at, silentMs: 180_000, probes, inFlight });

  it("say what was seen, and what was in flight", () => {
    expect(of("dead", [])).toBe("its process is gone (180 s without a sign of life, asked 2 times)");
    expect(of("hung", [])).toContain("nothing in flight");
    expect(of("hung", [tool])).toContain("in flight: view");
    expect(of("tool", [tool])).toContain("a tool is past its deadline (view;");
  });
});
