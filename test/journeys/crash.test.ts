import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { control } from "../../src/cli/control-client.ts";
import { CRASH_MOMENTS } from "../../src/domain/kernel/crash-points.ts";
import { effect } from "../../src/domain/kernel/effect.ts";
import { messageOf } from "../../src/domain/kernel/errors.ts";
import { proved } from "../proved.ts";
import { endState } from "./end-state.ts";
import { type Journey, startJourney } from "./journey.ts";
import { processesOf } from "./processes-of.ts";
import { SMALL_END, SMALL_SCENARIO, tellSmallStory } from "./small-story.ts";
import { until } from "./until.ts";

/** No reviews happen here; test/engine/review/review-crash.test.ts ends the process after these. */
const OF_REVIEWS = ["offer_review", "publish_verdict", "publish_review"];

/** One process alone reaches every agent here; test/engine/commands/elsewhere.test.ts has two. */
const OF_SEVERAL_NODES = ["interrupt"];

/** Nobody is told outside of GitHub here, and nothing is scheduled; test/engine/{notices/notices,schedules/schedules}.test.ts end the process after that. */
const OF_SETTINGS = ["notify", "open_scheduled"];

/** Each crash point costs a process start. */
const PATIENCE_S = 600;

/**
 * Work must be approved before it enters the merge queue; test/engine/merge-queue/merge-queue.test.ts ends the process after these.
 * Nothing is planned and nothing fails here, no operator proposes a file, no role looks back, and all work goes to the default branch;
 * test/engine/{planner,propose-file,lessons,second-attempt,base-branch,backport}.test.ts cover these.
 */
const ON_THE_RIG = [
  "look_at_train",
  "update_branch",
  "merge_pull",
  "create_sub_issue",
  "create_backport",
  "close_issue",
  "propose_file",
  "offer_lesson",
  "propose_lesson",
  "offer_attempt",
  ...OF_SETTINGS,
  ...OF_REVIEWS,
  ...OF_SEVERAL_NODES,
];

/**
 * No news arrives during work here, there are no acceptance commands, and no rule asks for signatures;
 * test/engine/{news-at-work,evidence,evaluator}.test.ts and test/adapters/git/signed-pushes.test.ts end the process at these
 * points.
 */
const MOMENTS_ON_THE_RIG: readonly string[] = [
  "turn:news",
  "turn:answer",
  "evidence:command",
  "evidence:evaluation",
  "git:signed",
];

const POINTS = [
  ...effect.options
    .map((kind) => kind.shape.kind.value)
    .filter((kind) => !ON_THE_RIG.includes(kind))
    .map((kind) => `effect:${kind}`),
  ...CRASH_MOMENTS.filter((moment) => !MOMENTS_ON_THE_RIG.includes(moment)),
  // The first three kinds of writes that occur.
  "github:written",
  "github:written",
];

describe("the story with a kill -9 at each crash point", () => {
  const crashed: string[] = [];
  let journey: Journey;

  beforeAll(async () => {
    journey = await startJourney({
      scenario: SMALL_SCENARIO,
      patience: PATIENCE_S,
      // This point occurs before the first process listens, so it is armed only from the second process on.
      env: { FLOTILLA_CRASH_AT: POINTS.filter((point) => point !== "store:committing").join(",") },
    });
    const over = Promise.withResolvers<"over">();
    const lives = liveThrough(journey, crashed, over.promise);
    // The operator sends a command too, and again if the process died before its answer.
    const asked = journey.until("a command is answered", () =>
      control(journey.dataDir, "/deliveries/sweep").then(
        ({ status }) => status === 200,
        () => false,
      ),
    );
    const told = Promise.all([tellSmallStory(journey), asked]).finally(() => over.resolve("over"));
    await Promise.all([told, lives]);
    await journey.quiet();
  }, PATIENCE_S * 2000);
  afterAll(() => journey.close());

  it("dies at every crash point", () => {
    expect(crashed.toSorted()).toEqual(POINTS.toSorted());
  });

  it("ends in the same state as without kills: nothing is lost and nothing happens twice", async () => {
    const end = await endState(journey);
    expect(end).toEqual(SMALL_END);
    const doubled = marksOn(end) - marksOn(SMALL_END);
    proved({
      promise:
        "Flotilla is killed between an act and its record, and every effect stands on GitHub exactly once.",
      test: "test/journeys/crash.test.ts",
      figure: `${crashed.length} kills at ${new Set(crashed).size} named points, ${marksOn(end)} effects on GitHub, ${doubled} doubled`,
    });
  });

  it("settles every delivery and leaves no session process", async () => {
    expect(journey.rows("SELECT guid, note FROM delivery WHERE state NOT IN ('done', 'ignored')")).toEqual(
      [],
    );
    const sessions = journey.rows("SELECT session_id FROM session").map((row) => String(row["session_id"]));
    expect(sessions.length).toBeGreaterThan(1);
    await until("all are gone", async () => (await processesOf(journey)).length === 0, 10);
  });

  it("violates no lifecycle invariant", async () => {
    expect(await journey.violationsAfterStop()).toEqual([]);
  });
});

/** Counts what the story has left on GitHub: issues and their content, pull requests and their commits. */
function marksOn({
  issues,
  blockedBy,
  pulls,
}: typeof SMALL_END | Awaited<ReturnType<typeof endState>>): number {
  const onIssues = issues.map(({ labels, comments, reactions }) => [labels, comments, reactions]);
  const lists = [issues, blockedBy, pulls, ...onIssues.flat(), ...pulls.map(({ commits }) => commits)];
  return lists.reduce((sum, list) => sum + list.length, 0);
}

/**
 * Restarts the process each time it has killed itself, without that crash point, and asks GitHub to redeliver what was
 * lost.
 */
async function liveThrough(journey: Journey, crashed: string[], over: Promise<"over">): Promise<void> {
  const left: string[] = [...POINTS];
  while ((await Promise.race([journey.served().exited, over])) !== "over") {
    const point = await until("the point is named", () => pointIn(journey.served().log()), 5);
    await outlive(journey, point, { crashed, left });
    await redeliverLost(journey);
  }
}

/** Restarts until a process gets as far as listening: earlier ones may die during their start. */
async function outlive(
  journey: Journey,
  point: string,
  { crashed, left }: { crashed: string[]; left: string[] },
): Promise<void> {
  left.splice(left.indexOf(point), 1);
  crashed.push(point);
  const died = await journey.restart("SIGKILL", { FLOTILLA_CRASH_AT: left.join(",") }).then(
    () => undefined,
    (error: unknown) => pointIn(messageOf(error)) ?? Promise.reject(error),
  );
  if (died !== undefined) await outlive(journey, died, { crashed, left });
}

function pointIn(log: string): string | undefined {
  return /crash point (\S+)/.exec(log)?.[1];
}

async function redeliverLost({ github: { webhooks } }: Journey): Promise<void> {
  await webhooks.idle();
  const arrived = new Set(
    webhooks.deliveries().flatMap(({ guid, statusCode }) => (statusCode === 202 ? guid : [])),
  );
  const lost = new Map(webhooks.deliveries().map((delivery) => [delivery.guid, delivery]));
  for (const guid of arrived) lost.delete(guid);
  for (const delivery of lost.values()) webhooks.redeliver(delivery);
}
