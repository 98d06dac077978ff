import type { DomainEvent } from "../../src/domain/events/domain-event.ts";
import { closed, labeled, reviewed, said } from "../engine/people.ts";
import { createRig, type Rig } from "../engine/rig.ts";
import {
  after,
  blocked,
  call,
  commit,
  complete,
  edit,
  escalate,
  on,
  openPr,
  review,
  type Step,
  together,
} from "../engine/scripts.ts";
import { someSettings } from "../factories/some-settings.ts";
import { dayOfWebhooks } from "./day-of-webhooks.ts";
import { consumerOf } from "./live-through.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const STEP_MS = 5 * MINUTE_MS;
const PER_HOUR = HOUR_MS / STEP_MS;
const TURNS = 38;
const WEBHOOKS_PER_ISSUE = 40;
/** Until all is merged, and then until archives and worktrees are gone. */
const [MERGING_HOURS, FORGETTING_DAYS] = [26, 9];

/**
 * Lets the real engine work on issues, so many a day, on a database at `path`, with a round every five minutes: a fifth
 * of them straight on, a fifth each with a question, a review, a blocker and an escalation. Forty webhooks for each.
 */
export async function workThrough(path: string, { issues, perDay }: { issues: number; perDay: number }) {
  const rig = await createRig({
    database: path,
    watched: false,
    issues: 2 * issues,
    script: Array.from({ length: issues }, (_, index) => on(index + 1, ...storyOf(index + 1, issues))),
    settings: {
      attention: { openPrs: 100_000 },
      repositoryPerDay: { maxCostUsd: undefined, maxAgents: 100_000 },
      retention: someSettings().retention,
    },
  });
  try {
    const consumer = consumerOf(rig);
    const webhooks = dayOfWebhooks(rig);
    const steps = Math.ceil((issues / perDay) * 24 * PER_HOUR);
    let [labelled, sent] = [0, 0];
    const begun: number[] = [];
    for (let step = 1; step <= steps + MERGING_HOURS * PER_HOUR; step += 1) {
      for (; labelled < Math.min(issues, Math.floor((step * issues) / steps)); labelled += 1) {
        await rig.engine.handle(labeled(rig, labelled + 1));
        begun.push(step);
      }
      for (const [index, at] of begun.entries())
        await peopleAct(rig, index + 1, { hours: (step - at) / PER_HOUR, issues });
      const batch = [];
      const due = Math.min(1, step / steps) * issues * WEBHOOKS_PER_ISSUE;
      for (; sent < Math.floor(due); sent += 1) batch.push(webhooks.noise());
      await rig.store.deliveries.insert(batch);
      await consumer.tick();
      rig.clock.advance(STEP_MS);
      await rig.engine.tick();
      await rig.engine.idle();
    }
    for (let hours = 0; hours < FORGETTING_DAYS * 24; hours += 4) await rig.pass(4 * HOUR_MS);
    await consumer.stop();
    return await rig.store.records.find("agent", {});
  } finally {
    await rig.close();
  }
}

/** What the agent of an issue does. */
function storyOf(issue: number, issues: number): readonly Step[] {
  const [first = commit, ...others] = turns(issue);
  const built = [...others, commit, openPr];
  switch (issue % 5) {
    case 0:
      return [call("ask_human", QUESTION), ...awake(first, ...built, complete)];
    case 1:
      return [first, ...built, review, ...awake(complete)];
    case 2:
      return [blocked(issues + issue), ...awake(first, ...built, complete)];
    case 3:
      return [first, ...others, escalate];
    default:
      return [first, ...built, complete];
  }
}

/** What it does once it is awake again. */
function awake(first: Step, ...rest: readonly Step[]): readonly Step[] {
  return [after("awake again", first), ...rest];
}

/** Each says a little, writes a part of a file and reads another. */
function turns(issue: number): readonly Step[] {
  return Array.from({ length: TURNS }, (_, n) => ({
    ...together(
      edit(
        `src/part-${n % 9}.ts`,
        `// ${issue} ${n}\n${"export const value = compute(input);\n".repeat(30)}`,
      ),
      ...(n % 2 === 0 ? [call("view", { path: `src/part-${n}.ts` })] : []),
    ),
    say: `Now part ${n} of #${issue}: ${"it needs the same check as the one before. ".repeat(4)}`,
  }));
}

const QUESTION = {
  question: "Which licence shall it have?",
  options: ["MIT", "GPL 3"],
  recommended: "MIT",
};

/** What people do for an issue so many hours after its label. */
async function peopleAct(
  rig: Rig,
  issue: number,
  { hours, issues }: { hours: number; issues: number },
): Promise<void> {
  const handle = (told: DomainEvent) => rig.engine.handle(told);
  if (hours === 2) await handle(said(rig, issue, "How is it going?"));
  if (hours === 4 && issue % 5 === 0) await handle(said(rig, issue, "1"));
  if (hours === 6 && issue % 5 === 1) {
    const [agent] = await rig.store.records.find("agent", { issue });
    if (typeof agent?.prNumber === "number") await handle(reviewed(rig, agent.prNumber, "approved"));
  }
  if (hours === 9 && issue % 5 === 2) await handle(closed(rig, issues + issue));
  if (hours === 24) await handle(closed(rig, issue, issue % 5 === 3 ? {} : { merged: 1_000_000 + issue }));
}
