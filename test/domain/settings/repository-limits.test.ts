import { describe, expect, it } from "vitest";
import { startRole } from "../../../src/domain/agents/start-role.ts";
import { type ChangeSet, NO_CHANGES } from "../../../src/domain/kernel/change-set.ts";
import {
  chosenBase,
  issueOfCoder,
  withinLimits,
  withoutBranch,
} from "../../../src/domain/settings/repository-limits.ts";
import { aRole } from "../../factories/a-role.ts";
import { aView } from "../../factories/a-view.ts";
import { anIssue } from "../../factories/an-occurrence.ts";
import { AT } from "../../factories/moment.ts";
import { someSettings } from "../../factories/some-settings.ts";
import { rulesOf } from "../kernel/changes-as-text.ts";

const NONE = { signatures: false, lfs: false, submodules: false };
const ON_MAIN = { base: "main", method: "squash" } as const;
const cause = { at: AT, actor: "alice", issue: anIssue(), personPull: null };
const command = { verb: "start", by: "alice", delivery: "d-1" };
const starts: ChangeSet = {
  ...startRole(aRole(), aView(), cause),
  effects: [
    { kind: "react", commentId: 1, place: "issue", reaction: "+1", command },
    { kind: "status_comment" },
  ],
};

it("only the start of a coder meets what a repository asks for", () => {
  expect(issueOfCoder(starts)).toBe(42);
  expect(issueOfCoder(startRole(aRole({ evidence: "outputs" }), aView(), cause))).toBeNull();
  expect(issueOfCoder(NO_CHANGES)).toBeNull();
});

describe("a coder's start", () => {
  it("is as it was where nothing is asked for", () => {
    expect(withinLimits(starts, NONE, ON_MAIN)).toEqual(starts);
  });

  it("happens where commits must be signed, and people are told where GitHub will not merge them", () => {
    const signed = { ...NONE, signatures: true };
    expect(withinLimits(starts, signed, { base: "main", method: "squash" })).toEqual(starts);
    const told = withinLimits(starts, signed, { base: "main", method: "rebase" });
    expect(told.moves).toEqual(starts.moves);
    expect(rulesOf(told)).toEqual(["signed_commits"]);
    expect(told.decisions[0]?.reason).toContain("`main` takes only signed commits");
    expect(withinLimits(starts, NONE, { base: "main", method: "rebase" })).toEqual(starts);
  });

  it("happens without LFS and submodules, and people are told what it lacks", () => {
    const started = withinLimits(starts, { ...NONE, lfs: true, submodules: true }, ON_MAIN);
    expect(started.moves).toEqual(starts.moves);
    expect(rulesOf(started)).toEqual(["lfs", "submodules"]);
  });

  it("does not happen where its base branch does not exist, and the command's answer says so", () => {
    const settings = someSettings({ bases: ["release-*"] });
    const elsewhere = startRole(aRole(), aView({ settings }), { ...cause, base: "release-1" });
    expect([chosenBase(elsewhere), chosenBase(starts), chosenBase(NO_CHANGES)]).toEqual([
      "release-1",
      null,
      null,
    ]);
    const refused = withoutBranch({ ...elsewhere, effects: starts.effects }, "release-1", "acme/shop");
    expect([refused.moves, rulesOf(refused)]).toEqual([[], ["base_refused"]]);
    expect(refused.decisions[0]?.reason).toBe("acme/shop has no branch `release-1`");
    expect(refused.effects[0]).toMatchObject({ kind: "react", reaction: "confused" });
  });
});
