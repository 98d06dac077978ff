import { readdirSync, readFileSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { z } from "zod";
import type { CommitCheck } from "../../../src/domain/ports/github.ts";
import { MINUTE } from "../../factories/moment.ts";
import { someSettings } from "../../factories/some-settings.ts";
import { taskOf } from "../look.ts";
import { put } from "../put-checks.ts";
import { createRig, REPOSITORY, type Rig } from "../rig.ts";
import { putUpForReview } from "../under-review.ts";

const checks = z.record(
  z.string(),
  z.strictObject({
    state: z.enum(["pending", "green", "red"]),
    /** GitHub's word, where it is not the usual one. */
    conclusion: z.string().optional(),
    /** What a red one says of itself. */
    says: z.string().default(""),
    /** It is the red run that was told of last. */
    same: z.boolean().default(false),
    /** Of whom: GitHub Actions, or another App. */
    by: z.enum(["actions", "other"]).default("actions"),
  }),
);
type Checks = z.infer<typeof checks>;

/** What happened to the commits of one piece of work, and what may come of it. */
const history = z.strictObject({
  what: z.string(),
  required: z.array(z.string()).default(["build"]),
  flake_reruns: z.int().default(1),
  events: z.array(
    z.strictObject({
      /** Minutes after the event before. */
      after: z.number(),
      /** The coder pushes another commit and asks for a review again. */
      commit: z.string().optional(),
      /** GitHub holds the workflows of the commit. */
      held: z.boolean().default(false),
      head: checks.default({}),
      base: checks.optional(),
    }),
  ),
  expect: z.strictObject({
    /** How often the coder is set to work. */
    attempts: z.int(),
    reruns: z.int(),
    /** Decisions, each once, in order. */
    says: z.array(z.string()),
    /** Of the task in the end. */
    state: z.string(),
  }),
});
type History = z.infer<typeof history>;

const DIRECTORY = "test/fixtures/check-histories";
const FILES = readdirSync(DIRECTORY).map((name) => {
  const read: unknown = JSON.parse(readFileSync(`${DIRECTORY}/${name}`, "utf8"));
  return [name, z.array(history).parse(read)] as const;
});

/** One rig for all histories of a configuration. It has no slots, so nothing starts there and what is set to work stays where it is. */
const rigs = new Map<number, Rig>();
const issues = new Map<Rig, number>();
let jobs = 0;

async function rigFor(flakeReruns: number): Promise<Rig> {
  const known = rigs.get(flakeReruns);
  if (known !== undefined) return known;
  const runtime = { ...someSettings().runtime, maxConcurrentAgents: 0 };
  const rig = await createRig({ issues: 60, settings: { checks: { flakeReruns }, runtime } });
  rigs.set(flakeReruns, rig);
  return rig;
}

afterAll(async () => {
  for (const rig of rigs.values()) await rig.close();
});

/** Each run has a number of its own, but for one that is told of again; its moment stays the same as well. */
function putOn(rig: Rig, ref: string, told: Checks, known: Map<string, CommitCheck>, story: number) {
  const fresh = Object.entries(told).map(([name, { state, says, by, conclusion }]) => {
    jobs += 1;
    // What flickered in one history is news to the next.
    const log = says === "" ? "" : `${says} ${"of a story ".repeat(story)}`;
    return [name, { state, log, ...(conclusion && { conclusion }), ...(by === "actions" && { job: jobs }) }];
  });
  const event = put(rig, ref, Object.fromEntries(fresh));
  const now = (rig.repository.checks.get(ref) ?? []).map((check) => {
    const before = known.get(`${ref} ${check.name}`);
    return told[check.name]?.same === true && before !== undefined ? before : check;
  });
  for (const check of now) if (check.state === "red") known.set(`${ref} ${check.name}`, check);
  rig.repository.checks.set(ref, now);
  return event;
}

async function play({ required, flake_reruns: flakeReruns, events }: History): Promise<History["expect"]> {
  const rig = await rigFor(flakeReruns);
  const issue = 1 + (issues.get(rig) ?? 0);
  issues.set(rig, issue);
  const known = new Map<string, CommitCheck>();
  const writes = rig.github.writes.length;
  rig.repository.requiredChecks = required;
  rig.repository.checks.delete("main");
  let head = await putUpForReview(rig, issue, events[0]?.commit ?? "first");
  for (const [index, event] of events.entries()) {
    rig.clock.advance(event.after * MINUTE);
    if (index > 0 && event.commit !== undefined) head = await putUpForReview(rig, issue, event.commit);
    if (event.held) rig.repository.awaitingApproval.add(head);
    else rig.repository.awaitingApproval.delete(head);
    if (event.base !== undefined) putOn(rig, "main", event.base, known, issue);
    await rig.engine.handle(putOn(rig, head, event.head, known, issue));
    await rig.idle();
  }
  const task = await taskOf(rig, issue);
  const attempts = await rig.store.checks.attempts(task?.id ?? 0);
  const rules = (await rig.store.decisions.ofIssue(REPOSITORY.id, issue, 100)).map(({ rule }) => rule);
  return {
    attempts: new Set(attempts.map(({ commit }) => commit)).size,
    reruns: rig.github.writes.slice(writes).filter((write) => write.startsWith("rerunJob")).length,
    says: [...new Set(rules.toReversed())].filter((rule) => !["slot", "nobody_waits"].includes(rule)),
    state: task?.state ?? "",
  };
}

describe.each(FILES)("%s", (_, histories) => {
  it.each(histories.map((one) => [one.what, one] as const))("%s", async (_what, one) => {
    expect(await play(one)).toEqual(one.expect);
  });
});

it("there are many histories, and most are no fault of the commit's", () => {
  const all = FILES.flatMap(([, histories]) => histories);
  expect(all.length).toBeGreaterThanOrEqual(25);
  expect(all.filter(({ expect: { attempts } }) => attempts === 0).length).toBeGreaterThanOrEqual(15);
});
