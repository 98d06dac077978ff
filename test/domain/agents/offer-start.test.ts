import { expect, it } from "vitest";
import { offerStart } from "../../../src/domain/agents/offer-start.ts";
import { aRole } from "../../factories/a-role.ts";
import { aView } from "../../factories/a-view.ts";
import { anIssue, aPerson } from "../../factories/an-occurrence.ts";
import { AT } from "../../factories/moment.ts";
import { effectsOf, movesOf, rulesOf, whyOf } from "../kernel/changes-as-text.ts";

const role = aRole({ name: "feat-dev", evidence: "code" });
const about = { issue: anIssue({ labels: ["feature"] }), at: AT, actor: "alice", why: "so it was" };

it("offers a start to people and makes none", () => {
  const changes = offerStart(role, aView(), about);
  expect(movesOf(changes)).toEqual([]);
  expect(rulesOf(changes)).toEqual(["offered"]);
  expect(whyOf(changes)).toContain("so it was, and nothing was started");
  expect(whyOf(changes)).toContain("`/flotilla start feat-dev`");
  expect(effectsOf(changes)).toEqual(["status_comment"]);
});

it("writes nothing on an issue where a start would be refused, and keeps why", () => {
  const issue = anIssue({ labels: ["feature"], assignees: [aPerson("bob")] });
  const changes = offerStart(role, aView(), { ...about, issue });
  expect(rulesOf(changes)).toEqual(["assigned"]);
  expect(effectsOf(changes)).toEqual([]);
});
