import { expect, it } from "vitest";
import { decided } from "../../../src/core/reaction.ts";
import { answered } from "../../../src/core/reactions/answered.ts";
import { aCommand } from "../../factories/an-occurrence.ts";
import { saidBy } from "./told-of.ts";

/** What is said of a command that changes nothing. */
const because = (options: { change?: string }) =>
  saidBy(answered(aCommand("pause", ""), "pause", decided("nobody_concerned", "nobody works here", options)));

it("says why nothing comes of a command, and what is meant instead only where that is known", () => {
  expect(because({})).toBe("`/flotilla pause` changes nothing: nobody works here.");
  expect(because({ change: "say start" })).toBe(
    "`/flotilla pause` changes nothing: nobody works here.\n\nInstead: say start.",
  );
});
