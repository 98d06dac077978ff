import { expect, it } from "vitest";
import { type ReplayedWhole, replayJson, replayText, summary } from "../../../src/cli/replay/replay-text.ts";
import type { DeliveryRow } from "../../../src/domain/kernel/rows.ts";
import { AT } from "../../factories/moment.ts";

const delivery: DeliveryRow = {
  guid: "g-1",
  seq: 1,
  event: "issues",
  action: "labeled",
  installationId: 1,
  repositoryId: 7,
  lane: "7#1",
  payload: "{}",
  state: "done",
  attempts: 1,
  receivedAt: AT,
  notBefore: 0,
  settledAt: AT,
  note: null,
};
const NONE: ReplayedWhole = {
  issue: 1,
  deliveries: 2,
  same: { transitions: 0, decisions: 2, effects: 1, wakes: 0, ignored: 0 },
  differing: [],
  untold: [],
  beyond: [],
};
const gone = { what: "wake", recorded: "gone", again: null } as const;
const differing = { delivery, differences: [gone], because: null };

it("counts in the singular and the plural, and ignored ones only where there are any", () => {
  expect(summary(NONE)).toBe(
    "2 deliveries decided again, the same: 0 transitions, 2 decisions, 1 effect, 0 wakes.",
  );
  expect(summary({ ...NONE, deliveries: 1, same: { ...NONE.same, ignored: 1 } })).toBe(
    "1 delivery decided again, the same: 0 transitions, 2 decisions, 1 effect, 0 wakes, 1 ignored.",
  );
});

it.each([
  [1, "1 delivery differs", "1 limit or level met", "of 1 delivery the"],
  [2, "2 deliveries differ", "2 limits and levels met", "of 2 deliveries the"],
])("counts %s of what differs, is met, and is not told", (count, differs, met, untold) => {
  const many = <T>(one: T): T[] => Array.from({ length: count }, () => one);
  const text = summary({
    ...NONE,
    differing: many(differing),
    beyond: many(gone),
    untold: many({ delivery, why: "lost" }),
  });
  expect(text).toBe(
    `2 deliveries decided again, ${differs}, otherwise the same: 0 transitions, 2 decisions, 1 effect, 0 wakes; ${met}; ${untold} record does not tell.`,
  );
});

it("tells one line for each side of a difference, cut to one line of 300 characters, and what makes it so", () => {
  const lines = replayText("acme/shop", {
    ...NONE,
    differing: [
      {
        delivery,
        differences: [
          gone,
          { what: "effect", recorded: null, again: "new\n  line" },
          { what: "decision", recorded: "x".repeat(300), again: "y".repeat(301) },
        ],
        because: [],
      },
      {
        delivery: { ...delivery, event: "push", action: null },
        differences: [gone],
        because: ["level", "limits"],
      },
      differing,
    ],
    untold: [{ delivery, why: "lost\nfor good" }],
    beyond: [{ what: "limit", recorded: "used 3", again: "stopped at 2" }],
  });
  const at = new Date(AT).toISOString();
  expect(lines.slice(0, -1)).toEqual([
    `${at}  issues.labeled  g-1`,
    "  only then  wake gone",
    "  only now   effect new line",
    `  then       decision ${"x".repeat(300)}`,
    `  now        decision ${"y".repeat(300)} …`,
    "  by         no single key of the configuration: several together, or today's code",
    "",
    `${at}  push  g-1`,
    "  only then  wake gone",
    "  by         level, limits",
    "",
    `${at}  issues.labeled  g-1`,
    "  only then  wake gone",
    "",
    `${at}  issues.labeled  g-1`,
    "  not told by the record: lost for good",
    "",
    "Limits and level",
    "  then       limit used 3",
    "  now        limit stopped at 2",
    "",
  ]);
  expect(lines.at(-1)).toMatch(/^acme\/shop#1: 2 deliveries decided again, /);
});

it("is one line where all is the same", () => {
  expect(replayText("acme/shop", NONE)).toEqual([`acme/shop#1: ${summary(NONE)}`]);
});

it("counts limits and levels as differences for a program", () => {
  const json = replayJson({ ...NONE, differing: [differing], beyond: [gone, gone] });
  expect(json).toMatchObject({ differs: 3, differing: [{ guid: "g-1", event: "issues.labeled" }] });
});
