import { expect, it } from "vitest";
import type { EventName } from "../../../src/webhooks/events/table.ts";
import { createReadingRig, envelope, OTHER_BOT } from "../reading-rig.ts";

const COMMIT = "c".repeat(40);
const TOLD: readonly (readonly [EventName, object])[] = [
  ["check_run.completed", { check_run: { head_sha: COMMIT, name: "build", conclusion: "success" } }],
  ["check_suite.completed", { check_suite: { head_sha: COMMIT, conclusion: "failure" } }],
  ["workflow_run.completed", { workflow_run: { head_sha: COMMIT, conclusion: "action_required" } }],
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
