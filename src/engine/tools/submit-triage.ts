import { z } from "zod";
import { goesAsFarAs } from "../../domain/access/level.ts";
import { GitHubError } from "../../domain/kernel/errors.ts";
import type { EffectRow } from "../../domain/kernel/rows.ts";
import {
  TRIAGE_OUTCOMES,
  TRIAGE_SIZES,
  type TriageOutcome,
  type TriageReference,
  triageComment,
  triageOutcome,
} from "../../domain/planning/triage-outcome.ts";
import type { Tables } from "../../domain/ports/store.ts";
import { sanitizers } from "../../domain/safe-text/sanitizers.ts";
import type { Settings } from "../../domain/settings/settings.ts";
import { repositoryOf } from "../kernel/repository-of.ts";
import { levelOn } from "../outbox/level-guard.ts";
import type { ToolContext } from "../sessions/tool-context.ts";
import { number, text } from "./arguments.ts";
import { commentLimit } from "./comment.ts";
import { defineTool, toolRefusal } from "./define-tool.ts";
import { queueOutput } from "./queue-output.ts";
import { labelsFor, leftOut, toldLeftOut } from "./repository-labels.ts";

/** Labels start work, so they are put only where Flotilla may show work to people. Below, they are suggested. */
const ACTS_FROM = "draft";

export const submitTriage = defineTool({
  name: "submit_triage",
  description:
    "Say once what your issue needs next, after you have searched for others like it. It becomes one comment for people. With ready, the labels are also put on the issue where the level allows it; a label can start another agent's work. Nothing is ever closed.",
  purpose:
    "tell people what an issue needs next; with `ready`, add its labels, which the repository must have, from level `draft` on; counts as a comment",
  schema: z.strictObject({
    outcome: z
      .enum(TRIAGE_OUTCOMES)
      .describe(
        "duplicate_of, being_done_in: another issue or pull request (number). belongs_elsewhere: another place (where). needs_information: people must answer first (questions). ready: work can start (labels, size)",
      ),
    reason: text(2000, "Markdown: why, in at most three sentences"),
    number: number("The other issue or pull request, without #").optional(),
    where: text(200, "The repository, project or place that it belongs to").optional(),
    questions: z
      .array(text(500, "A question that the author can answer"))
      .min(1)
      .max(3)
      .describe("Exactly what is missing")
      .optional(),
    labels: z
      .array(text(50, "Name of a label that the repository has"))
      .max(5)
      .describe("Labels for the issue; empty where none fits")
      .optional(),
    size: z
      .enum(TRIAGE_SIZES)
      .describe("small: one place; medium: some files; large: should be split")
      .optional(),
  }),
  kind: "write",
  terminal: false,
  sanitize: {
    reason: sanitizers.markdown,
    where: sanitizers.line,
    questions: (questions, speaker) => questions.map((one) => sanitizers.line(one, speaker)),
    labels: sanitizers.names,
  },
  run: async (args, given) => {
    const found = triageOutcome(args, given.agent.issue);
    if ("fault" in found) return toolRefusal(found.fault);
    const about = await referred(found, given);
    if (typeof about === "string") return toolRefusal(about);
    const known = await labelsFor(found.outcome === "ready" ? found.labels : [], given);
    if ("fault" in known) return toolRefusal(known.fault);
    const labels = [...known.labels];
    const puts = labels.length > 0 && (await acts(given));
    const name = `${given.agent.name}-triage`;
    const refusal = async ({ tables, settings }: { tables: Pick<Tables, "effects">; settings: Settings }) =>
      (await alreadySaid(tables, given.agent.id, name)) ??
      (await commentLimit(tables, settings, given.agent.id));
    let gone: readonly string[] = [];
    if (puts) {
      // First, so that the comment tells only of labels that are there.
      const answer = await queueOutput(given, {
        effect: () => ({ kind: "add_labels", labels, existing: true }),
        refusal,
        done: (result) => {
          gone = leftOut(labels, result);
          return "";
        },
      });
      if (!answer.ok) return answer;
    }
    const put = puts ? labels.filter((one) => !gone.includes(one)) : [];
    const shown = puts ? { put, gone } : { suggested: labels };
    return queueOutput(given, {
      effect: () => ({ kind: "post_comment", name, body: triageComment(found, about, shown) }),
      refusal,
      done: () =>
        [
          `The comment is posted${put.length > 0 ? ", and the labels are on the issue" : ""}.`,
          toldLeftOut(gone),
        ]
          .join(" ")
          .trim(),
    });
  },
});

/** Returns the issue that the outcome names, null where it names none, or why it cannot be named. */
async function referred(
  found: TriageOutcome,
  { context, agent }: ToolContext,
): Promise<TriageReference | null | string> {
  if (found.outcome !== "duplicate_of" && found.outcome !== "being_done_in") return null;
  try {
    return await context.github.issue(await repositoryOf(context, agent.repositoryId), found.number);
  } catch (error) {
    if (!(error instanceof GitHubError)) throw error;
    return error.code === "not_found"
      ? `This repository has no #${found.number}. Find the right one with search_issues.`
      : `#${found.number} could not be read: ${error.message}`;
  }
}

async function acts({ context, agent }: ToolContext): Promise<boolean> {
  const repository = await repositoryOf(context, agent.repositoryId);
  return goesAsFarAs(await levelOn(context, repository, agent.issue), ACTS_FROM);
}

async function alreadySaid(
  { effects }: Pick<Tables, "effects">,
  agentId: number,
  name: string,
): Promise<string | null> {
  const rows = await effects.find({ agentId, kind: "post_comment" });
  return rows.some((row) => row.state !== "failed" && nameOf(row) === name)
    ? "You have said already what this issue needs. Use report_complete."
    : null;
}

const nameOf = ({ payload }: EffectRow): string => (payload.kind === "post_comment" ? payload.name : "");
