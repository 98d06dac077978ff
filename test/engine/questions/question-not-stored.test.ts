import { expect, it } from "vitest";
import { SECOND_LOOKUP_MS } from "../../../src/domain/kernel/backoff.ts";
import { GitHubError } from "../../../src/domain/kernel/errors.ts";
import { questionOf, willAsk } from "../asking.ts";
import { decisionsOn, stateOf } from "../look.ts";
import { methodOf } from "../method-of.ts";
import { labeled, said, tell } from "../people.ts";
import type { Rig } from "../rig.ts";

const failure = (uncertain: boolean) =>
  new GitHubError("unavailable", "502 Bad Gateway", 502, { consequence: "retry", uncertain });

/** An agent whose question was sent to GitHub, and what came of that was not learned. */
async function askedUnknown(when: "before" | "after", uncertain: boolean): Promise<Rig> {
  const rig = await willAsk();
  const putComment = methodOf(rig.github, "putComment");
  let lost = 0;
  rig.github.putComment = async (ref, number, comment) => {
    const fails = lost === 0 && comment.key.startsWith("question");
    if (fails) lost += 1;
    if (fails && when === "before") throw failure(uncertain);
    const put = await putComment(ref, number, comment);
    if (fails) throw failure(uncertain);
    return put;
  };
  await tell(rig, labeled(rig, 1));
  expect(await questionOf(rig)).toMatchObject({ state: "OPEN", commentId: null });
  return rig;
}

it("an answer to a question of which only GitHub knows waits until it is stored, and counts", async () => {
  const rig = await askedUnknown("after", true);
  const answer = said(rig, 1, "2");
  await expect(rig.engine.handle(answer)).rejects.toMatchObject({
    code: "question_not_stored",
    consequence: "park",
    retryAt: rig.clock.now() + 2_000,
  });
  await rig.pass(SECOND_LOOKUP_MS);
  await tell(rig, answer);
  expect(await questionOf(rig)).toMatchObject({ state: "ANSWERED", answer: "GPL 3", via: "reply" });
  expect(await stateOf(rig)).toBe("COMPLETED");
});

it("a command waits for no question", async () => {
  const rig = await askedUnknown("after", true);
  await tell(rig, said(rig, 1, "/flotilla answer 2"));
  expect(await questionOf(rig)).toMatchObject({ state: "ANSWERED", via: "command" });
});

it("what is said before GitHub has the question is no answer, and waits for nothing", async () => {
  const rig = await askedUnknown("before", false);
  await tell(rig, said(rig, 1, "2"));
  expect(await decisionsOn(rig)).toContain("talk");
  await rig.pass(SECOND_LOOKUP_MS);
  expect(await questionOf(rig)).toMatchObject({ state: "OPEN" });
});
