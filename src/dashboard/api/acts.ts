import { z } from "zod";
import { parseFullName } from "../../domain/kernel/repository.ts";
import { PLAN_VERBS } from "../../domain/planning/planned-work.ts";
import type { Store } from "../../domain/ports/store.ts";
import { type Answer, forbidden, NOT_FOUND } from "../../http/answer.ts";
import type { Rights } from "../auth/viewer.ts";
import { findAgent } from "./agent-view.ts";
import { planKey } from "./goal-json.ts";

/** Carries out an operation of the running engine, with the same paths and bodies as the command line uses. */
type Act = (path: string, body: object) => Promise<{ readonly status: number; readonly body: object }>;

export interface ActParts {
  readonly store: Store;
  readonly act: Act;
}

const words = z.strictObject({
  /** The id that the caller gives the request: a repeated id acts only once while the process runs. */
  id: z.string().min(1).max(100),
  reason: z.string().trim().max(500).default(""),
});
const setting = z.strictObject({ ...words.shape, set: z.array(z.string().max(150)).min(1).max(100) });
const resuming = z.strictObject({ ...words.shape, rounds: z.int().min(1).max(9999).optional() });
const scoped = z.strictObject({ ...words.shape, scope: z.string().min(1).max(300) });

/** The name that the API gives an operation, and the name that the engine gives it. */
const AGENT_ACTS: Readonly<Record<string, string>> = {
  pause: "pause",
  resume: "resume",
  cancel: "kill",
  retry: "retry",
  revive: "revive",
  continue: "continue",
  complete: "complete",
  set: "set",
};

/** Returns whether a path names an act. All other paths can only be read. */
export function isAct(path: readonly string[]): boolean {
  return path.length === 1 ? ["pause", "resume"].includes(path[0] ?? "") : path.length === 3;
}

/** Answers `POST /api/…`: acts for a viewer who may act in the repository concerned. */
export async function doAct(
  parts: ActParts,
  rights: Rights,
  path: readonly string[],
  body: unknown,
): Promise<Answer> {
  const [what = "", id = "", verb = ""] = path;
  if (what === "pause" || what === "resume") return ofScope(parts, rights, what, body);
  const wish = schemaOf(what, verb).safeParse(body);
  if (!wish.success) return invalid(wish.error);
  const by = nameOf(rights);
  const { reason: said, ...more } = wish.data;
  const reason = said === "" ? null : said;
  const repositoryId = await repositoryOf(parts.store, what, id);
  if (repositoryId === undefined) return NOT_FOUND;
  if (rights.viewer.kind !== "operator" && (repositoryId === null || !(await rights.mayRead(repositoryId))))
    return NOT_FOUND;
  const asked = requestFor(what, id, verb, { ...more, by, reason });
  if (asked === null) return NOT_FOUND;
  if (repositoryId !== null && !(await rights.mayAct(repositoryId))) return MAY_NOT;
  return parts.act(asked.path, asked.body);
}

function schemaOf(what: string, verb: string) {
  if (what === "agents" && verb === "set") return setting;
  return what === "agents" && verb === "resume" ? resuming : words;
}

const MAY_NOT = forbidden(
  "your permission in this repository is not enough",
  "let somebody do it who may give commands there",
);

function requestFor(
  what: string,
  id: string,
  verb: string,
  wish: { readonly id: string; readonly by: string; readonly reason: string | null },
): { readonly path: string; readonly body: object } | null {
  if (what === "agents" && Object.hasOwn(AGENT_ACTS, verb))
    return { path: `/agents/${AGENT_ACTS[verb] ?? verb}`, body: { ...wish, agent: id } };
  if (what === "goals") return steering(id, verb, wish);
  if (what === "approvals" && (verb === "approve" || verb === "deny"))
    return { path: "/approvals/decide", body: { ...wish, approval: Number(id), verdict: verb } };
  if (what === "effects" && verb === "replay")
    return { path: "/effects/replay", body: { by: wish.by, effect: Number(id), id: wish.id } };
  if (what === "deliveries" && verb === "replay")
    return { path: `/deliveries/${id}/replay`, body: { by: wish.by, id: wish.id } };
  return null;
}

/** Builds the request for a goal, or for a sprint without a goal, from the issue that tracks it: `owner/name#9`. */
function steering(key: string, verb: string, wish: object) {
  const known = PLAN_VERBS.find((one) => one === verb);
  const { repository, issue } = planKey(key);
  return known === undefined
    ? null
    : { path: "/goals/steer", body: { ...wish, repository, issue, verb: known } };
}

/**
 * Returns the repository of the thing; null for a delivery without a repository, undefined if the thing does not exist.
 */
async function repositoryOf(store: Store, what: string, id: string): Promise<number | null | undefined> {
  const number = /^\d{1,15}$/.test(id) ? Number(id) : -1;
  switch (what) {
    case "agents":
      return (await findAgent(store, id))?.repositoryId;
    case "effects":
      return (await store.effects.get(number))?.repositoryId;
    case "deliveries":
      return (await store.deliveries.get(id))?.repositoryId;
    case "goals": {
      const { owner, name } = parseFullName(planKey(id).repository) ?? { owner: "", name: "" };
      return (await store.repositories.byName(owner, name))?.id;
    }
    case "approvals": {
      const agentId = (await store.approvals.get(number))?.agentId;
      return agentId === undefined ? undefined : (await store.records.get("agent", agentId))?.repositoryId;
    }
    default:
      return undefined;
  }
}

/** Pauses or resumes everything (only the operator may), or one repository (anyone who may act there). */
async function ofScope(
  { store, act }: ActParts,
  rights: Rights,
  what: "pause" | "resume",
  body: unknown,
): Promise<Answer> {
  const wish = scoped.safeParse(body);
  if (!wish.success) return invalid(wish.error);
  const { scope, reason, id } = wish.data;
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

function invalid(error: z.ZodError): Answer {
  const [first] = error.issues;
  const hint = `${first?.path.join(".") || "the body"}: ${first?.message ?? "another value"}`;
  return { status: 400, body: { error: "invalid_argument", hint } };
}
