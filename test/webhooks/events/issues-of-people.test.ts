import { describe, expect, it } from "vitest";
import { BOT, createReadingRig, envelope, READER, rawIssue, WRITER } from "../reading-rig.ts";

describe("issues.deleted and issues.transferred", () => {
  it("tell that the issue is gone, and asks nobody's permission", async () => {
    const rig = createReadingRig();
    expect(await rig.read("issues.deleted", envelope(READER, { issue: rawIssue() }))).toMatchObject({
      type: "issue_gone",
      issue: { number: 7 },
      to: null,
    });
    expect(rig.asked).toEqual([]);
  });

  it("tell where it went", async () => {
    const rig = createReadingRig();
    const changes = { new_issue: { number: 3 }, new_repository: { full_name: "octo/other" } };
    expect(
      await rig.read("issues.transferred", envelope(WRITER, { issue: rawIssue(), changes })),
    ).toMatchObject({ type: "issue_gone", to: "octo/other#3" });
  });
});

it.each([
  ["issues.locked", true],
  ["issues.unlocked", false],
] as const)("%s tells that the issue is locked: %s", async (name, locked) => {
  const rig = createReadingRig();
  const reading = await rig.read(name, envelope(READER, { issue: rawIssue() }));
  expect(reading).toMatchObject({ type: "issue_locked", locked, permitted: false, actor: READER });
});

const edited = (changes: object, sender = WRITER) =>
  envelope(sender, { issue: rawIssue({ body: "new" }), changes });

describe("issues.edited", () => {
  it.each([
    ["the text", { body: { from: "old" } }, { title: "Broken", body: "old" }],
    ["a text that was empty", { body: { from: null } }, { title: "Broken", body: "" }],
    ["the title", { title: { from: "Bad" } }, { title: "Bad", body: "new" }],
    ["nothing that we read", {}, { title: "Broken", body: "new" }],
  ])("tells what it was before %s changed", async (_what, changes, was) => {
    const rig = createReadingRig();
    expect(await rig.read("issues.edited", edited(changes))).toMatchObject({
      type: "issue_edited",
      permitted: true,
      was,
    });
  });

  it("by somebody who may only read is told as such, and our own is ignored", async () => {
    const rig = createReadingRig();
    const changes = { body: { from: "old" } };
    expect(await rig.read("issues.edited", edited(changes, READER))).toMatchObject({ permitted: false });
    expect(await rig.read("issues.edited", edited(changes, BOT))).toEqual({ ignored: "it is our own" });
  });
});
