import { describe, expect, it } from "vitest";
import { EVENTS, type EventName } from "../../../src/webhooks/events/table.ts";
import { BOT, createReadingRig, envelope, OTHER_BOT, READER, WRITER } from "../reading-rig.ts";

const TIP = "d".repeat(40);
const push = (fields: object = {}, sender = WRITER) =>
  envelope(sender, { ref: "refs/heads/flotilla/bug-fix/issue-7", after: TIP, deleted: false, ...fields });

describe("push", () => {
  it("to a branch of an agent is told, whoever pushed", async () => {
    const rig = createReadingRig();
    expect(await rig.read("push", push({}, READER))).toMatchObject({
      type: "pushed",
      headRef: "flotilla/bug-fix/issue-7",
      tip: TIP,
      actor: READER,
    });
    expect(rig.asked).toEqual([]);
  });

  it("that deletes the branch is told as such", async () => {
    const rig = createReadingRig();
    const gone = push({ after: "0".repeat(40), deleted: true });
    expect(await rig.read("push", gone)).toMatchObject({ type: "pushed", tip: null });
  });

  it("to the default branch tells what it reverts, whoever pushed, and of other branches nothing", async () => {
    const rig = createReadingRig();
    const commits = [{ message: `Revert "x"\n\nThis reverts commit ${TIP}.` }, { message: "Reverts #9" }];
    const main = push({ ref: "refs/heads/main", commits }, READER);
    expect(await rig.read("push", main)).toMatchObject({ type: "reverted", commits: [TIP], pulls: [9] });
    expect(await rig.read("push", push({ ref: "refs/heads/other", commits }))).toHaveProperty("ignored");
    expect(rig.asked).toEqual([]);
  });

  it("to the default branch has the repository's file looked at, our own push too; one to another branch does not", async () => {
    const { tools } = createReadingRig();
    const looked: string[] = [];
    const look = async ({ name }: { readonly name: string }) => void looked.push(name);
    const read = (fields: object, sender = READER) =>
      EVENTS.push(
        { id: "d-1", payload: push(fields, sender) },
        { ...tools, ownSettings: { ...tools.ownSettings, refresh: look } },
      );
    await read({});
    await read({ ref: "refs/heads/other" });
    await read({ ref: "refs/tags/main" });
    expect(looked).toEqual([]);
    await read({ ref: "refs/heads/main" });
    await read({ ref: "refs/heads/main" }, BOT);
    expect(looked).toEqual(["shop", "shop"]);
  });

  it.each([
    ["our own", push({}, BOT), "it is our own"],
    ["to another branch", push({ ref: "refs/heads/main" }), "refs/heads/main is not a branch of ours"],
    [
      "of a tag",
      push({ ref: "refs/tags/flotilla/bug-fix/issue-7" }),
      "refs/tags/flotilla/bug-fix/issue-7 is not a branch of ours",
    ],
  ])("%s is ignored", async (_what, payload, ignored) => {
    const rig = createReadingRig();
    expect(await rig.read("push", payload)).toEqual({ ignored });
  });
});

const COMMIT = "c".repeat(40);
const TOLD: readonly (readonly [EventName, object])[] = [
  ["check_run.completed", { check_run: { head_sha: COMMIT, name: "build", conclusion: "success" } }],
  ["check_suite.completed", { check_suite: { head_sha: COMMIT, conclusion: "failure" } }],
  ["workflow_run.completed", { workflow_run: { head_sha: COMMIT, conclusion: "action_required" } }],
  ["pull_request.dequeued", { reason: "CI_FAILURE", pull_request: { number: 4, head: { sha: COMMIT } } }],
  ["pull_request.enqueued", { pull_request: { number: 4, head: { sha: COMMIT } } }],
  ["workflow_run.requested", { workflow_run: { head_sha: COMMIT, conclusion: null } }],
  ["status", { sha: COMMIT, state: "success", context: "lint" }],
];

it.each(TOLD)("%s tells that something changed about its commit, and asks nobody", async (event, fields) => {
  const rig = createReadingRig();
  expect(await rig.read(event, envelope(OTHER_BOT, fields))).toMatchObject({
    type: "checks_changed",
    commit: COMMIT,
    permitted: false,
  });
  expect(rig.asked).toEqual([]);
});

it.each(TOLD)("%s without a commit is not understood", async (event) => {
  const fields = {
    check_run: {},
    check_suite: { head_sha: "main" },
    sha: "",
    workflow_run: { head_sha: null },
  };
  expect(await createReadingRig().read(event, envelope(OTHER_BOT, fields))).toHaveProperty(
    "ignored",
    expect.stringContaining("not understood"),
  );
});
