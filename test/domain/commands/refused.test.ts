import { expect, it } from "vitest";
import { wasRefused } from "../../../src/domain/commands/refused.ts";
import { decide } from "../../../src/domain/decide.ts";
import { aDecision } from "../../factories/a-decision.ts";
import { aView } from "../../factories/a-view.ts";
import { aDomainEvent, aPerson } from "../../factories/an-occurrence.ts";
import { AT } from "../../factories/moment.ts";

const bob = aPerson("bob");
const SINCE = new Date(AT).toISOString();

it("is decided with the account of the person, and nothing else is", () => {
  const [refused] = decide(
    aDomainEvent("issue_labeled", { permitted: false, actor: bob }),
    aView(),
  ).decisions;
  expect(refused).toMatchObject({ rule: "not_permitted", inputs: { account: bob.id } });
  const [talk] = decide(aDomainEvent("commented", { permitted: false, actor: bob }), aView()).decisions;
  expect(talk).toMatchObject({ rule: "talk", inputs: {} });
});

it.each([
  ["under another login", { ...bob, login: "bob-again" }, {}, true],
  ["not by another account that has the login by now", { ...bob, id: 5 }, {}, false],
  ["not before they acted", bob, { lastAt: AT - 1 }, false],
  ["not by another decision", bob, { rule: "talk" }, false],
  ["by the login where the account was not kept", bob, { inputs: {} }, true],
  ["not by another login where the account was not kept", aPerson("eve"), { inputs: {} }, false],
] as const)("is known of a person: %s", (_, person, overrides, refused) => {
  const decisions = [aDecision({ inputs: { account: bob.id }, ...overrides })];
  expect(wasRefused(person, SINCE, { decisions })).toBe(refused);
});
