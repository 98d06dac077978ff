import { expect, test } from "vitest";
import { onPostgres } from "../../bench/on-postgres.ts";
import { inMiniature } from "../bench/in-miniature.ts";
import { describeWithPostgres } from "./databases.ts";

describeWithPostgres("the bench of PostgreSQL", () => {
  test("webhooks and facts are taken in, and an agent is woken, by processes on a server", async () => {
    expect(await inMiniature(onPostgres)).toEqual([
      "webhooks answered",
      "an issue gets its label, 2 processes on one database",
      "a comment until the woken agent's model call",
      "the same, 2 processes on one database",
    ]);
  }, 360_000);
});
