import { describe, expect, it } from "vitest";
import { agentWalker, reviewerWalker } from "./agent-walker.ts";
import { runWalker } from "./run-walker.ts";
import { sessionWalker } from "./session-walker.ts";
import { printWay, refused, type Walker } from "./walker.ts";

describe("a walker", () => {
  it.each([runWalker, sessionWalker, agentWalker])("comes to every state of the $name", (walker) => {
    for (const state of walker.states) {
      const { snapshot } = walker.reach(state);
      expect(snapshot).toMatchObject({ state });
    }
  });

  it("prints the shortest way, event by event", () => {
    expect(printWay(runWalker.reach("idle"))).toBe("the beginning");
    expect(printWay(runWalker.reach("planning"))).toBe(
      "idle --START--> initializing --INIT_COMPLETE--> planning",
    );
  });

  it("goes through the states that it is given, in their order", () => {
    expect(runWalker.reach("executing", "paused").snapshot).toMatchObject({ remembered: "executing" });
    expect(() => runWalker.reach("paused", "error")).not.toThrow();
    expect(() => sessionWalker.reach("stopped", "unspecified")).toThrow("does not come to");
  });

  it("finds no way where the events allowed or their number do not suffice", () => {
    const idle = runWalker.reach("idle");
    const by = ["START", "INIT_COMPLETE"];
    expect(runWalker.pathThrough(idle, ["planning"], { by })?.steps).toHaveLength(2);
    expect(runWalker.pathThrough(idle, ["planning"], { by, bound: 1 })).toBeNull();
    expect(runWalker.pathThrough(idle, ["planning"], { by: ["START"] })).toBeNull();
  });

  it("walks a reviewer as well as a coder", () => {
    expect(agentWalker.reach("SLEEPING").snapshot).toMatchObject({ coder: true, role: "feat-dev" });
    expect(reviewerWalker.reach("SLEEPING").snapshot).toMatchObject({ coder: false, role: "reviewer" });
  });

  it("takes no way of no length: to come back to a state is a way too", () => {
    const executing = runWalker.reach("executing");
    const way = runWalker.pathThrough(executing, ["executing"], { by: ["STEP"] });
    expect(way?.steps.at(-1)).toEqual({ from: "executing", event: "STEP", to: "executing" });
  });

  it("tells why an event is refused, and fails where it is taken", () => {
    const idle = runWalker.reach("idle");
    expect(refused(runWalker, idle, "STEP").map(({ code }) => code)).toEqual([
      "no_such_transition",
      "no_such_transition",
    ]);
    expect(() => refused(runWalker, idle, "START")).toThrow("went to initializing");
  });

  it.each([() => shown(runWalker), () => shown(sessionWalker), () => shown(agentWalker)])(
    "knows an event of every type of machine %#",
    (count) => {
      expect(count()).toBeGreaterThan(0);
    },
  );

  it("fails for an event that it does not know", () => {
    expect(() => runWalker.answers(runWalker.reach("idle"), "SING")).toThrow("no event SING");
  });
});

/** How many answers the fewest-answered event has; throws for a type without events. */
function shown<Snap>(walker: Walker<Snap>): number {
  const [state = ""] = walker.states;
  return Math.min(...walker.events.map((event) => walker.answers(walker.reach(state), event).length));
}
