import { describe, expect, it } from "vitest";
import { createReadingRig, envelope, READER, rawIssue, WRITER } from "../reading-rig.ts";

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
