import { describe, expect, it } from "vitest";
import {
  type Machine,
  NEW,
  no,
  type Rule,
  ruleMaker,
  step,
  toMermaid,
} from "../../../src/domain/kernel/state-machine.ts";

type State = "off" | "on";
interface Lamp {
  readonly id: number;
  readonly version: number;
  readonly state: State;
  readonly presses: number;
}
interface Press {
  readonly type: "PRESS" | "PLUG" | "LOOK";
  readonly power: boolean;
  readonly finger: boolean;
}

const rule = ruleMaker<State, Lamp, Press, string, string>();
const rules: readonly Rule<State, Lamp, Press, string, string>[] = [
  rule("PLUG", { from: NEW, to: "off" }),
  rule("PRESS", {
    from: ["off"],
    to: "on",
    guard: (_, event) => event.power || no("budget", "there is no power", true),
    change: (lamp) => ({ presses: lamp.presses + 1 }),
    effects: (after, event, before) => [`light ${before.presses} to ${after.presses} by ${event.type}`],
    emits: (after, event, before) => [`told ${before.state} to ${after.state} by ${event.type}`],
  }),
  rule("PRESS", {
    from: ["off"],
    to: "unchanged",
    guard: (_, event) => event.finger || no("slot", "nobody presses"),
    change: (lamp) => ({ presses: lamp.presses + 10 }),
  }),
  rule("PRESS", { from: ["on"], to: "off" }),
  rule("LOOK", { from: ["off", "on"], to: "unchanged" }),
];
const machine: Machine<State, Lamp, Press, string, string> = {
  name: "lamp",
  states: ["off", "on"],
  terminal: ["on"],
  events: ["PRESS", "PLUG", "LOOK"],
  rules,
};
const blank: Lamp = Object.freeze({ id: 0, version: 0, state: "on", presses: 0 });
const off: Lamp = Object.freeze({ ...blank, id: 3, version: 9, state: "off" });
const without = (type: Press["type"]): Press => ({ type, power: false, finger: false });
const press = (power: boolean, finger: boolean): Press => ({ type: "PRESS", power, finger });

describe("a step", () => {
  it("takes the first rule whose guard holds, and tells effects and events from before and after", () => {
    expect(step(machine, off, press(true, true))).toEqual({
      ok: true,
      from: "off",
      snapshot: { ...off, state: "on", presses: 1 },
      effects: ["light 0 to 1 by PRESS"],
      emits: ["told off to on by PRESS"],
    });
  });

  it("continues to the next rule when a guard refuses", () => {
    expect(step(machine, off, press(false, true))).toEqual({
      ok: true,
      from: "off",
      snapshot: { ...off, presses: 10 },
      effects: [],
      emits: [],
    });
  });

  it("tells the first refusal when no guard holds", () => {
    expect(step(machine, off, press(false, false))).toEqual({
      ok: false,
      code: "guard_refused",
      machine: "lamp",
      state: "off",
      event: "PRESS",
      rule: "budget",
      reason: "there is no power",
      keeps: true,
    });
  });

  it("makes a new record out of a blank one, in the state of the rule", () => {
    expect(step(machine, undefined, without("PLUG"), blank)).toMatchObject({
      ok: true,
      from: NEW,
      snapshot: { ...blank, state: "off" },
    });
  });

  it("makes no new record out of one that exists", () => {
    expect(step(machine, off, without("PLUG"), blank)).toMatchObject({
      ok: false,
      code: "no_such_transition",
      reason: "lamp in off takes no PLUG",
    });
  });

  it("leaves the snapshot that it was given alone", () => {
    const copy = structuredClone(off);
    step(machine, off, press(true, true));
    expect(off).toEqual(copy);
  });

  it("without news changes nothing and asks for nothing", () => {
    expect(step(machine, off, without("LOOK"))).toEqual({
      ok: true,
      from: "off",
      snapshot: off,
      effects: [],
      emits: [],
    });
  });
});

describe("a refusal", () => {
  it("keeps no wish unless it says so", () => {
    expect(no("budget", "there is none")).toEqual({ rule: "budget", reason: "there is none", keeps: false });
  });
});

describe("a diagram", () => {
  it("shows each arrow once", () => {
    expect(toMermaid(machine)).toBe(
      [
        "stateDiagram-v2",
        "  [*] --> off: PLUG",
        "  off --> on: PRESS",
        "  off --> off: PRESS",
        "  on --> off: PRESS",
        "  off --> off: LOOK",
        "  on --> on: LOOK",
        "  on --> [*]",
      ].join("\n"),
    );
  });
});
