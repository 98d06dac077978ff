import type { AgentRecord, SleepReason } from "../agents/agent-record.ts";
import { type ChangeSet, decisionOnly, mergeChanges, NO_CHANGES } from "../kernel/change-set.ts";
import type { Effect } from "../kernel/effect.ts";
import { cutHead } from "../messages/format.ts";
import { firstLevelFor, type Withheld } from "./level.ts";

/** Sleeps that end only when a person reacts to what Flotilla writes on GitHub. */
const FOR_PEOPLE: readonly (SleepReason | null)[] = ["question", "approval", "review"];

/** Effects that tell people that an agent waits for them. */
const ASKING: readonly Effect["kind"][] = ["post_comment", "question_comment", "add_labels"];

/**
 * Effects that only show the state of an issue: the issue gets their decision, once. Other decisions name the agent.
 */
const SHOWING: readonly Effect["kind"][] = [
  "status_comment",
  "task_label",
  "remove_label",
  "react",
  "pull_facts",
];

/**
 * Records what a withheld write would have been. An agent that waits for people who are never asked ends, with this as
 * its reason.
 */
export function onWithheld(
  effect: Effect,
  agent: AgentRecord | null,
  { level, at }: Pick<Withheld, "level"> & { readonly at: number },
): ChangeSet {
  const showing = SHOWING.includes(effect.kind);
  const noted = decisionOnly(
    "withheld",
    `the level is ${level}, so nothing was written: it ${wouldWords(effect)}`,
    {
      change: `\`level\` ${firstLevelFor(effect.kind)} lets it out`,
      ...(agent === null || showing ? {} : { agentId: agent.id }),
      inputs: { level, effect: effect.kind },
    },
  );
  if (agent === null || !ASKING.includes(effect.kind) || !waitsForPeople(agent)) return noted;
  const wants = agent.state === "ESCALATED" ? agent.reason : null;
  const why = `the level is ${level}, at which nobody is asked, and it needs a person: ${wants ?? `it ${wouldWords(effect)}`}`;
  const event = { type: "CANCEL", at, actor: "flotilla", why, quiet: false } as const;
  return mergeChanges(noted, { ...NO_CHANGES, moves: [{ machine: "agent", id: agent.id, event }] });
}

function waitsForPeople({ state, sleepReason }: AgentRecord): boolean {
  return state === "ESCALATED" || (state === "SLEEPING" && FOR_PEOPLE.includes(sleepReason));
}

/** Characters of a text that the decision shows; the effect keeps the whole text. */
const SHOWN = 300;

/** Returns what an effect would have written on GitHub, as people read it after "it". */
export function wouldWords(effect: Effect): string {
  switch (effect.kind) {
    case "open_pr":
      return `would open a pull request: ${effect.title}`;
    case "commit":
      return `would push a commit: ${short(effect.message)}`;
    case "post_comment":
      return `would comment: ${short(effect.body)}`;
    case "question_comment":
      return "would ask people its question";
    case "add_labels":
      return `would put the labels ${effect.labels.join(", ")}`;
    case "add_blocked_by":
      return `would note that #${effect.blocker} blocks this issue`;
    case "create_blocker_issue":
    case "create_sub_issue":
    case "open_incident":
      return `would open an issue: ${effect.title}`;
    case "open_scheduled":
      return `would open the issue of the schedule ${effect.schedule}`;
    case "create_backport":
      return `would open an issue for a backport to ${effect.base}`;
    case "close_issue":
      return "would close the issue";
    case "propose_file":
      return `would propose ${effect.path} by a pull request`;
    case "propose_lesson":
      return `would propose a lesson by a draft pull request: ${effect.line}`;
    case "merge_pull":
      return `would merge #${effect.pull}`;
    case "update_branch":
      return "would merge the base branch into the branch of its pull request";
    case "publish_verdict":
    case "publish_review":
      return "would publish a review";
    case "rerun_check":
      return `would run ${effect.check} again`;
    default:
      return "would show its state: a status comment, labels, reactions";
  }
}

function short(text: string): string {
  return cutHead(text.replace(/\s+/g, " ").trim(), SHOWN);
}
