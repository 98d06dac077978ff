import { z } from "zod";
import { parseFullName } from "../../domain/kernel/repository.ts";
import type { Store } from "../../domain/ports/store.ts";
import { type Act, actOf, MOST_WORDS, numberOf, repositoryOfAgent, requestId, withMessage } from "./act.ts";
import { findAgent } from "./agent-view.ts";
import {
  answeredAnswer,
  decidedAnswer,
  mergedAnswer,
  scheduleAnswer,
  sentAnswer,
  startedAnswer,
} from "./answers/acts.ts";

/** Characters of an issue's title, as GitHub allows. */
const MOST_TITLE = 256;

const words = z.string().trim().min(1).max(MOST_WORDS);
const optionalWords = z.string().trim().max(MOST_WORDS).default("");

const said = z.strictObject({ ...requestId, text: words.describe("What the agent reads.") });
const answered = z.strictObject({
  ...requestId,
  text: words.describe("The name or the number of an option, or an answer in other words."),
});
const started = z
  .strictObject({
    ...requestId,
    issue: z.int().positive().optional().describe("The number of an issue that is there."),
    title: z.string().trim().min(1).max(MOST_TITLE).optional().describe("The title of an issue to open."),
    text: optionalWords.describe("The text of the issue to open."),
    role: z.string().trim().max(100).default("").describe("Left out: the role that the issue's labels name."),
    words: optionalWords.describe("What the agent reads besides the issue."),
  })
  .refine(({ issue, title }) => (issue === undefined) !== (title === undefined), {
    message: "give the number of an issue, or the title of a new one",
    path: ["issue"],
  });
const merging = z.strictObject({
  ...requestId,
  issue: z.int().positive().describe("The issue of the work."),
});

const beginning = z.strictObject({
  ...requestId,
  schedule: z.string().min(1).max(40).describe("The name of a schedule of this repository."),
});

const ofApproval = async (store: Store, id: string) =>
  repositoryOfAgent(store, (await store.approvals.get(numberOf(id)))?.agentId);

async function ofRepository(store: Store, fullName: string): Promise<number | undefined> {
  const name = parseFullName(fullName);
  return name && (await store.repositories.byName(name.owner, name.name))?.id;
}

/** What a person says to agents, and what they begin and end. */
export const PERSON_ACTS: readonly Act[] = [
  ...(["approve", "deny"] as const).map((verdict) =>
    actOf(withMessage, {
      path: `/api/approvals/{id}/${verdict}`,
      name: `${verdict}Call`,
      summary:
        verdict === "approve"
          ? "Lets a call that an agent asked about happen."
          : "Refuses a call that an agent asked about; it reads the reason.",
      answer: decidedAnswer,
      repositoryOf: ofApproval,
      request: (id, wish) => ({
        path: "/approvals/decide",
        body: { ...wish, approval: Number(id), verdict },
      }),
    }),
  ),
  actOf(z.strictObject(requestId), {
    path: "/api/approvals/{id}/undo",
    name: "takeBackCall",
    summary: "Takes an approval back, as long as the agent has not made the call.",
    answer: decidedAnswer,
    repositoryOf: ofApproval,
    request: (id, wish) => ({ path: "/approvals/take-back", body: { ...wish, approval: Number(id) } }),
  }),
  actOf(answered, {
    path: "/api/questions/{id}/answer",
    name: "answerQuestion",
    summary: "Answers a question of an agent.",
    answer: answeredAnswer,
    repositoryOf: async (store, id) =>
      repositoryOfAgent(store, (await store.questions.get(numberOf(id)))?.agentId),
    request: (id, wish) => ({ path: "/questions/answer", body: { ...wish, question: Number(id) } }),
  }),
  actOf(said, {
    path: "/api/agents/{id}/send",
    name: "sendToAgent",
    summary: "Writes to an agent: one that sleeps wakes, one that works reads it with its next step.",
    answer: sentAnswer,
    repositoryOf: async (store, id) => (await findAgent(store, id))?.repositoryId,
    request: (agent, wish) => ({ path: "/agents/send", body: { ...wish, agent } }),
  }),
  actOf(started, {
    path: "/api/repositories/{name}/start",
    name: "startWork",
    summary: "Starts a role on an issue, which it opens first if a title is given.",
    answer: startedAnswer,
    repositoryOf: ofRepository,
    request: (repository, { issue, title, text, ...wish }) => ({
      path: "/work/start",
      body: { ...wish, repository, on: issue === undefined ? { title, body: text } : { issue } },
    }),
  }),
  actOf(merging, {
    path: "/api/repositories/{name}/merge",
    name: "mergeWork",
    summary: "Merges the approved work of an issue, where Flotilla may merge.",
    answer: mergedAnswer,
    repositoryOf: ofRepository,
    request: (repository, wish) => ({ path: "/work/merge", body: { ...wish, repository } }),
  }),
  actOf(beginning, {
    path: "/api/repositories/{name}/run-schedule",
    name: "runSchedule",
    summary: "Has a schedule begin now, besides its times; while its last issue is open, it opens none.",
    answer: scheduleAnswer,
    repositoryOf: ofRepository,
    request: (repository, wish) => ({ path: "/schedules/run", body: { ...wish, repository } }),
  }),
];
