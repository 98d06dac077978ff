import { z } from "zod";
import { parseFullName } from "../../domain/kernel/repository.ts";
import { PLAN_VERBS } from "../../domain/planning/planned-work.ts";
import type { Store } from "../../domain/ports/store.ts";
import { recordedName } from "../../domain/status/person-named.ts";
import { type Answer, forbidden, NOT_FOUND } from "../../http/answer.ts";
import type { Rights } from "../auth/viewer.ts";
import { type Act, actOf, numberOf, reasoned, withMessage } from "./act.ts";
import { findAgent } from "./agent-view.ts";
import {
  actedAnswer,
  pausedAnswer,
  replayedDeliveryAnswer,
  replayedEffectAnswer,
  resumedAnswer,
  setAnswer,
  steeredAnswer,
} from "./answers/acts.ts";
import { planKey } from "./goal-json.ts";
import type { ApiParts, ViewerAsked } from "./parts.ts";
import { PERSON_ACTS } from "./person-acts.ts";
import type { ApiRoute } from "./route.ts";

const setting = z.strictObject({
  ...reasoned.shape,
  set: z.array(z.string().max(150)).min(1).max(100).describe("As `/flotilla set` takes it, such as ttl=8h."),
});
const resuming = z.strictObject({
  ...withMessage.shape,
  rounds: z.int().min(1).max(9999).optional().describe("Rounds of review, after a deadlock."),
});
const continuing = z.strictObject({
  ...withMessage.shape,
  amount: z
    .string()
    .trim()
    .min(1)
    .max(100)
    .optional()
    .describe("How much more it may use, as `/flotilla budget` takes it, such as +20, +$5 or 30 min."),
});
const scoped = z.strictObject({
  ...reasoned.shape,
  scope: z.string().min(1).max(300).describe("`all`, or a repository, owner/name."),
});

/** The name that the API gives an operation, what it does, and the name that the engine gives it. */
const AGENT_ACTS: readonly (readonly [
  verb: string,
  operation: string,
  summary: string,
  more?: { readonly body?: z.ZodType<object>; readonly answer?: z.ZodType },
])[] = [
  ["pause", "pause", "Holds an agent until a person resumes it."],
  [
    "resume",
    "resume",
    "Lets an agent that a person paused, or that called people, continue.",
    { body: resuming },
  ],
  ["cancel", "kill", "Ends an agent."],
  [
    "retry",
    "retry",
    "Retries an agent after an error at once; for any other, starts a new attempt.",
    { body: withMessage },
  ],
  ["revive", "revive", "Starts a new attempt after an agent has ended.", { body: withMessage }],
  [
    "continue",
    "continue",
    "Lets an agent that waits at a limit continue: by an amount, or its role's again.",
    { body: continuing },
  ],
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
  ...AGENT_ACTS.map(([verb, operation, summary, { body = reasoned, answer = actedAnswer } = {}]) =>
    actOf(body, {
      path: `/api/agents/{id}/${verb}`,
      name: `${verb}Agent`,
      summary,
      answer,
      repositoryOf: async (store, id) => (await findAgent(store, id))?.repositoryId,
      request: (agent, wish) => ({ path: `/agents/${operation}`, body: { ...wish, agent } }),
    }),
  ),
  ...PLAN_VERBS.map((verb) =>
    actOf(reasoned, {
      path: `/api/goals/{id}/${verb}`,
      name: `${verb}Goal`,
      summary: `Does \`/flotilla ${verb}\` for a goal, or a sprint without a goal; its key is owner/name#number.`,
      answer: steeredAnswer,
      repositoryOf: repositoryOfPlan,
      request: (id, wish) => ({ path: "/goals/steer", body: { ...wish, ...planKey(id), verb } }),
    }),
  ),
  actOf(reasoned, {
    path: "/api/effects/{id}/replay",
    name: "replayEffect",
    summary: "Tries a failed write once more.",
    answer: replayedEffectAnswer,
    repositoryOf: async (store, id) => (await store.effects.get(numberOf(id)))?.repositoryId,
    request: (effect, { by, id }) => ({ path: "/effects/replay", body: { by, effect: Number(effect), id } }),
  }),
  actOf(reasoned, {
    path: "/api/deliveries/{id}/replay",
    name: "replayDelivery",
    summary: "Handles a settled webhook once more.",
    answer: replayedDeliveryAnswer,
    repositoryOf: async (store, id) => (await store.deliveries.get(id))?.repositoryId,
    request: (guid, { by, id }) => ({ path: `/deliveries/${guid}/replay`, body: { by, id } }),
  }),
  ...PERSON_ACTS,
];

export const ACT_ROUTES: readonly ApiRoute[] = [
  ...ACTS.map(
    (act): ApiRoute => ({
      method: "post",
      path: act.path,
      name: act.name,
      summary: act.summary,
      group: "acts",
      body: act.body,
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
  { request, repositoryOf }: Act,
  { store, act }: ApiParts,
  { rights, at, body: given }: ViewerAsked,
): Promise<Answer> {
  const id = at["id"] ?? at["name"] ?? "";
  const repositoryId = await repositoryOf(store, id);
  if (repositoryId === undefined) return NOT_FOUND;
  if (rights.viewer.kind !== "operator" && (repositoryId === null || !(await rights.mayRead(repositoryId))))
    return NOT_FOUND;
  if (repositoryId !== null && !(await rights.mayAct(repositoryId))) return MAY_NOT;
  const asked = request(id, given, nameOf(rights));
  // The engine knows no empty reason.
  const body =
    "reason" in asked.body && asked.body.reason === "" ? { ...asked.body, reason: null } : asked.body;
  return act(asked.path, body);
}

const MAY_NOT = forbidden(
  "your permission in this repository is not enough",
  "let somebody do it who may give commands there",
);

async function repositoryOfPlan(store: Store, key: string): Promise<number | undefined> {
  const name = parseFullName(planKey(key).repository);
  return name && (await store.repositories.byName(name.owner, name.name))?.id;
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
  return viewer.kind === "operator" ? "operator:dashboard" : recordedName(viewer.login);
}
