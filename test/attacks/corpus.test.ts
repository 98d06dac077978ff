import { expect, it } from "vitest";
import { readAttacks, staged } from "./attack.ts";
import { ENCODINGS } from "./encodings.ts";

const ATTACKS = readAttacks();
const PLACES = {
  home: "/h",
  data: "/h/data",
  pid: "7",
  url: "u",
  github: "g",
  model: "m",
  owned: "/h/owned",
};

it("the attacks have names of their own and places that there are", () => {
  expect(new Set(ATTACKS.map(({ name }) => name)).size).toBe(ATTACKS.length);
  expect(ATTACKS.length).toBeGreaterThanOrEqual(11);
  expect(ATTACKS.filter(({ fast }) => fast).length).toBeGreaterThanOrEqual(3);
  for (const attack of ATTACKS)
    expect(JSON.stringify(staged(attack, PLACES))).not.toMatch(/\{\{(?!read|cwd)/);
});

it("a place that there is not is found before anything is played", () => {
  const [attack] = ATTACKS;
  if (attack === undefined) throw new Error("there is no attack");
  expect(() => staged({ ...attack, what: "{{nowhere}}" }, PLACES)).toThrow("{{nowhere}}");
});

it("each encoding and each place where a text can be planted is used", () => {
  const text = JSON.stringify(ATTACKS);
  const unused = Object.keys(ENCODINGS).filter((name) => !text.includes(`{{read:${name}}}`));
  expect(unused).toEqual([]);
  const places = new Set(ATTACKS.flatMap(({ plant }) => plant.map(({ where }) => where)));
  expect([...places].toSorted()).toEqual([
    "body",
    "ci_log",
    "commit",
    "file",
    "hidden",
    "stranger_comment",
    "stranger_pull",
    "title",
  ]);
});
