import { inlineCode } from "../messages/inline-code.ts";
import {
  fitsRole,
  modelWritten,
  type RuntimeUse,
  roleIn,
  runtimeNames,
  runtimeOfRole,
  runtimeUse,
} from "../settings/runtime-use.ts";
import type { Settings } from "../settings/settings.ts";
import type { AgentRecord } from "./agent-record.ts";
import { isCoder, type Role } from "./role.ts";
import { allowedModels, roleOfAttempt } from "./start-choice.ts";

/** What stands on the issue and in the database when an agent is made. */
interface Around {
  readonly settings: Settings;
  readonly agents: readonly AgentRecord[];
}

/** A runtime that a start cannot have. */
export interface RefusedRuntime {
  readonly fault: string;
  readonly change: string;
}

/**
 * Returns the runtime of a new agent: the one that a person asks for, else that of the agents before it on the same work,
 * which keeps its runtime for life; else that of the labels, of the role, or of `runtime.use`.
 */
export function runtimeOfNew(
  role: Role,
  { settings, agents }: Around,
  { asked, labels = [] }: { readonly asked?: string | undefined; readonly labels?: readonly string[] } = {},
): string {
  const names = runtimeNames(settings);
  const may = (runtime: string) => names.includes(runtime) && fitsRole(role, runtime, settings);
  const wanted = [
    asked,
    before(role, agents)?.runtime,
    ...(role.evidence === "verdict" ? [] : labelled(labels, settings)),
  ];
  return wanted.find((runtime) => runtime !== undefined && may(runtime)) ?? runtimeOfRole(role, settings);
}

/** Returns why a start with what a person asks for, or what labels choose, cannot begin; null where it can. */
export function refusedRuntime(
  role: Role,
  { settings, agents }: Around,
  { asked, labels }: { readonly asked: string | undefined; readonly labels: readonly string[] },
): RefusedRuntime | null {
  const names = runtimeNames(settings);
  const fitting = names.filter((name) => fitsRole(role, name, settings));
  const list = fitting.map((name) => inlineCode(name)).join(", ");
  if (asked !== undefined && !names.includes(asked))
    return {
      fault: `there is no runtime ${inlineCode(asked, 60)} here`,
      change: `say \`/flotilla start ${role.name} with <runtime>\` with one of ${list}, or leave \`with\` out`,
    };
  const chosen = before(role, agents) === undefined ? [...new Set(labelled(labels, settings))] : [];
  if (asked === undefined && chosen.length > 1)
    return {
      fault: `the issue's labels choose more than one runtime: ${chosen.map((name) => inlineCode(name)).join(", ")}`,
      change: `remove all but one of these labels, or say \`/flotilla start ${role.name} with <runtime>\``,
    };
  const runtime = asked ?? chosen[0];
  if (runtime === undefined || fitsRole(role, runtime, settings)) return null;
  return {
    fault: `${inlineCode(runtime)} uses its own tools without asking, so only a role with a shell may have it, and ${role.name} has none`,
    change: `say \`/flotilla start ${role.name} with <runtime>\` with one of ${list}`,
  };
}

/** Returns the last agent before a new one on the same work: for a coder, whatever its role was. */
function before(role: Role, agents: readonly AgentRecord[]): AgentRecord | undefined {
  return agents.findLast((agent) => (isCoder(role) ? agent.coder : agent.role === role.name));
}

/** Returns the runtimes that the labels choose. Case does not matter, as on GitHub. */
function labelled(labels: readonly string[], settings: Pick<Settings, "runtimeLabels">): readonly string[] {
  return labels.flatMap((label) => runtimeOfLabel(label, settings) ?? []);
}

/** Returns the runtime that a label chooses; undefined for any other label. */
export function runtimeOfLabel(
  label: string,
  { runtimeLabels }: Pick<Settings, "runtimeLabels">,
): string | undefined {
  const wanted = label.toLowerCase();
  return Object.entries(runtimeLabels).find(([known]) => known.toLowerCase() === wanted)?.[1];
}

/** What a reviewer works with, and why; `model` null = the first of its role's. */
export interface ReviewerUse {
  readonly runtime: string;
  readonly model: string | null;
  /** Undefined where nothing need be said. */
  readonly why: string | undefined;
}

/**
 * Returns what a reviewer works with. Where `review.differ` asks for it: its role's own runtime and model if the coder did not
 * have both, else another runtime, else another model; where there is none, the coder's.
 */
export function reviewerUse(role: Role, coder: AgentRecord | undefined, around: Around): ReviewerUse {
  const { settings } = around;
  const runtime = runtimeOfNew(role, around);
  const coderRole = coder && settings.roles.get(coder.role);
  if (!settings.review.differ || coder === undefined || coderRole === undefined)
    return { runtime, model: null, why: undefined };
  const its = runtimeUse(roleOfAttempt(coderRole, coder, settings), settings);
  const theirs = useWords(its);
  const own = runtimeUse(roleIn(role, runtime, settings), settings);
  if (differs(own, its))
    return { runtime, model: null, why: `${useWords(own)}, because the coder worked with ${theirs}` };
  const others = runtimeNames(settings).filter((name) => fitsRole(role, name, settings));
  for (const other of others) {
    const use = runtimeUse(roleIn(role, other, settings), settings);
    if (other !== its.runtime && differs(use, its))
      return {
        runtime: other,
        model: null,
        why: `${useWords(use)}, because the coder worked with ${theirs}`,
      };
  }
  const model = allowedModels(roleIn(role, runtime, settings), settings).find(
    (written) => written !== modelWritten(its.models[0]),
  );
  if (model !== undefined)
    return { runtime, model, why: `${runtime} (${model}), because the coder worked with ${theirs}` };
  return {
    runtime,
    model: null,
    why: `${theirs}, like the coder: \`review.differ\` asks for another runtime or model, but none is configured`,
  };
}

function differs(one: RuntimeUse, other: RuntimeUse): boolean {
  return one.runtime !== other.runtime || modelWritten(one.models[0]) !== modelWritten(other.models[0]);
}

/** Returns `codex (openai/gpt-6)`. */
export function useWords({ runtime, models: [model] }: RuntimeUse): string {
  return `${runtime} (${modelWritten(model)})`;
}
