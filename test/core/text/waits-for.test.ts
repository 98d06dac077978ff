import { expect, it } from "vitest";
import { waitsFor } from "../../../src/core/text/waits-for.ts";
import { anAgent } from "../../factories/records.ts";

const sleeper = anAgent({ state: "SLEEPING", sleepReason: "blocked", blockedBy: [7, 9] });
const merge = (issue: string) => ({ issue, pull: "#12" });

it("says of a blocker whose work is done that its pull request waits for a merge", () => {
  expect(waitsFor(sleeper, null, [])).toBe("waits for #7, #9 to be closed");
  expect(waitsFor(sleeper, null, [merge("#9")])).toBe(
    "waits for #9: its pull request #12 waits for a merge; waits for #7 to be closed",
  );
  expect(waitsFor({ ...sleeper, blockedBy: [7] }, null, [merge("#7")])).toBe(
    "waits for #7: its pull request #12 waits for a merge",
  );
});
