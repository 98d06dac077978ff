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
