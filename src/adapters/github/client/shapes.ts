import { z } from "zod";
import { type Account, accountType, GHOST } from "../../../domain/events/account.ts";
import type {
  GitHubComment,
  GitHubEvent,
  GitHubIssue,
  GitHubReaction,
  GitHubRepository,
  RelatedIssue,
} from "../../../domain/ports/github.ts";

/**
 * Shapes of the fields that we use, and of no others; each converts to our own terms. Fields are optional and nullable
 * as GitHub documents them; accounts and repositories may always be missing. An unknown value is not an error if there
 * is a safe interpretation of it.
 */

/** ISO 8601, with seconds. */
export const momentShape = z.iso.datetime({ offset: true });

/** An unknown state is an error: it must not count as closed. */
export const stateShape = z.enum(["open", "closed"]);

export const textShape = z
  .string()
  .nullish()
  .transform((text) => text ?? "");

const personShape = z
  .object({ id: z.int(), login: z.string().min(1), type: z.string().optional() })
  .transform(({ id, login, type }): Account => ({ id, login, type: accountType(type) }));

/** The account; GitHub's ghost in place of one that was deleted. */
export const accountShape = personShape.nullish().transform((account) => account ?? GHOST);

export const accountsShape = z
  .array(personShape.nullable())
  .nullish()
  .transform((accounts) => (accounts ?? []).filter((account) => account !== null));

/** Anything with an id and its own page. */
export const linkedShape = z
  .object({ id: z.int(), html_url: z.string() })
  .transform(({ id, html_url: url }) => ({ id, url }));

export const idShape = z.object({ id: z.int() });
export const shaShape = z.object({ sha: z.string().min(1) });

export const reactionShape = z
  .object({ content: z.string(), user: accountShape })
  .transform(({ content, user }): GitHubReaction => ({ content, user }));

export const repositoryShape = z
  .object({
    id: z.int(),
    full_name: z.string().min(1),
    default_branch: z.string().min(1),
    private: z.boolean(),
    archived: z.boolean(),
  })
  .transform(
    (raw): GitHubRepository => ({
      id: raw.id,
      fullName: raw.full_name,
      defaultBranch: raw.default_branch,
      private: raw.private,
      archived: raw.archived,
    }),
  );

/** GitHub returns a label as its name or as an object, whose name may be missing. */
const labelShape = z.union([z.string(), z.object({ name: z.string().nullish() })]);

const milestoneShape = z
  .object({ number: z.int(), title: z.string(), due_on: z.string().nullish() })
  .transform(({ number, title, due_on: dueOn }) => ({ number, title, dueOn: dueOn ?? null }));

export const issueShape = z
  .object({
    id: z.int(),
    number: z.int(),
    title: z.string(),
    body: textShape,
    state: stateShape,
    state_reason: z.string().nullish(),
    labels: z.array(labelShape),
    assignees: accountsShape,
    user: accountShape,
    locked: z.boolean(),
    pull_request: z.object({}).nullish(),
    milestone: milestoneShape.nullish(),
    html_url: z.string(),
  })
  .transform(
    (raw): GitHubIssue => ({
      id: raw.id,
      number: raw.number,
      title: raw.title,
      body: raw.body,
      state: raw.state,
      stateReason: raw.state_reason ?? null,
      labels: raw.labels.flatMap((label) => (typeof label === "string" ? label : (label.name ?? []))),
      assignees: raw.assignees,
      author: raw.user,
      locked: raw.locked,
      isPullRequest: Boolean(raw.pull_request),
      milestone: raw.milestone ?? null,
      url: raw.html_url,
    }),
  );

/** Its repository is in its address: `…/repos/owner/name`. */
export const relatedShape = z
  .object({ repository_url: z.string().regex(/[^/]\/[^/]+$/), number: z.int(), state: stateShape })
  .transform(
    ({ repository_url: url, number, state }): RelatedIssue => ({
      repository: url.split("/").slice(-2).join("/"),
      number,
      state,
    }),
  );

export const commentShape = z
  .object({
    id: z.int(),
    body: textShape,
    user: accountShape,
    created_at: momentShape,
    html_url: z.string(),
  })
  .transform(
    (raw): GitHubComment => ({
      id: raw.id,
      body: raw.body,
      author: raw.user,
      createdAt: raw.created_at,
      url: raw.html_url,
    }),
  );

/**
 * The actor of an assignment is the assignee; `assigner` is who did it. An event without a label or assignee lacks the
 * field.
 */
export const eventShape = z
  .object({
    id: z.int(),
    event: z.string(),
    actor: accountShape,
    assigner: personShape.nullish(),
    created_at: momentShape,
    label: z.object({ name: z.string().nullish() }).nullish(),
    assignee: personShape.nullish(),
    commit_id: z.string().nullish(),
  })
  .transform(
    (raw): GitHubEvent => ({
      id: raw.id,
      event: raw.event,
      actor: raw.assigner === undefined ? raw.actor : (raw.assigner ?? GHOST),
      createdAt: raw.created_at,
      label: raw.label?.name ?? null,
      assignee: raw.assignee === undefined ? null : (raw.assignee ?? GHOST),
      commit: raw.commit_id ?? null,
    }),
  );
