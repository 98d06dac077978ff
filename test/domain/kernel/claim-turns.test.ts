import { array, assert, constantFrom, dictionary, integer, property, record, subarray } from "fast-check";
import { expect, it } from "vitest";
import type { Tenant, Weights } from "../../../src/domain/agents/fair-share.ts";
import {
  countTurn,
  type GivenTurns,
  leftOut,
  letIn,
  NO_TURNS,
} from "../../../src/domain/kernel/claim-turns.ts";

const EVEN: Weights = { owner: () => 1, repository: () => 1 };

/** Written as `owner/repository#number`. */
function tenantOf(text: string): Tenant {
  const [owner = "", rest = ""] = text.split("/");
  return { owner, repositoryId: Number.parseInt(rest, 10) };
}

/** Claims one after another of what waits, oldest first but for those left out, as a table does. */
function* claims(waiting: readonly string[], weights = EVEN, given: GivenTurns = NO_TURNS): Iterable<string> {
  const left = [...waiting];
  let turns = given;
  for (let claim = 0; left.length > 0; claim += 1) {
    if (claim > 20 * waiting.length) throw new Error("what waits is not found");
    const out = leftOut(turns);
    const found = left.findIndex((one) => {
      const { owner, repositoryId } = tenantOf(one);
      return !out?.owners.includes(owner) && !out?.repositories.includes(repositoryId);
    });
    const [next] = found === -1 ? [] : left.splice(found, 1);
    if (next === undefined) {
      if (out === null) throw new Error("nothing found, and nobody left out");
      turns = letIn(turns);
    } else {
      yield next;
      turns = countTurn(turns, tenantOf(next), weights);
    }
  }
}

const flood = (tenant: string, length = 100) =>
  Array.from({ length }, (_, number) => `${tenant}#${number + 1}`);
const given = (...tenants: readonly string[]) =>
  tenants.reduce((turns, one) => countTurn(turns, tenantOf(one), EVEN), NO_TURNS);
const times = (count: number, tenant: string) => Array.from({ length: count }, () => tenant);
/** How many of the first claims each repository got. */
function shares(all: Iterable<string>, first: number): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const one of [...all].slice(0, first)) {
    const tenant = one.replace(/#.*/, "");
    counts[tenant] = (counts[tenant] ?? 0) + 1;
  }
  return counts;
}

it.each([
  ["nobody at first", [], null],
  ["nobody who had four turns", times(4, "a/1"), null],
  [
    "the repository that had five, though its owner has others",
    times(5, "a/1"),
    { owners: [], repositories: [1] },
  ],
  [
    "an owner of whom two repositories had five",
    ["a/1", "a/1", "a/1", "a/2", "a/2", "b/3"],
    { owners: ["a"], repositories: [1, 2] },
  ],
])("a claim leaves out %s", (_, turns, expected) => {
  expect(leftOut(given(...turns))).toEqual(expected);
});

it("what waits behind a flood comes after five turns of the flood", () => {
  expect([...claims([...flood("a/1"), "b/2#1"])].indexOf("b/2#1")).toBe(5);
  expect([...claims([...flood("a/1"), "a/2#1"])].indexOf("a/2#1")).toBe(5);
});

it("a flood in many repositories of one owner holds others up no longer", () => {
  const floods = Array.from({ length: 100 }, (_, number) => flood(`a/${number + 10}`, 3)).flat();
  expect([...claims([...floods, "b/2#1"])].indexOf("b/2#1")).toBeLessThanOrEqual(6);
});

it.each([
  ["owners", { owner: ({ owner }: Tenant) => (owner === "a" ? 3 : 1), repository: () => 1 }, "b/2"],
  ["repositories", { owner: () => 1, repository: (one: Tenant) => (one.repositoryId === 1 ? 3 : 1) }, "a/2"],
])("%s get turns by their weights", (_, weights, other) => {
  const all = claims([...flood("a/1"), ...flood(other)], weights);
  expect(shares(all, 80)).toEqual({ "a/1": 60, [other]: 20 });
});

it("owners share evenly, however many of their repositories wait", () => {
  const all = claims([...flood("a/1"), ...flood("a/2"), ...flood("b/3")]);
  expect(shares(all, 120)).toEqual({ "a/1": 30, "a/2": 30, "b/3": 60 });
});

const weight = constantFrom(0.5, 1, 2, 3);
const tenant = record({ owner: constantFrom("a", "b", "c"), repository: integer({ min: 0, max: 2 }) });
const name = (one: { owner: string; repository: number }) =>
  `${one.owner}/${one.owner.charCodeAt(0) * 10 + one.repository}`;

it("under floods, nothing is lost and the wait of all others is bounded, whatever came before", () => {
  assert(
    property(
      array(tenant, { maxLength: 6 }),
      dictionary(constantFrom("a", "b", "c", "f", "g"), weight),
      subarray(["f/1", "f/2", "g/3", "g/4"], { minLength: 1 }),
      array(tenant, { minLength: 1, maxLength: 6 }),
      (before, owners, floods, others) => {
        const weights: Weights = { owner: ({ owner }) => owners[owner] ?? 1, repository: () => 1 };
        const turns = before.reduce((all, one) => countTurn(all, tenantOf(name(one)), weights), NO_TURNS);
        const waiting = [
          ...floods.flatMap((one) => flood(one)),
          ...others.map((one, number) => `${name(one)}#${number}`),
        ];
        const got = [...claims(waiting, weights, turns)];
        expect(got.toSorted()).toEqual(waiting.toSorted());
        for (const one of floods)
          expect(got.filter((other) => other.startsWith(`${one}#`))).toEqual(flood(one));
        // A flood gets turns while an owner's own are counted, and five more before Flotilla looks for others.
        const weightOf = (one: string) => owners[one.slice(0, 1)] ?? 1;
        const most = Math.max(
          ...["a", "b", "c"].map((one) => {
            const own = [...before, ...others].filter(({ owner }) => owner === one);
            return own.length / weightOf(one);
          }),
        );
        const floodOwners = [...new Set(floods.map((one) => one.slice(0, 1)))];
        const ofFloods = floodOwners.reduce((sum, one) => sum + weightOf(one), 0) * (most + 10);
        const last = Math.max(...others.map((one, number) => got.indexOf(`${name(one)}#${number}`)));
        const ahead = got.slice(0, last).filter((one) => one.startsWith("f/") || one.startsWith("g/"));
        expect(ahead.length).toBeLessThanOrEqual(ofFloods + floods.length);
      },
    ),
  );
});
