import { person } from "../fakes/github-world.ts";
import type { Webhook } from "./life.ts";

/** What is read of a webhook or says what became true with it; all else is left out. */
const KEPT: ReadonlySet<string> = new Set(
  `action assignee assignees blocked_issue blocking_issue blocking_issue_repo body changes comment commit_id
  context conclusion default_branch description draft from full_name head html_url id installation issue label labels
  locked login merge_commit_sha merged milestone name number owner private pull_request ref repo repository review
  sender sha state state_reason submitted_at title type user after before base commits created deleted`.split(
    /\s+/,
  ),
);

/** Numbers that the rig's world has for the same things. */
const REPOSITORY = 7;
const INSTALLATION = 5;

export function small(event: string, payload: unknown): Omit<Webhook, "guid"> {
  const kept = prune(payload);
  if (!isRecord(kept)) throw new Error(`a webhook ${event} without a body`);
  const action = typeof kept["action"] === "string" ? `.${kept["action"]}` : "";
  return { name: `${event}${action}`, payload: { ...kept, installation: { id: INSTALLATION } } };
}

function prune(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(prune);
  if (!isRecord(value)) return value;
  const kept = Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => KEPT.has(key))
      .map(([key, inner]) => [key, prune(inner)]),
  );
  if (typeof kept["login"] === "string" && kept["type"] === "User") return { ...person(kept["login"]) };
  return "default_branch" in kept ? { ...kept, id: REPOSITORY } : kept;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
