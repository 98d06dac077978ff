import { describe, expect, it } from "vitest";
import { GitHubError } from "../../../src/domain/kernel/errors.ts";
import { pauseScope } from "../../../src/engine/breakers/scope-pause.ts";
import { HOUR, MINUTE } from "../../factories/moment.ts";
import { someSettings } from "../../factories/some-settings.ts";
import { addPull, person } from "../../fakes/github-world.ts";
import { killOnce } from "../kill-once.ts";
import { agentOf, commentsOn, decisionsOn, stateOf, statusComments, taskOf } from "../look.ts";
import { labeled, said, tell } from "../people.ts";
import { aRig, type Rig } from "../rig.ts";
import { on, onAttempt, work } from "../scripts.ts";
import { failedOnce, silentAtFirst } from "../stuck-work.ts";
import { act } from "../under-operation.ts";

const SECOND = "feat-dev-issue-1.2";

/** The first attempt is about to die for the last time. */
async function failing(): Promise<Rig> {
  const rig = await aRig({ script: [onAttempt(1, 2, ...work), on(1, ...silentAtFirst)] });
  await rig.engine.handle(labeled(rig, 1));
  for (const seconds of [5, 10, 20]) {
    await killOnce(rig);
    rig.clock.advance(seconds * 1000);
  }
  return rig;
}

const byHand = ({ repository }: Rig, login: string) =>
  addPull(repository, {
    title: "By hand",
    body: "Closes #1",
    draft: false,
    author: person(login),
    head: "by-hand",
    base: "main",
  });

const attempts = async (rig: Rig) => (await rig.store.records.find("agent", { issue: 1 })).length;

