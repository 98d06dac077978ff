import { describe, expect, it } from "vitest";
import { BOT, createReadingRig, envelope, ISSUE, READER, rawIssue, WRITER } from "../reading-rig.ts";

const lib = {
  id: 78,
  name: "lib",
  full_name: "octo/lib",
  owner: { login: "octo" },
  private: true,
  default_branch: "main",
};
const dependency = {
  blocked_issue: rawIssue(),
  blocking_issue: rawIssue({ number: 3 }),
  blocking_issue_repo: lib,
};
const part = { parent_issue: rawIssue(), sub_issue: rawIssue({ number: 3 }), sub_issue_repo: lib };
const other = { repository: "octo/lib", number: 3 };

describe("issue_dependencies", () => {
  it.each([
    ["issue_dependencies.blocked_by_added", true],
    ["issue_dependencies.blocked_by_removed", false],
  ] as const)("%s tells which issue of which repository blocks which", async (name, added) => {
    const reading = await createReadingRig().read(name, envelope(WRITER, dependency));
    expect(reading).toMatchObject({ type: "blocker_changed", issue: ISSUE, blocker: other, added });
    expect(reading).toMatchObject({ permitted: true, own: false });
  });

  it("knows our own App, and who may not", async () => {
    const name = "issue_dependencies.blocked_by_added";
    const [ours, readers] = [envelope(BOT, dependency), envelope(READER, dependency)];
    expect(await createReadingRig().read(name, ours)).toMatchObject({ own: true, permitted: false });
    expect(await createReadingRig().read(name, readers)).toMatchObject({ own: false, permitted: false });
  });
});

describe("sub_issues", () => {
  it.each([
    ["sub_issues.sub_issue_added", true],
    ["sub_issues.sub_issue_removed", false],
  ] as const)("%s tells which issue of which repository is a part of which", async (name, added) => {
    const reading = await createReadingRig().read(name, envelope(WRITER, part));
    expect(reading).toMatchObject({
      type: "part_changed",
      issue: ISSUE,
      part: other,
      added,
      permitted: true,
    });
  });

  it("is not understood without the other's repository", async () => {
    const { sub_issue_repo: _, ...lacking } = part;
    const reading = await createReadingRig().read("sub_issues.sub_issue_added", envelope(WRITER, lacking));
    expect(reading).toEqual({ ignored: expect.stringContaining("sub_issue_repo") as unknown });
  });
});

const milestone = { number: 2, title: "First release", due_on: "2026-05-06T07:00:00Z" };
const read = { number: 2, title: "First release", dueOn: "2026-05-06T07:00:00Z" };

describe("issues.milestoned and issues.demilestoned", () => {
  it("tell which milestone the issue has now, and who did it", async () => {
    const rig = createReadingRig();
    const given = { issue: rawIssue({ milestone }), milestone };
    expect(await rig.read("issues.milestoned", envelope(WRITER, given))).toMatchObject({
      type: "issue_milestoned",
      permitted: true,
      issue: { number: 7, milestone: read },
    });
    const taken = { issue: rawIssue({ milestone: null }), milestone };
    expect(await rig.read("issues.demilestoned", envelope(READER, taken))).toMatchObject({
      type: "issue_milestoned",
      permitted: false,
      issue: { milestone: null },
    });
  });

  it("are ignored for a pull request: only an issue has a task", async () => {
    const rig = createReadingRig();
    const given = { issue: rawIssue({ milestone, pull_request: {} }), milestone };
    expect(await rig.read("issues.milestoned", envelope(WRITER, given))).toEqual({
      ignored: "#7 is a pull request: it has no task",
    });
  });
});

it.each([
  ["milestone.edited", "edited"],
  ["milestone.closed", "closed"],
  ["milestone.deleted", "deleted"],
] as const)(
  "%s tells what became of the milestone, and whether its author may steer",
  async (name, change) => {
    const rig = createReadingRig();
    for (const [sender, permitted] of [
      [WRITER, true],
      [READER, false],
    ] as const)
      expect(await rig.read(name, envelope(sender, { milestone }))).toMatchObject({
        type: "milestone_changed",
        change,
        milestone: read,
        permitted,
      });
  },
);
