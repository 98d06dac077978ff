import { LEVELS, type Level } from "../../domain/access/level.ts";
import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import type { Effect } from "../../domain/kernel/effect.ts";
import type { EffectRow } from "../../domain/kernel/rows.ts";
import type { ToolAnswer } from "../../domain/ports/agent-runtime.ts";
import type { Tables } from "../../domain/ports/store.ts";
import type { Output } from "../../domain/ports/tool-host.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import { isCategoryLabel } from "../../domain/tasks/escalation.ts";
import { pullRequestBody } from "../../domain/tasks/pull-request-body.ts";
import { blockerIssueEffect, refusedBlockerIssue } from "../blockers/blocker-issues.ts";
import { refusedSubIssue, subIssueEffect } from "../planning/sub-issues.ts";

/** An output as an effect. Repository, issue and branch are the record's. */
export function outputEffect(
  agent: AgentRecord,
  output: Output,
  { count, digest }: { readonly count: number; readonly digest: (text: string) => string },
): Effect {
  switch (output.kind) {
    case "commit":
      return { kind: "commit", message: output.message };
    case "open_pr":
      return { kind: "open_pr", title: output.title, body: pullRequestBody(output.body, agent.issue) };
    case "comment":
      return { kind: "post_comment", name: `${agent.name}-says-${agent.token}-${count}`, body: output.body };
    case "label":
      return { kind: "add_labels", labels: [output.label] };
    case "create_blocker_issue":
      return blockerIssueEffect(agent, output, digest);
    case "create_sub_issue":
      return subIssueEffect(agent, output, digest);
  }
}

/** Why an output is not even queued; null when it may be. */
export async function refusedOutput(
  tables: Pick<Tables, "effects">,
  settings: Settings,
  wanted: { readonly agent: AgentRecord; readonly output: Output; readonly effect: Effect },
): Promise<string | null> {
  const { maxOutputs } = settings.policy;
  const { agent, output, effect } = wanted;
  if (effect.kind === "create_blocker_issue") {
    const label = effect.labels.find((one) => isHosts(one, settings));
    return label === undefined
      ? refusedBlockerIssue(tables, settings, agent, effect.name)
      : hostsLabel(label);
  }
  if (effect.kind === "create_sub_issue") return refusedSubIssue(tables, settings, agent, effect);
  switch (output.kind) {
    case "commit":
      return agent.branch === null ? "You have no branch." : null;
    case "open_pr":
      if (agent.branch === null) return "You have no branch.";
      if (agent.prNumber !== null)
        return `Your pull request is #${agent.prNumber} already; commits go there.`;
      return maxOutputs.pullRequests === 0 ? "Pull requests are switched off here." : null;
    case "comment":
      return (await countOf(tables, agent, "post_comment")) >= maxOutputs.comments
        ? `You have made ${maxOutputs.comments} comments, which is the limit.`
        : null;
    case "label":
      return isHosts(output.label, settings) ? hostsLabel(output.label) : null;
    default:
      return null;
  }
}

const hostsLabel = (label: string) =>
  `The label ${label} is the host's; use escalate_to_human when a person must act.`;

/** Case does not matter, as on GitHub. */
function isHosts(label: string, settings: Settings): boolean {
  const given = label.toLowerCase();
  return (
    given === settings.escalation.label.toLowerCase() ||
    given.startsWith("flotilla:") ||
    isCategoryLabel(label)
  );
}

async function countOf(
  tables: Pick<Tables, "effects">,
  agent: AgentRecord,
  kind: EffectRow["kind"],
): Promise<number> {
  const rows = await tables.effects.find({ agentId: agent.id, kind });
  return rows.filter((row) => row.key.includes(":call-")).length;
}

/** What the model reads of its output's row. */
export function outputAnswer(row: EffectRow | undefined): ToolAnswer {
  if (row === undefined) return { ok: false, text: "The output is lost. Try again." };
  switch (row.state) {
    case "done":
      return { ok: true, text: said(row) };
    case "failed":
      return { ok: false, text: `It failed: ${row.error ?? "no reason is known"}` };
    case "skipped":
      if (withheldAt(row) !== null)
        return {
          ok: true,
          text: `Not done: the level here is ${withheldAt(row)}, which lets this out to nobody. What you gave is kept; continue as if it stood, and use report_complete when the work is done.`,
        };
      return { ok: false, text: "Your period is over; nothing was done." };
    case "pending":
    case "leased":
      return {
        ok: true,
        text: "It is queued and will be done as soon as possible; continue without waiting for it.",
      };
  }
}

function said(row: EffectRow): string {
  const result: Readonly<Record<string, unknown>> =
    typeof row.result === "object" && row.result !== null ? { ...row.result } : {};
  switch (row.kind) {
    case "commit":
      if (typeof result["held"] === "string") return `Nothing was committed: ${result["held"]}`;
      if (typeof result["tooMany"] === "string") return `Nothing was committed: ${result["tooMany"]}`;
      if (typeof result["unsettled"] === "string")
        return `Nothing was committed: ${result["unsettled"]}. Settle them first.`;
      return [
        withheldAt(row) !== null
          ? `Committed as ${String(result["commit"])}, and not pushed: the level here is ${withheldAt(row)}.`
          : typeof result["commit"] === "string"
            ? `Committed and pushed as ${result["commit"]}.`
            : "There was nothing to commit.",
        ...(typeof result["leftOut"] === "string" ? [result["leftOut"]] : []),
      ].join(" ");
    case "open_pr":
      return `Pull request #${String(result["number"])} is open.`;
    case "post_comment":
      return "The comment is posted.";
    case "create_sub_issue":
      return `Issue #${String(result["number"])} is a part of yours and a draft. It begins after finalize_plan.`;
    case "create_blocker_issue":
      return [
        result["state"] === "open"
          ? `Issue #${String(result["number"])} is open and blocks yours. Use report_blocked with it when nothing else is left to do.`
          : `Issue #${String(result["number"])} of this title was opened before and is closed: it blocks you no more.`,
        ...(result["labelled"] === false ? ["Its labels are not known here and were not put."] : []),
      ].join(" ");
    default:
      return "Done.";
  }
}

/** The level that kept an effect, or the push of a commit, from leaving; null for one that left or was not done. */
function withheldAt({ result }: Pick<EffectRow, "result">): Level | null {
  const withheld: unknown =
    typeof result === "object" && result !== null ? Reflect.get(result, "withheld") : undefined;
  return LEVELS.find((level) => level === withheld) ?? null;
}