describe("after a failure that another attempt may cure", () => {
  it("one new attempt starts by itself, five minutes later, and says so", async () => {
    const rig = await failedOnce();
    expect(await stateOf(rig)).toBe("FAILED");
    const due = rig.clock.now() + 5 * MINUTE;
    expect(await agentOf(rig, SECOND)).toMatchObject({ state: "CREATED", dueAt: due });
    expect(commentsOn(rig).join()).toContain("retries once automatically in about 5 minutes");
    expect(await decisionsOn(rig)).toContain("second_attempt");
    expect(statusComments(rig)[0]).toMatch(/waits to start, not before/);
    await rig.pass(4 * MINUTE);
    expect(await stateOf(rig, SECOND)).toBe("CREATED");
    await rig.pass(2 * MINUTE);
    expect(await stateOf(rig, SECOND)).toBe("COMPLETED");
    expect((await taskOf(rig))?.state).toBe("READY_FOR_REVIEW");
    const told = rig.runtime.requests.flat().find(({ content }) => content.includes("This is attempt 2"));
    expect(told?.content).toContain("4 tries in a row failed");
  });

  it("happens once: after the second one a person is asked, and `/flotilla retry` works", async () => {
    const rig = await failedOnce(silentAtFirst);
    rig.clock.advance(5 * MINUTE);
    for (const seconds of [5, 10, 20, 0]) {
      await killOnce(rig);
      rig.clock.advance(seconds * 1000);
    }
    expect(await stateOf(rig, SECOND)).toBe("FAILED");
    expect(await taskOf(rig)).toMatchObject({ state: "BLOCKED", blockedReason: "coders_failed" });
    const [, second] = commentsOn(rig).filter((body) => body.includes("**feat-dev** failed."));
    expect(second).toContain("`/flotilla retry` starts a new attempt.");
    expect(second).not.toContain("by itself");
    await rig.pass(2 * HOUR);
    expect(await attempts(rig)).toBe(2);
    await rig.engine.handle(said(rig, 1, "/flotilla retry"));
    expect(await agentOf(rig, "feat-dev-issue-1.3")).toMatchObject({ state: "ACTIVE", dueAt: null });
  });

  it("`/flotilla retry` and the operator start it at once, `/flotilla cancel` ends it", async () => {
    const first = await failedOnce();
    await tell(first, said(first, 1, "/flotilla retry"));
    expect(await stateOf(first, SECOND)).toBe("COMPLETED");
    expect(await attempts(first)).toBe(2);

    const second = await failedOnce();
    await second.engine.operations.retry({ ...act, agent: `${act.agent}.2` });
    await second.idle();
    expect(await stateOf(second, SECOND)).toBe("COMPLETED");

    const third = await failedOnce();
    await tell(third, said(third, 1, "/flotilla cancel"));
    await third.pass(HOUR);
    expect(await stateOf(third, SECOND)).toBe("CANCELLED");
    expect(await attempts(third)).toBe(2);
  });

  it("does not begin beside a person's open pull request, and names it", async () => {
    const rig = await failing();
    const { number } = byHand(rig, "bob");
    await killOnce(rig);
    await rig.pass(10 * MINUTE);
    expect(await attempts(rig)).toBe(1);
    expect(await decisionsOn(rig)).toContain("person_pull");
    expect(statusComments(rig)[0]).toContain(`#${number} is a person's open pull request for this issue`);
  });

  it("begins beside a stranger's, and names that too", async () => {
    const rig = await failing();
    byHand(rig, "eve").headRepository = "eve/shop";
    await killOnce(rig);
    await rig.pass(10 * MINUTE);
    expect(await stateOf(rig, SECOND)).toBe("COMPLETED");
    expect(await decisionsOn(rig)).toContain("strangers_pull");
  });

  it("what holds up every start holds it up, with its decision", async () => {
    const held = await failing();
    const issue = held.repository.issues.get(1);
    if (issue !== undefined) issue.assignees = [{ id: 5, login: "bob", type: "User" }];
    await killOnce(held);
    expect(await attempts(held)).toBe(1);
    expect(statusComments(held)[0]).toContain("assigned to `@bob`");
  });

  it("waits an hour where too many were started on the issue within one", async () => {
    const rig = await failedOnce(work, {
      settings: { storm: { ...someSettings().storm, maxStartsPerIssuePerHour: 1 } },
    });
    expect(await agentOf(rig, SECOND)).toMatchObject({ state: "CREATED", dueAt: rig.clock.now() + HOUR });
    expect(await decisionsOn(rig)).toContain("storm");
    await rig.pass(HOUR + MINUTE);
    expect(await stateOf(rig, SECOND)).toBe("COMPLETED");
  });

  it("waits for the end of a pause of its scope, such as an incident's", async () => {
    const rig = await failedOnce();
    await pauseScope(rig.context, { scope: "all", holder: "incident", by: "flotilla", reason: "broken" });
    await rig.pass(10 * MINUTE);
    expect(await stateOf(rig, SECOND)).toBe("CREATED");
  });

  it.each(["effect:offer_attempt", "effect:leased"])("a crash at %s makes it once", async (point) => {
    const rig = await aRig({ script: [onAttempt(1, 2, ...work), on(1, ...silentAtFirst)] });
    await rig.engine.handle(labeled(rig, 1));
    for (const seconds of [5, 10, 20]) {
      await killOnce(rig);
      rig.clock.advance(seconds * 1000);
    }
    await rig.engine.tick();
    await rig.until("it talks", () => rig.runtime.running.size > 0);
    await rig.quiet();
    rig.onCrashPoint = (name) => {
      if (name !== point) return;
      rig.onCrashPoint = () => {};
      rig.life.end();
    };
    for (const id of rig.runtime.running) rig.runtime.kill(id);
    await rig.until("it dies", () => rig.life.over);
    await rig.restart();
    await rig.idle();
    await rig.pass(MINUTE);
    await rig.pass(5 * MINUTE);
    expect(await attempts(rig)).toBe(2);
    expect(await stateOf(rig, SECOND)).toBe("COMPLETED");
  });
});

it("a refusal of GitHub's is no failure that another attempt cures", async () => {
  const rig = await aRig({ script: [on(1, ...work)] });
  rig.worktrees.inspect = async () => {
    throw new GitHubError("forbidden", "Resource not accessible by integration", 403, {
      consequence: "tell",
      advice: "Give the App the right.",
    });
  };
  await tell(rig, labeled(rig, 1));
  for (const seconds of [5, 10, 20, 0]) await rig.pass(seconds * 1000);
  expect(await stateOf(rig)).toBe("FAILED");
  await rig.pass(10 * MINUTE);
  expect(await attempts(rig)).toBe(1);
  expect(commentsOn(rig).join()).toContain("`/flotilla retry` starts a new attempt.");
});
