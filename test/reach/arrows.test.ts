import { existsSync, globSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { arrowsOf, drawnOnly, reachOf, TABLES } from "./arrows.ts";
import { EXCEPTIONS } from "./exceptions.ts";
import { DRIVING } from "./record.ts";

const lamp = {
  name: "lamp",
  rules: [
    { from: "(new)", on: "BUY", to: "off" },
    { from: ["off"], on: "SWITCH", to: "on" },
    { from: ["off", "on"], on: "DUST", to: "unchanged" },
  ],
} as const;
const dusted = { machine: "lamp", from: "off", event: "DUST", to: "off" } as const;

it("counts one arrow for each state that a rule starts in", () => {
  expect([...arrowsOf(lamp)]).toEqual([
    "(new) --BUY--> off",
    "off --SWITCH--> on",
    "off --DUST--> off",
    "on --DUST--> on",
  ]);
});

it("counts what the engine and the process took, and nothing that was made by hand", () => {
  const bought = { machine: "lamp", from: "(new)", event: "BUY", to: "off" };
  const broken = { machine: "lamp", from: "on", event: "BREAK", to: "off" };
  expect(
    reachOf(
      [lamp],
      [
        { ...bought, by: "engine" },
        { ...bought, by: "process" },
        { ...dusted, by: "hand" },
        { ...broken, by: "engine" },
      ],
    ),
  ).toEqual([
    {
      machine: "lamp",
      arrows: 4,
      engine: 1,
      process: 1,
      never: ["off --SWITCH--> on", "off --DUST--> off", "on --DUST--> on"],
      unknown: ["on --BREAK--> off"],
    },
  ]);
});

it("names an arrow that a page draws and no table has", () => {
  const page = [
    "# Lifecycles",
    "## Lamp",
    "```mermaid",
    "stateDiagram-v2",
    "  [*] --> off: BUY",
    "  off --> on: KICK",
    "  on --> [*]",
    "```",
    "",
  ].join("\n");
  expect(drawnOnly([lamp], page)).toEqual(["Lamp: off --KICK--> on"]);
  expect(drawnOnly(TABLES, page)).toEqual(["Lamp: (new) --BUY--> off", "Lamp: off --KICK--> on"]);
});

it("has at most ten exceptions, each an arrow of a table with a reason", () => {
  const arrows = new Set(TABLES.flatMap((table) => [...arrowsOf(table)].map((a) => `${table.name}: ${a}`)));
  const exceptions = Object.entries(EXCEPTIONS);
  expect(exceptions.length).toBeLessThanOrEqual(10);
  for (const [arrow, reason] of exceptions) {
    expect(arrows).toContain(arrow);
    expect(reason).not.toBe("");
  }
});

it("looks for tests that drive the engine only in folders that are there", () => {
  expect(DRIVING.filter((folder) => !existsSync(`test/${folder}`))).toEqual([]);
});

it("counts no move that a test hands to `advance` itself: each such call is marked as by hand", () => {
  const files = globSync(`test/{${DRIVING.join(",")}}/**/*.ts`).map((path) => ({
    path,
    text: readFileSync(path, "utf8"),
  }));
  const calls = files.flatMap(({ path, text }) =>
    [...text.matchAll(/(?<by>byHand\(\(\) =>\s*)?(?<![.\w])(?:advance|advanceAgent|advanceHolder)\(/g)].map(
      ({ groups }) => ({ path, marked: groups?.["by"] !== undefined }),
    ),
  );
  expect(calls.filter(({ marked }) => !marked).map(({ path }) => path)).toEqual([]);
  expect(calls.length).toBeGreaterThan(5);
});
