import { array, assert, constantFrom, dictionary, integer, property, record } from "fast-check";
import { expect, it } from "vitest";
import {
  giveTurn,
  inTurn,
  NOTHING_GIVEN,
  type Shares,
  type Tenant,
  type Weights,
} from "../../../src/domain/agents/fair-share.ts";

const EVEN: Weights = { owner: () => 1, repository: () => 1 };

/** Written as `owner/repository#number`. */
function tenantOf(text: string): Tenant {
  const [owner = "", rest = ""] = text.split("/");
  return { owner, repositoryId: Number.parseInt(rest, 10) };
}

const order = (waiting: readonly string[], weights = EVEN, given = NOTHING_GIVEN) => [
  ...inTurn(waiting, tenantOf, weights, given),
];

it.each([
  ["one repository keeps its order", ["a/1#1", "a/1#2", "a/1#3"], ["a/1#1", "a/1#2", "a/1#3"]],
  ["two repositories take turns", ["a/1#1", "a/1#2", "a/1#3", "a/2#1"], ["a/1#1", "a/2#1", "a/1#2", "a/1#3"]],
  [
    "an installation with two repositories gets no more than another",
    ["a/1#1", "a/1#2", "a/2#1", "a/2#2", "b/3#1", "b/3#2"],
    ["a/1#1", "b/3#1", "a/2#1", "b/3#2", "a/1#2", "a/2#2"],
  ],
])("%s", (_, waiting, expected) => {
  expect(order(waiting)).toEqual(expected);
});

it("one of twice the weight gets two turns for one", () => {
  const weights: Weights = { owner: ({ owner }) => (owner === "a" ? 2 : 1), repository: () => 1 };
  const waiting = [1, 2, 3, 4].flatMap((number) => [`a/1#${number}`, `b/2#${number}`]);
  expect(order(waiting, weights).slice(0, 6).join()).toBe("a/1#1,b/2#1,a/1#2,a/1#3,b/2#2,a/1#4");
});

it("who had a turn comes after who had none, and nobody saves up turns", () => {
  let shares = giveTurn(NOTHING_GIVEN, tenantOf("a/1"), EVEN);
  expect(order(["a/1#1", "b/2#1"], EVEN, shares)).toEqual(["b/2#1", "a/1#1"]);
  for (let turn = 0; turn < 10; turn += 1) shares = giveTurn(shares, tenantOf("a/1"), EVEN);
  const late = order(["a/1#1", "a/1#2", "b/2#1", "b/2#2"], EVEN, shares);
  expect(late).toEqual(["b/2#1", "a/1#1", "b/2#2", "a/1#2"]);
});

const weight = constantFrom(0.5, 1, 2, 3);
const tenant = record({
  owner: constantFrom("a", "b", "c"),
  repository: integer({ min: 0, max: 2 }),
});
const name = (one: { owner: string; repository: number }) =>
  `${one.owner}/${one.owner.charCodeAt(0) * 10 + one.repository}`;

it("under a flood of one tenant, the wait of every other is bounded by weights, whatever came before", () => {
  assert(
    property(
      array(tenant, { maxLength: 30 }),
      dictionary(constantFrom("a", "b", "c"), weight),
      array(tenant, { minLength: 1, maxLength: 6 }),
      (before, owners, others) => {
        const weights: Weights = { owner: ({ owner }) => owners[owner] ?? 1, repository: () => 1 };
        const given = before.reduce<Shares>(
          (shares, one) => giveTurn(shares, tenantOf(name(one)), weights),
          NOTHING_GIVEN,
        );
        const flood = Array.from({ length: 200 }, (_, number) => `f/1#${number}`);
        const quiet = others.map((one, number) => `${name(one)}#${number}`);
        const got = order([...flood, ...quiet], weights, given);
        // Nothing is lost or doubled, and one repository's work keeps its order.
        expect(got.toSorted()).toEqual([...flood, ...quiet].toSorted());
        expect(got.filter((one) => one.startsWith("f/"))).toEqual(flood);
        // An owner may have had its turn just before: one more of its own counts.
        for (const one of quiet) {
          const ahead = got.slice(0, got.indexOf(one));
          const own = ahead.filter((other) => other.startsWith(one.slice(0, 1))).length;
          const weightOf = owners[one.slice(0, 1)] ?? 1;
          const floods = ahead.filter((other) => other.startsWith("f/")).length;
          expect(floods).toBeLessThanOrEqual(Math.ceil((own + 1) / weightOf) + 1);
        }
      },
    ),
  );
});
