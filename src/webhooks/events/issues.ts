import { z } from "zod";
import { isCoder, roleForLabel } from "../../domain/agents/role.ts";
import { isGoalLabel } from "../../domain/planning/plan.ts";
import { isStateLabel } from "../../domain/tasks/state-label.ts";
import { accountShape, issueShape, labelShape, writtenShape } from "../payload.ts";
import { mergedPull, NO_PULLS, pullsOfPeople } from "../pulls-of-issue.ts";
import { type Ignored, parser, type WebhookParser, type WebhookParsers, withPermission } from "./parsing.ts";

const issueAlone = z.object({ issue: issueShape });
const issueAndLabel = z.object({ issue: issueShape, label: labelShape });

/** GitHub gives only what was changed, as it was. */
const from = z.object({ from: writtenShape.nullish() }).optional();

/** Our label follows a task whose move is on record: to note it again would bury what is worth telling. */
const OWN_STATE_LABEL: Ignored = { ignored: "it is our own label of where the task stands" };

const lock = (locked: boolean): WebhookParser =>
  parser(issueAlone, async ({ issue }, context) => ({
    ...(await withPermission(context)),
    type: "issue_locked",
    issue,
    locked,
  }));

/** What happens to an issue itself. */
export const ISSUE_EVENTS = {
  "issues.opened": parser(issueAlone, async ({ issue }, context) => ({
    ...(await withPermission(context)),
    type: "issue_opened",
    issue,
  })),

  /** The author's permission is asked for labels that begin something; a person's pull request only when it can matter. */
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

  /** Asks whether our pull request was merged, since the two webhooks come in any order. */
  "issues.closed": parser(issueAlone, async ({ issue }, context) => ({
    ...(await withPermission(context)),
    type: "issue_closed",
    issue,
    mergedPull: await mergedPull(context.tools, context.base.repository, issue.number),
  })),

  /** A person's pull request is looked for only where the reopening can start something. */
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

  /** A person took the issue over; a bot that was assigned is no person. */
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
      if (context.own) return { ignored: "it is our own" };
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

  /** Who did it does not matter: the issue is no longer there. */
  "issues.deleted": parser(issueAlone, async ({ issue }, { base }) => ({
    ...base,
    permitted: false,
    type: "issue_gone",
    issue,
    to: null,
  })),

  /** The issue continues elsewhere under another number; GitHub tells of it there as of a new one. */
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
