import { z } from "zod";
import { parseFullName } from "../../domain/kernel/repository.ts";
import { PLAN_VERBS } from "../../domain/planning/planned-work.ts";
import type { Store } from "../../domain/ports/store.ts";
import { type Answer, forbidden, NOT_FOUND } from "../../http/answer.ts";
import type { Rights } from "../auth/viewer.ts";
import { findAgent } from "./agent-view.ts";
import {
  actedAnswer,
  decidedAnswer,
  pausedAnswer,
  replayedDeliveryAnswer,
  replayedEffectAnswer,
  resumedAnswer,
  setAnswer,
  steeredAnswer,
} from "./answers/acts.ts";
import { planKey } from "./goal-json.ts";
import type { ApiParts, ViewerAsked } from "./parts.ts";
import type { ApiRoute } from "./route.ts";

const words = z.strictObject({
  id: z
    .string()
    .min(1)
    .max(100)
    .describe(
      "The id that you give the request: while the process runs, a request with the same id and body acts once.",
    ),
  reason: z.string().trim().max(500).default("").describe("Why; Flotilla records it."),
});
const setting = z.strictObject({
  ...words.shape,
  set: z.array(z.string().max(150)).min(1).max(100).describe("As `/flotilla set` takes it, such as ttl=8h."),
});
const resuming = z.strictObject({
  ...words.shape,
  rounds: z.int().min(1).max(9999).optional().describe("Rounds of review, after a deadlock."),
});
const scoped = z.strictObject({
  ...words.shape,
  scope: z.string().min(1).max(300).describe("`all`, or a repository, owner/name."),
});

type Words = Readonly<z.output<typeof words>>;

/** An act on one thing: who may act in its repository may do it. */
interface Act {
  readonly path: `/api/${string}`;
  readonly name: string;
  readonly summary: string;
  readonly body?: z.ZodType<Words>;
  readonly answer: z.ZodType;
  /** Returns the thing's repository; null for a thing without one, undefined if the thing does not exist. */
  readonly repositoryOf: (store: Store, id: string) => Promise<number | null | undefined>;
  /** Returns what the engine is asked. */
  readonly request: (
    id: string,
    wish: Omit<Words, "reason"> & { readonly by: string; readonly reason: string | null },
  ) => { readonly path: string; readonly body: object };
}

/** The name that the API gives an operation, what it does, and the name that the engine gives it. */
const AGENT_ACTS: readonly (readonly [
  verb: string,
  operation: string,
  summary: string,
  more?: Partial<Act>,
])[] = [
  ["pause", "pause", "Holds an agent until a person resumes it."],
  [
    "resume",
    "resume",
    "Lets an agent that a person paused, or that called people, continue.",
    { body: resuming },
  ],
  ["cancel", "kill", "Ends an agent."],
  ["retry", "retry", "Retries an agent after an error at once; for any other, starts a new attempt."],
  ["revive", "revive", "Starts a new attempt after an agent has ended."],
  ["continue", "continue", "Grants an agent that waits at a limit its role's amount again."],
  ["complete", "complete", "Has an agent's work count as done as it is."],
  [
    "set",
    "set",
    "Sets or removes an agent's time to live, labels and tags.",
    { body: setting, answer: setAnswer },
  ],
];

/** `POST /api/…`: what people and programs can do. Each takes the path of the command of that name. */
const ACTS: readonly Act[] = [
  ...AGENT_ACTS.map(
    ([verb, operation, summary, more]): Act => ({
      path: `/api/agents/{id}/${verb}`,
      name: `${verb}Agent`,
      summary,
      answer: actedAnswer,
      repositoryOf: async (store, id) => (await findAgent(store, id))?.repositoryId,
      request: (agent, wish) => ({ path: `/agents/${operation}`, body: { ...wish, agent } }),
      ...more,
    }),
  ),
  ...(["approve", "deny"] as const).map(
    (verdict): Act => ({
      path: `/api/approvals/{id}/${verdict}`,
      name: `${verdict}Call`,
      summary:
        verdict === "approve"
          ? "Lets a call that an agent asked about happen."
          : "Refuses a call that an agent asked about; it reads the reason.",
      answer: decidedAnswer,
      repositoryOf: repositoryOfApproval,
      request: (id, wish) => ({
        path: "/approvals/decide",
        body: { ...wish, approval: Number(id), verdict },
      }),
    }),
  ),
  ...PLAN_VERBS.map(
    (verb): Act => ({
      path: `/api/goals/{id}/${verb}`,
      name: `${verb}Goal`,
      summary: `Does \`/flotilla ${verb}\` for a goal, or a sprint without a goal; its key is owner/name#number.`,
      answer: steeredAnswer,
      repositoryOf: repositoryOfPlan,
      request: (id, wish) => ({ path: "/goals/steer", body: { ...wish, ...planKey(id), verb } }),
    }),
  ),
  {
    path: "/api/effects/{id}/replay",
    name: "replayEffect",
    summary: "Tries a failed write once more.",
    answer: replayedEffectAnswer,
    repositoryOf: async (store, id) => (await store.effects.get(numberOf(id)))?.repositoryId,
    request: (id, wish) => ({
      path: "/effects/replay",
      body: { by: wish.by, effect: Number(id), id: wish.id },
    }),
  },
  {
    path: "/api/deliveries/{id}/replay",
    name: "replayDelivery",
    summary: "Handles a settled webhook once more.",
    answer: replayedDeliveryAnswer,
    repositoryOf: async (store, id) => (await store.deliveries.get(id))?.repositoryId,
    request: (id, wish) => ({ path: `/deliveries/${id}/replay`, body: { by: wish.by, id: wish.id } }),
  },
];

