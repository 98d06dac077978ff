import { expect, it } from "vitest";
import { offerStart } from "../../../src/domain/agents/offer-start.ts";
import { aRole } from "../../factories/a-role.ts";
import { aView } from "../../factories/a-view.ts";
import { anIssue, aPerson } from "../../factories/an-occurrence.ts";
import { AT } from "../../factories/moment.ts";
import { effectsOf, movesOf, rulesOf, whyOf } from "../reactions/told-of.ts";

const role = aRole({ name: "feat-dev", evidence: "code" });
const about = { issue: anIssue({ labels: ["feature"] }), at: AT, actor: "alice", why: "so it was" };

it("offers a start to people and makes none", () => {
  const reaction = offerStart(role, aView(), about);
  expect(movesOf(reaction)).toEqual([]);
  expect(rulesOf(reaction)).toEqual(["offered"]);
  expect(whyOf(reaction)).toContain("so it was, and nothing was started");
  expect(whyOf(reaction)).toContain("`/flotilla start feat-dev`");
  expect(effectsOf(reaction)).toEqual(["status_comment"]);
});

it("writes nothing on an issue where a start would be refused, and keeps why", () => {
  const issue = anIssue({ labels: ["feature"], assignees: [aPerson("bob")] });
  const reaction = offerStart(role, aView(), { ...about, issue });
  expect(rulesOf(reaction)).toEqual(["assigned"]);
  expect(effectsOf(reaction)).toEqual([]);
});
