import { expect, it } from "vitest";
import type { Verb } from "../../../src/domain/commands/command.ts";
import { decide } from "../../../src/domain/decide.ts";
import { aView } from "../../factories/a-view.ts";
import { aCommand } from "../../factories/an-occurrence.ts";
import { anAgent } from "../../factories/records.ts";
import { rulesOf, saidBy, wakesOf } from "../kernel/changes-as-text.ts";

const agents = [
  anAgent({ id: 1, state: "ESCALATED" }),
  anAgent({ id: 2, state: "SLEEPING", sleepReason: "approval", breaker: "max_turns" }),
];
const said = (verb: Verb, rest: string) => decide(aCommand(verb, rest), aView({ agents }));

it.each([
  ["continue", "-1"],
  ["continue", "0"],
  ["continue", "99999"],
  ["continue", "10 turns"],
  ["continue", "$5"],
  ["resume", "1e9"],
  ["resume", "2.5"],
  ["continue", "５"],
  ["continue", "٣"],
  ["continue", "½"],
  ["continue", "(500)"],
  ["continue", "#500"],
  ["continue", '"5"'],
  ["continue", "**5** turns."],
  ["resume", "Ⅷ rounds"],
] as const)("%s with %j grants nothing, and says which numbers it takes", (verb, rest) => {
  const changes = said(verb, rest);
  expect(wakesOf(changes)).toEqual([]);
  expect(rulesOf(changes)).toEqual(["number_unreadable"]);
  expect(saidBy(changes)).toContain(
    `\`/flotilla ${verb}\` changes nothing: \`${rest}\` is no whole number from 1 to 9999 in plain digits`,
  );
  expect(changes.effects).toContainEqual(expect.objectContaining({ kind: "react", reaction: "confused" }));
});

it("words that are no number stay words", () => {
  expect(wakesOf(said("resume", "please continue"))).toEqual(["1 resumed", "1 message"]);
  expect(wakesOf(said("continue", "#12 is merged"))).toEqual(["1 approval", "2 approval"]);
  expect(wakesOf(said("continue", "(see 4.2) as written"))).toEqual(["1 approval", "2 approval"]);
  expect(wakesOf(said("continue", "as long as you like"))).toEqual(["1 approval", "2 approval"]);
});