export const ACT_ROUTES: readonly ApiRoute[] = [
  ...ACTS.map(
    (act): ApiRoute => ({
      method: "post",
      path: act.path,
      name: act.name,
      summary: act.summary,
      group: "acts",
      body: act.body ?? words,
      answer: act.answer,
      run: (parts, asked) => doAct(act, parts, asked),
    }),
  ),
  ...(["pause", "resume"] as const).map(
    (what): ApiRoute => ({
      method: "post",
      path: `/api/${what}`,
      name: what,
      summary:
        what === "pause"
          ? "Stops every agent of a repository; of everything only the operator."
          : "Ends the pause of a repository; of everything only the operator.",
      group: "acts",
      body: scoped,
      answer: what === "pause" ? pausedAnswer : resumedAnswer,
      run: (parts, asked) => ofScope(what, parts, asked),
    }),
  ),
];

/** Acts for a viewer who may act in the repository concerned. */
async function doAct(
  { request, repositoryOf, body }: Act,
  { store, act }: ApiParts,
  { rights, at, body: given }: ViewerAsked,
): Promise<Answer> {
  const id = at["id"] ?? "";
  const { reason: said, ...more } = (body ?? words).parse(given);
  const repositoryId = await repositoryOf(store, id);
  if (repositoryId === undefined) return NOT_FOUND;
  if (rights.viewer.kind !== "operator" && (repositoryId === null || !(await rights.mayRead(repositoryId))))
    return NOT_FOUND;
  if (repositoryId !== null && !(await rights.mayAct(repositoryId))) return MAY_NOT;
  const asked = request(id, { ...more, by: nameOf(rights), reason: said === "" ? null : said });
  return act(asked.path, asked.body);
}

const MAY_NOT = forbidden(
  "your permission in this repository is not enough",
  "let somebody do it who may give commands there",
);

/** Returns a row's number; -1, which no row has, for any other text. */
function numberOf(id: string): number {
  return /^\d{1,15}$/.test(id) ? Number(id) : -1;
}

async function repositoryOfPlan(store: Store, key: string): Promise<number | undefined> {
  const name = parseFullName(planKey(key).repository);
  return name && (await store.repositories.byName(name.owner, name.name))?.id;
}

async function repositoryOfApproval(store: Store, id: string): Promise<number | undefined> {
  const agentId = (await store.approvals.get(numberOf(id)))?.agentId;
  return agentId === undefined ? undefined : (await store.records.get("agent", agentId))?.repositoryId;
}

/** Pauses or resumes everything (only the operator may), or one repository (anyone who may act there). */
async function ofScope(
  what: "pause" | "resume",
  { store, act }: ApiParts,
  { rights, body }: ViewerAsked,
): Promise<Answer> {
  const { scope, reason, id } = scoped.parse(body);
  if (rights.viewer.kind !== "operator") {
    const [owner = "", name = ""] = scope.split("/");
    const repository = await store.repositories.byName(owner, name);
    if (repository === undefined || !(await rights.mayAct(repository.id))) return MAY_NOT;
  }
  return act(`/${what}`, { scope, by: nameOf(rights), reason: reason === "" ? null : reason, id });
}

/** Returns the viewer's name as decisions and transitions record it. */
function nameOf({ viewer }: Rights): string {
  return viewer.kind === "operator" ? "operator:dashboard" : viewer.login;
}
