import { expect, it } from "vitest";
import { GitHubError } from "../../../src/domain/kernel/errors.ts";
import { MINUTE } from "../../factories/moment.ts";
import { agentOf, commentsOn, decisionsOn, historyOf, stateOf, statusComments } from "../look.ts";
import { methodOf } from "../method-of.ts";
import { labeled, said, tell } from "../people.ts";
import { aRig } from "../rig.ts";
import { escalate, on, work } from "../scripts.ts";

it("an agent waits for GitHub's limits before it starts, says so once, and neither sleeps nor fails", async () => {
  const rig = await aRig({ script: [on(1, ...work)] });
  const told: string[] = [];
  Object.assign(rig.context.log, { info: (_: object, message: string) => void told.push(message) });
  rig.github.room.start = rig.clock.now() + MINUTE;
  await tell(rig, labeled(rig, 1));
  const { writes } = rig.github;
  const written = writes.length;
  expect(await stateOf(rig)).toBe("CREATED");
  expect(statusComments(rig)[0]).toContain("GitHub's limits leave no room for more work at the moment");
  await rig.pass(MINUTE);
  await rig.pass(MINUTE);
  // What waits is not written again and again.
  expect(writes).toHaveLength(written);
  expect(told.filter((message) => message.includes("GitHub's limits"))).toHaveLength(1);
  rig.github.room.start = null;
  await rig.pass(MINUTE);
  expect(await historyOf(rig)).toEqual(["CREATED", "ACTIVE", "COMPLETED"]);
  expect(commentsOn(rig)).toEqual([]);
});

it("an agent waits for GitHub's limits before it wakes", async () => {
  const rig = await aRig({ script: [on(1, escalate, ...work)] });
  await tell(rig, labeled(rig, 1));
  rig.github.room.wake = rig.clock.now() + MINUTE;
  await tell(rig, said(rig, 1, "/flotilla answer Blue."));
  await rig.pass(MINUTE);
  expect(await stateOf(rig)).toBe("ESCALATED");
  rig.github.room.wake = null;
  await rig.pass(MINUTE);
  expect(await stateOf(rig)).toBe("COMPLETED");
});

it.each([
  ["of a minute is waited for by its session, in its slot", MINUTE, ["CREATED", "ACTIVE", "COMPLETED"]],
  ["of an hour is slept through", 60 * MINUTE, ["CREATED", "ACTIVE", "SLEEPING", "ACTIVE", "COMPLETED"]],
])("a limit that an agent meets while it starts and that lasts %s", async (_, lasts, history) => {
  const rig = await aRig({ script: [on(1, ...work)] });
  const list = methodOf(rig.github, "pullRequests");
  const retryAt = rig.clock.now() + lasts;
  rig.github.pullRequests = async (...asked) => {
    if (rig.clock.now() < retryAt)
      throw new GitHubError("rate_limited", "no point is left", 0, { consequence: "park", retryAt });
    return list(...asked);
  };
  await tell(rig, labeled(rig, 1));
  await rig.pass(lasts);
  await rig.pass(MINUTE);
  expect(await historyOf(rig)).toEqual(history);
  expect(rig.logged.filter(({ level }) => level === "error")).toEqual([]);
  expect(await decisionsOn(rig)).not.toContain("effect_failed");
  expect((await agentOf(rig)).wakes).toBe(0);
});
