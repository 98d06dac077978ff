import { describe, expect, it } from "vitest";
import { decide } from "../../../src/domain/decide.ts";
import type { DomainEventOf } from "../../../src/domain/events/domain-event.ts";
import type { ChangeSet } from "../../../src/domain/kernel/change-set.ts";
import { aView } from "../../factories/a-view.ts";
import { aDomainEvent } from "../../factories/an-occurrence.ts";
import { anAgent } from "../../factories/records.ts";

const held = [
  { repositoryId: 7, issue: 5 },
  { repositoryId: 8, issue: 6 },
];
const looks = held.map((one) => ({ kind: "look_at_blockers", ...one }));

it("looks again at issues that a closed one blocked, and is no news of nobody's", () => {
  const changes = decide(aDomainEvent("issue_closed"), aView({ held, agents: [], task: null }));
  expect(changes.effects).toEqual(looks);
  expect(changes.decisions).toEqual([]);
});

it("looks again at issues that one blocks which is opened again, whoever opens it", () => {
  const reopened = aDomainEvent("issue_reopened", { permitted: false });
  const changes = decide(reopened, aView({ held }));
  expect(changes.effects).toEqual(looks);
  expect(changes.decisions).toMatchObject([{ rule: "not_permitted" }]);
});

const asleep = anAgent({ issue: 42, state: "SLEEPING", sleepReason: "blocked", blockedBy: [7] });
const wakesOf = (changes: ChangeSet) => changes.wakes.map(({ reason, detail }) => `${reason}: ${detail}`);

const ofBlocker = (overrides: Partial<DomainEventOf<"blocker_changed">>, view = {}) =>
  decide(aDomainEvent("blocker_changed", overrides), aView(view));
const ofPart = (overrides: Partial<DomainEventOf<"part_changed">>) =>
  decide(aDomainEvent("part_changed", overrides), aView({ agents: [asleep] }));

describe("a blocker that is added or taken off", () => {
  it.each([true, false])("is read from GitHub for who waits to start, whoever did it (own: %s)", (own) => {
    const waiting = anAgent({ issue: 42, state: "CREATED" });
    const look = { kind: "look_at_blockers", repositoryId: 7, issue: 42 };
    for (const added of [true, false])
      expect(ofBlocker({ own, added, permitted: false }, { agents: [waiting] })).toMatchObject({
        effects: [look],
      });
  });

  it("wakes who sleeps for it, when a permitted person takes it off", () => {
    const changes = ofBlocker({ added: false }, { agents: [asleep] });
    expect(wakesOf(changes)).toEqual([
      "blocker: #7, which blocked you, was taken off as a blocker by @alice.",
    ]);
    const expired = { ...asleep, state: "ESCALATED" as const };
    expect(ofBlocker({ added: false }, { agents: [expired] }).wakes).toHaveLength(1);
  });

  it.each([
    ["our own", { own: true, added: false }, "own_act"],
    ["one by a person who may not", { permitted: false, added: false }, "not_permitted"],
  ])("wakes nobody and says why: %s", (_, overrides, rule) => {
    const changes = ofBlocker(overrides, { agents: [asleep] });
    expect(changes).toMatchObject({ wakes: [], effects: [], decisions: [{ rule }] });
  });

  it.each([
    ["another blocker", { added: false, blocker: { repository: "acme/shop", number: 8 } }],
    ["another repository's", { added: false, blocker: { repository: "acme/lib", number: 7 } }],
    ["one that is added", { added: true }],
  ])("is read from GitHub for who sleeps for others: %s", (_, overrides) => {
    const changes = ofBlocker(overrides, { agents: [asleep] });
    expect(changes).toMatchObject({ wakes: [], effects: [{ kind: "look_at_blockers", issue: 42 }] });
    expect(ofBlocker(overrides, { agents: [] })).toMatchObject({
      effects: [],
      decisions: [{ rule: overrides.added ? "blocker_noted" : "nobody_concerned" }],
    });
  });

  it("wakes nobody who sleeps no more", () => {
    const changes = ofBlocker({ added: false }, { agents: [{ ...asleep, state: "ACTIVE" }] });
    expect(changes).toMatchObject({ wakes: [], decisions: [{ rule: "nobody_concerned" }] });
  });
});

describe("a part that is added or taken off", () => {
  it("wakes who would wait for a part of its own issue", () => {
    expect(wakesOf(ofPart({}))).toEqual([
      "blocker: #7, which blocked you, was made a part of your own issue by @alice.",
    ]);
  });

  it.each([
    ["taken off", { added: false }, "nobody_concerned"],
    ["another issue's", { part: { repository: "acme/shop", number: 8 } }, "nobody_concerned"],
    ["by a person who may not", { permitted: false }, "not_permitted"],
  ])("wakes nobody and says why: %s", (_, overrides, rule) => {
    expect(ofPart(overrides)).toMatchObject({ wakes: [], effects: [], decisions: [{ rule }] });
  });
});
