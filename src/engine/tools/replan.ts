import { z } from "zod";
import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import type { ChangeSet, IssueState } from "../../domain/kernel/change-set.ts";
import { GitHubError, messageOf } from "../../domain/kernel/errors.ts";
import { fullName } from "../../domain/kernel/repository.ts";
import type { RepositoryRow } from "../../domain/kernel/rows.ts";
import { rescopesTask, supersedesTask } from "../../domain/planning/sub-issue.ts";
import type { ToolAnswer } from "../../domain/ports/agent-runtime.ts";
import type { GitHubIssue } from "../../domain/ports/github.ts";
import { sanitizers } from "../../domain/safe-text/sanitizers.ts";
import { readIssueState } from "../events/issue-state.ts";
import { advance } from "../kernel/advance.ts";
import { advanceHolder } from "../kernel/advance-agent.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { repositoryOf } from "../kernel/repository-of.ts";
import { draftPartsOf } from "../planning/sub-issues.ts";
import { number, text } from "./arguments.ts";
import { defineTool, toolRefusal, toolSuccess } from "./define-tool.ts";

const OVER = toolRefusal("Your period is over; nothing was done.");

/** Releases all drafts of the planner at once; they start in the order of their dependencies. */
export const finalizePlan = defineTool({
  name: "finalize_plan",
  description:
    "Finish the plan: the sub-issues that you have opened stop being drafts and start in their order. Call it once, when the plan is complete.",
  purpose: "end the draft state of the sub-issues, which then begin in their order",
  schema: z.strictObject({}),
  kind: "write",
  terminal: false,
  sanitize: {},
  run: async (_args, { context, agent }) => {
    const open = { agentId: agent.id, kind: "create_sub_issue", state: ["pending", "leased"] } as const;
    if ((await context.store.effects.find(open)).length > 0)
      return toolRefusal(
        "A sub-issue is still being opened. Look with check_for_events or read_issue, then try again.",
      );
    const drafts = await draftPartsOf(context.store, agent);
    if (drafts.length === 0) return toolRefusal("None of the sub-issues that you have opened is a draft.");
    const at = context.clock.now();
    const { fenced } = await advanceHolder(context, agent, {
      moves: drafts.map(({ id }) => ({
        machine: "task",
        id,
        event: { type: "FINALIZE", at, actor: "agent" },
      })),
    });
    const numbers = drafts.map(({ issue }) => `#${issue}`).join(", ");
    return fenced ? OVER : toolSuccess(`The plan is final: ${numbers} begin in their order.`);
  },
});

export const rescopeTask = defineTool({
  name: "rescope_task",
  description:
    "Have a blocked task of your issue or of one of its sub-issues tried again. The new attempt reads your reason. Edit nothing yourself: say what must be done differently.",
  purpose: "have a blocked task of the agent's own issue, or of a sub-issue, tried differently",
  schema: z.strictObject({
    issue: number("Number of the issue, without #"),
    reason: text(2000, "What is to be done otherwise, and why that helps"),
  }),
  kind: "write",
  terminal: false,
  sanitize: { reason: sanitizers.markdown },
  run: ({ issue, reason }, { context, agent }) => {
    const why = `${agent.name} rescoped it: ${reason}`;
    return replanned(context, agent, issue, ({ view, facts, when }) => ({
      changes: rescopesTask(view, { ...when, issue: facts, why }),
      said: `#${issue} is free again; a new attempt takes it as soon as it can.`,
    }));
  },
});

export const supersedeTask = defineTool({
  name: "supersede_task",
  description:
    "Give up a blocked task of your issue or of one of its sub-issues because another open issue takes its place. This cannot be undone.",
  purpose: "replace a blocked task of the agent's own issue, or of a sub-issue, by another issue",
  schema: z.strictObject({
    issue: number("Number of the issue that is given up, without #"),
    by: number("Number of the open issue that takes its place, without #"),
    reason: text(2000, "Why that one takes its place"),
  }),
  kind: "write",
  terminal: false,
  sanitize: { reason: sanitizers.markdown },
  run: async ({ issue, by, reason }, { context, agent }) => {
    if (issue === by) return toolRefusal("An issue does not take its own place.");
    return replanned(context, agent, issue, async ({ view, repository, when }) => {
      const other = await context.github.issue(repository, by);
      if (other.state === "closed") return { fault: `#${by} is closed.` };
      return {
        changes: supersedesTask(view, { ...when, by, reason, planner: agent }),
        said: `#${issue} is given up; #${by} takes its place.`,
      };
    });
  },
});

interface Found {
  readonly repository: RepositoryRow;
  readonly view: IssueState;
  readonly facts: GitHubIssue;
  readonly when: { readonly at: number; readonly actor: string };
}
type Planned = { readonly changes: ChangeSet; readonly said: string } | { readonly fault: string };

/** Applies a planner's act on a blocked task of its own issue or a sub-issue, while its period lasts. */
async function replanned(
  context: EngineContext,
  agent: AgentRecord,
  issue: number,
  plan: (found: Found) => Planned | Promise<Planned>,
): Promise<ToolAnswer> {
  try {
    const repository = await repositoryOf(context, agent.repositoryId);
    const home = fullName(repository).toLowerCase();
    const parent = issue === agent.issue ? null : await context.github.parentOf(repository, issue);
    const mine = parent?.number === agent.issue && parent.repository.toLowerCase() === home;
    if (issue !== agent.issue && !mine) return toolRefusal(`#${issue} is not a sub-issue of your issue.`);
    const facts = await context.github.issue(repository, issue);
    const view = await readIssueState(context, repository, issue);
    if (view.task?.state !== "BLOCKED")
      return toolRefusal(
        `The task of #${issue} is ${view.task?.state ?? "missing"}; only a blocked one is replanned.`,
      );
    const at = context.clock.now();
    const planned = await plan({ repository, view, facts, when: { at, actor: "agent" } });
    if ("fault" in planned) return toolRefusal(planned.fault);
    const { fenced } = await advance(context, {
      at,
      repositoryId: repository.id,
      issue,
      delivery: null,
      name: `replanned-${view.task.id}-${view.task.version}`,
      changes: planned.changes,
      holder: { agentId: agent.id, token: agent.token },
    });
    return fenced ? OVER : toolSuccess(planned.said);
  } catch (error) {
    if (!(error instanceof GitHubError)) throw error;
    return toolRefusal(`GitHub could not be asked (${messageOf(error)}). Try again.`);
  }
}
