import { expect, test } from "vitest";
import { notices } from "../../src/cli/commands/notices.ts";
import { OutsideError } from "../../src/domain/kernel/errors.ts";
import { labeled, tell } from "../engine/people.ts";
import { aRig } from "../engine/rig.ts";
import { escalate, on } from "../engine/scripts.ts";
import { aReceiver } from "../factories/a-receiver.ts";
import { MINUTE } from "../factories/moment.ts";
import { servedOver } from "./served-agents.ts";

test("lists of which issue each receiver was told, with why a notice failed", async () => {
  const { say } = await servedOver(async (options) => {
    const settings = { notices: { team: aReceiver() } };
    const rig = await aRig({ ...options, settings, script: [on(1, escalate), on(2, escalate)] });
    const refused = new OutsideError("refused", "the receiver team answered 404", { consequence: "stop" });
    rig.notices.faults.push(refused);
    await tell(rig, labeled(rig, 1));
    await rig.pass(MINUTE);
    await tell(rig, labeled(rig, 2));
    await rig.pass(MINUTE);
    return rig;
  }, notices);
  const { text } = await say([]);
  expect(text.split("\n").map((line) => line.trim().split(/ {2,}/).slice(2))).toEqual([
    ["team", "escalated", "acme/shop#2", "sent"],
    ["team", "escalated", "acme/shop#1", "failed", "the receiver team answered 404"],
  ]);
  const listed = await say([], { json: true });
  expect(JSON.parse(listed.text)).toMatchObject({
    notices: [
      { repository: "acme/shop", issue: 2, state: "sent" },
      { repository: "acme/shop", issue: 1, state: "failed" },
    ],
  });
});
