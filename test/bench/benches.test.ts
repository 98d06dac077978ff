import { expect, it } from "vitest";
import { advancing } from "../../bench/advance.ts";
import { commit } from "../../bench/commit.ts";
import { intake } from "../../bench/intake.ts";
import { worktree } from "../../bench/worktree.ts";
import { inMiniature } from "./in-miniature.ts";

// Those with a serving Flotilla take longer: test/bench/on-stage.test.ts.

it("webhooks are taken by both servers, and moved into the database", async () => {
  expect(await inMiniature(intake)).toEqual([
    "webhooks answered",
    "99 % answered within",
    "webhooks moved into the database afterwards",
  ]);
}, 180_000);

it("facts are taken in, and the rows that they write are written by SQLite alone", async () => {
  expect(await inMiniature(advancing)).toHaveLength(2);
}, 180_000);

it("changes are committed by us and by plain git", async () => {
  expect(await inMiniature(commit)).toHaveLength(1);
}, 180_000);

it("worktrees are made ready by us and by plain git", async () => {
  expect(await inMiniature(worktree)).toHaveLength(5);
}, 180_000);
