import { expect, it } from "vitest";
import { asleep } from "../../bench/asleep.ts";
import { awake } from "../../bench/awake.ts";
import { grown } from "../../bench/grown.ts";
import { life } from "../../bench/life.ts";
import { inMiniature } from "./in-miniature.ts";

it("sleepers are woken, and agents are at work", async () => {
  expect(await inMiniature(awake)).toEqual([
    "a comment until the woken agent's model call",
    "memory of one agent's processes at work",
    "system prompt and tools of the coder, before the first message",
    "memory of Flotilla itself, 1 at work",
  ]);
}, 120_000);

it("Flotilla is started without agents and with sleepers", async () => {
  expect(await inMiniature(asleep)).toHaveLength(4);
}, 120_000);

it("lists, the overview and webhooks are answered while the database grows", async () => {
  const rows = await inMiniature(grown);
  expect(rows).toHaveLength(12);
  expect(rows.slice(-2)).toEqual([
    "99 % of webhooks answered within, beside 2 readers, 40 tasks",
    "99 % of the sender's own timers late by at most, 40 tasks",
  ]);
}, 180_000);

it("an issue's life costs no more of GitHub's limits than is aimed at, alone and among others", async () => {
  const rows = await life.run("small");
  const figureOf = (what: string) => rows.find((row) => row.what.includes(what))?.ours[0] ?? Infinity;
  expect(figureOf("of them writes")).toBeLessThanOrEqual(4);
  expect(figureOf("points of GitHub's limit")).toBeLessThanOrEqual(40);
  expect(figureOf("points for each of these")).toBeLessThanOrEqual(45);
  expect(rows).toHaveLength(5);
}, 300_000);
