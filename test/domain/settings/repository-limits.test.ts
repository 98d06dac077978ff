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
    expect(withinLimits(starts, NONE, "main")).toEqual(starts);
  });

  it("does not happen where commits must be signed, and the command's answer says so", () => {
    const refused = withinLimits(starts, { ...NONE, signatures: true, lfs: true }, "main");
    expect(refused.moves).toEqual([]);
    expect(rulesOf(refused)).toEqual(["signed_commits"]);
    expect(refused.decisions[0]?.reason).toContain("`main` takes only signed commits");
    expect(refused.effects).toMatchObject([
      { kind: "react", reaction: "confused" },
      { kind: "status_comment" },
      { kind: "status_comment" },
    ]);
  });

  it("happens without LFS and submodules, and people are told what it lacks", () => {
    const started = withinLimits(starts, { ...NONE, lfs: true, submodules: true }, "main");
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
