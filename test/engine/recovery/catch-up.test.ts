import { expect, it } from "vitest";
import { GitHubError } from "../../../src/domain/kernel/errors.ts";
import { MINUTE } from "../../factories/moment.ts";
import { addComment, addIssue, BOT, person } from "../../fakes/github-world.ts";
import { takeIn } from "../inbox-of.ts";
import { decisionsOn, stateOf, statusComments } from "../look.ts";
import { labeled, said, tell } from "../people.ts";
import { aRig, type Rig } from "../rig.ts";
import { blocked, on } from "../scripts.ts";

const DAY = 24 * 60 * MINUTE;

/** Issue 1's agent sleeps; then nothing is heard for four days, of which the first is lost. */
async function away(): Promise<{ rig: Rig; lost: { since: number; until: number } }> {
  const rig = await aRig({ script: [on(1, blocked(2))] });
  await tell(rig, labeled(rig, 1));
  const since = rig.clock.now();
  const lost = { since, until: since + DAY };
  return { rig, lost };
}

const comment = (rig: Rig, body: string, at: number, by = "alice") =>
  addComment(rig.repository, 1, { body, author: by === "bot" ? BOT : person(by), at });

it("tells the comments of the lost time, oldest first, each once, and no others", async () => {
  const { rig, lost } = await away();
  comment(rig, "/flotilla resume", lost.since - 1000);
  comment(rig, "/flotilla pause", lost.since + MINUTE, "eve");
  comment(rig, "/flotilla pause", lost.since + 2 * MINUTE);
  comment(rig, "/flotilla cancel", lost.since + 3 * MINUTE, "bot");
  comment(rig, "/flotilla cancel", lost.until + 1000);
  rig.clock.advance(4 * DAY);
  await rig.engine.catchUp(lost);
  await rig.idle();
  expect(await takeIn(rig)).toEqual(["issue_comment.created", "issue_comment.created"]);
  expect(await stateOf(rig)).toBe("SLEEPING");
  expect(await decisionsOn(rig)).toContain("not_permitted");
  const [agent] = await rig.store.records.find("agent", {});
  expect(agent?.heldBy).toEqual(["person"]);
  const before = await rig.store.decisions.ofIssue(7, 1, 100);
  await rig.engine.catchUp(lost);
  await rig.idle();
  expect(await takeIn(rig)).toEqual([]);
  expect(await rig.store.decisions.ofIssue(7, 1, 100)).toEqual(before);
});

it("offers labelled issues that never had an agent, starts none, and leaves the others as they are", async () => {
  const { rig, lost } = await away();
  await tell(rig, said(rig, 3, "Hello"));
  const before = await decisionsOn(rig, 1);
  const labels = ["feature"];
  const { number } = addIssue(rig.repository, { title: "New", labels, author: person("alice") });
  await rig.engine.catchUp(lost);
  await rig.idle();
  expect(await rig.store.records.find("agent", {})).toHaveLength(1);
  expect(statusComments(rig, number).at(-1)).toContain("/flotilla start feat-dev");
  expect(await decisionsOn(rig, number)).toEqual(["offered"]);
  expect(await decisionsOn(rig, 1)).toEqual(before);
  expect(rig.logged.map(({ message }) => message)).toContain(
    "webhooks lost: GitHub cannot redeliver them; issues are read again",
  );
});

it("reads the others when one repository is lost to us, and fails where asking again may help", async () => {
  const { rig, lost } = await away();
  const gone = new GitHubError("not_found", "no", 404, { consequence: "stop" });
  rig.github.failNext("issuesWith", gone, "before");
  await rig.engine.catchUp(lost);
  expect((await rig.store.decisions.ofIssue(7, 0, 9)).map(({ rule }) => rule)).toEqual(["caught_up"]);
  const away503 = new GitHubError("unavailable", "no", 503, { consequence: "retry" });
  rig.github.failNext("issuesWith", away503, "before");
  await expect(rig.engine.catchUp(lost)).rejects.toBe(away503);
});
