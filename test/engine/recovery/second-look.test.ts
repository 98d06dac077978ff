import { expect, it } from "vitest";
import { SECOND_LOOKUP_MS } from "../../../src/domain/kernel/backoff.ts";
import { GitHubError } from "../../../src/domain/kernel/errors.ts";
import { commentsOn } from "../look.ts";
import { methodOf } from "../method-of.ts";
import { labeled, tell } from "../people.ts";
import { aRig, type Rig } from "../rig.ts";
import { escalate, on } from "../scripts.ts";

const badGateway = () =>
  new GitHubError("unavailable", "502 Bad Gateway", 502, { consequence: "retry", uncertain: true });
const comment = async (rig: Rig) => (await rig.store.effects.find({ kind: "post_comment" })).at(-1);

it("looks a second time, half a minute later, before it writes what a lagging list does not show", async () => {
  const rig = await aRig({ script: [on(1, escalate)], lagMs: 29_000 });
  const putComment = methodOf(rig.github, "putComment");
  let lost = 0;
  rig.github.putComment = async (ref, number, asked) => {
    const put = await putComment(ref, number, asked);
    if (asked.key === "status" || lost > 0) return put;
    lost += 1;
    throw badGateway();
  };
  await tell(rig, labeled(rig, 1));
  const at = rig.clock.now();
  await rig.pass(5000);
  // The first look: not found is not yet not written, and no try.
  expect(await comment(rig)).toMatchObject({
    state: "pending",
    attempts: 1,
    notBefore: at + SECOND_LOOKUP_MS,
  });
  await rig.pass(SECOND_LOOKUP_MS - 5000);
  expect(await comment(rig)).toMatchObject({ state: "done", attempts: 1 });
  expect(commentsOn(rig)).toHaveLength(1);
});

it("writes after the second look what the first try did not", async () => {
  const rig = await aRig({ script: [on(1, escalate)], lagMs: 29_000 });
  rig.github.failNext("putComment", badGateway(), "before");
  await tell(rig, labeled(rig, 1));
  await rig.pass(5000);
  expect(rig.github.writes.filter((one) => one.startsWith("putComment"))).toEqual([]);
  await rig.pass(SECOND_LOOKUP_MS - 5000);
  expect(commentsOn(rig)).toHaveLength(1);
});
