import { expect, test } from "vitest";
import {
  isPresent,
  LEASE_MS,
  type NodeRow,
  nodeState,
  presentBeside,
  RENEW_MS,
  standstills,
} from "../../../src/domain/recovery/node.ts";

const node = (name: string, given: Partial<NodeRow> = {}): NodeRow => ({
  name,
  epoch: 1,
  version: "1.0.0",
  seenAt: 1000,
  stopped: false,
  reads: 1,
  drainUntil: null,
  drainReason: null,
  roles: "intake,controller,runner,web",
  publicKey: null,
  memoryBytes: null,
  freeDiskBytes: null,
  ...given,
});

test("a node runs until a lease after it was seen, or until it has stopped", () => {
  expect(isPresent(node("one"), 1000 + LEASE_MS - 1)).toBe(true);
  expect(isPresent(node("one"), 1000 + LEASE_MS)).toBe(false);
  expect(isPresent(node("one", { stopped: true }), 1000)).toBe(false);
});

test("people read whether it runs, is drained, has stopped or is lost", () => {
  const states = [
    node("one"),
    node("two", { stopped: true, drainUntil: 5 }),
    node("three", { seenAt: 0, drainUntil: 5 }),
    node("four", { drainUntil: 5 }),
  ];
  expect(states.map((one) => nodeState(one, LEASE_MS))).toEqual(["running", "stopped", "lost", "draining"]);
});

test("three renewals may fail before a node seems lost", () => {
  expect(LEASE_MS).toBeGreaterThan(3 * RENEW_MS);
});

test("beside a node are the others that run", () => {
  const nodes = [node("one"), node("two"), node("three", { stopped: true }), node("four", { seenAt: 0 })];
  expect(presentBeside(nodes, "one", LEASE_MS)).toEqual([node("two")]);
});

test("what no machine that runs has the role for stands still, which people are told", () => {
  const controller = node("one", { roles: "intake,controller" });
  const runner = node("two", { roles: "runner,web" });
  expect(standstills([], 1000)).toEqual([]);
  expect(standstills([node("one")], 1000)).toEqual([]);
  expect(standstills([controller, runner], 1000)).toEqual([]);
  const noRunner = ["No machine runs agents: start one with `--role runner`."];
  expect(standstills([controller], 1000)).toEqual(noRunner);
  expect(standstills([controller, { ...runner, stopped: true }], 1000)).toEqual(noRunner);
  expect(standstills([{ ...controller, seenAt: 0 }, runner], LEASE_MS)).toEqual([
    "No machine handles webhooks and writes on GitHub: start one with `--role controller`.",
  ]);
});

test("no agent begins while each machine that runs agents is drained, which people are told", () => {
  const controller = node("one", { roles: "intake,controller" });
  const drained = node("two", { roles: "runner,web", drainUntil: 5 });
  const told = [expect.stringMatching(/^No agent starts or wakes.*`flotilla drain --undo`/)];
  expect(standstills([controller, drained], 1000)).toEqual(told);
  expect(standstills([node("all", { drainUntil: 5 })], 1000)).toEqual(told);
  expect(standstills([controller, drained, node("three", { roles: "runner" })], 1000)).toEqual([]);
  expect(standstills([{ ...controller, drainUntil: 5 }, node("three", { roles: "runner" })], 1000)).toEqual(
    [],
  );
});
