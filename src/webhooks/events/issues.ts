import { z } from "zod";
import { isCoder, roleForLabel } from "../../domain/agents/role.ts";
import { isGoalLabel } from "../../domain/planning/plan.ts";
import { isStateLabel } from "../../domain/tasks/state-label.ts";
import { accountShape, issueShape, labelShape, writtenShape } from "../payload.ts";
import { mergedPull, NO_PULLS, pullsOfPeople } from "../pulls-of-issue.ts";
import { OWN_ACT } from "./own-act.ts";
import { type Ignored, parser, type WebhookParser, type WebhookParsers, withPermission } from "./parsing.ts";

const issueAlone = z.object({ issue: issueShape });
const issueAndLabel = z.object({ issue: issueShape, label: labelShape });

/** GitHub reports only changed fields, with their previous values. */
const from = z.object({ from: writtenShape.nullish() }).optional();

/** Our label follows a recorded move of the task, so another decision would only hide useful ones. */
const OWN_STATE_LABEL: Ignored = { ignored: `${OWN_ACT} label of where the task stands` };

const lock = (locked: boolean): WebhookParser =>
  parser(issueAlone, async ({ issue }, context) => ({
    ...(await withPermission(context)),
    type: "issue_locked",
    issue,
    locked,
  }));

/** Readers of events of the issue itself. */
export const ISSUE_EVENTS = {
  "issues.opened": parser(issueAlone, async ({ issue }, context) => ({
    ...(await withPermission(context)),
    type: "issue_opened",
    issue,
  })),

  /**
   * Reads the author's permission only for labels that start something, and people's pull requests only when
   * they matter.
   */
  "issues.labeled": parser(issueAndLabel, async ({ issue, label }, context) => {
    const { base, own, mayAsk, tools } = context;
    if (own && isStateLabel(label.name)) return OWN_STATE_LABEL;
    const role = roleForLabel(tools.settings.roles, label.name);
    const event = await withPermission(context);
    const begins = role !== undefined || isGoalLabel(label.name);
    const authorPermitted = begins && (await mayAsk(base.repository, issue.author));
    const mayStart = role !== undefined && isCoder(role) && (own ? authorPermitted : event.permitted);
    return {
      ...event,
      type: "issue_labeled",
      issue,
      label: label.name,
      own,
      authorPermitted,
      ...(mayStart ? await pullsOfPeople(tools, mayAsk, base.repository, issue) : NO_PULLS),
    };
  }),

  "issues.unlabeled": parser(issueAndLabel, async ({ issue, label }, context) => {
    if (context.own && isStateLabel(label.name)) return OWN_STATE_LABEL;
    return {
      ...(await withPermission(context)),
      type: "issue_unlabeled",
      issue,
      label: label.name,
      own: context.own,
    };
  }),

  /** Reads whether our pull request was merged, because the two webhooks arrive in any order. */
  "issues.closed": parser(issueAlone, async ({ issue }, context) => ({
    ...(await withPermission(context)),
    type: "issue_closed",
    issue,
    mergedPull: await mergedPull(context.tools, context.base.repository, issue.number),
  })),

  /** Looks for people's pull requests only when the reopening can start something. */
  "issues.reopened": parser(issueAlone, async ({ issue }, context) => {
    const { base, mayAsk, tools } = context;
    const event = await withPermission(context);
    return {
      ...event,
      type: "issue_reopened",
      issue,
      ...(event.permitted ? await pullsOfPeople(tools, mayAsk, base.repository, issue) : NO_PULLS),
    };
  }),

  /** Reads an assignment to a person; one to a bot is ignored. */
  "issues.assigned": parser(
    z.object({ issue: issueShape, assignee: accountShape }),
    async ({ issue, assignee }, context) => {
      if (assignee.type !== "User") return { ignored: `${assignee.login} is not a person` };
      return { ...(await withPermission(context)), type: "issue_assigned", issue, assignee };
    },
  ),

  "issues.edited": parser(
    z.object({ issue: issueShape, changes: z.object({ title: from, body: from }) }),
    async ({ issue, changes: { title, body } }, context) => {
      if (context.own) return { ignored: OWN_ACT };
      return {
        ...(await withPermission(context)),
        type: "issue_edited",
        issue,
        was: {
          title: title?.from ?? issue.title,
          body: body === undefined ? issue.body : (body.from ?? ""),
        },
      };
    },
  ),

  "issues.locked": lock(true),
  "issues.unlocked": lock(false),

  /** The sender does not matter: the issue is gone. */
  "issues.deleted": parser(issueAlone, async ({ issue }, { base }) => ({
    ...base,
    permitted: false,
    type: "issue_gone",
    issue,
    to: null,
  })),

  /** The issue continues elsewhere under another number, where GitHub reports it as a new one. */
  "issues.transferred": parser(
    z.object({
      issue: issueShape,
      changes: z.object({
        new_issue: z.object({ number: z.int().positive() }),
        new_repository: z.object({ full_name: z.string().min(1) }),
      }),
    }),
    async ({ issue, changes }, { base }) => ({
      ...base,
      permitted: false,
      type: "issue_gone",
      issue,
      to: `${changes.new_repository.full_name}#${changes.new_issue.number}`,
    }),
  ),
} satisfies WebhookParsers;
