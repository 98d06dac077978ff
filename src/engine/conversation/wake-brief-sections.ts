import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import { allowanceOf } from "../../domain/breakers/allowance.ts";
import { leftWords } from "../../domain/breakers/limit-warning.ts";
import { limitsFor } from "../../domain/breakers/limits.ts";
import { type Command, readComment } from "../../domain/commands/command.ts";
import { numberAndWords } from "../../domain/commands/extension-of.ts";
import { wakesMessage } from "../../domain/conversation/prompts.ts";
import {
  checksText,
  commentsText,
  newCommitsText,
  reviewCommentsText,
} from "../../domain/conversation/wake-brief-sections.ts";
import { messageOf } from "../../domain/kernel/errors.ts";
import type { RepositoryRow, WakeRow } from "../../domain/kernel/rows.ts";
import { commentPlace, type PictureSource } from "../../domain/pictures/picture-links.ts";
import type { GitHubComment } from "../../domain/ports/github.ts";
import { baseOf } from "../kernel/base-of.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { repositoryOf } from "../kernel/repository-of.ts";
import { withTimeLimit } from "../outbox/with-time-limit.ts";
import { worktreeOf } from "../tasks/worktree-of.ts";
import { trusted } from "./may-be-read.ts";

/** Number of earlier wakes whose comments are not repeated. */
const TOLD_BEFORE = 50;

/** A wake waits at most this long for each part of its brief; a slower part counts as unreadable. */
const MOST_MS = 10_000;

/** The agent whose wake brief is written. */
interface Waking {
  readonly agent: AgentRecord;
  readonly repository: RepositoryRow;
  /** When the agent went to sleep. */
  readonly since: number;
  /** Wakes that the agent has read or reads now. */
  readonly told: readonly WakeRow[];
  /** Is given the comments that are shown, for their pictures. */
  readonly pictures: PictureSource[];
}

/**
 * Returns what is new since the agent went to sleep, read now, most important first. A part that cannot be
 * read says so and delays nothing.
 */
export async function wakeBriefSections(
  context: EngineContext,
  agent: AgentRecord,
  {
    since,
    wakes,
    base,
    pictures,
  }: Pick<Waking, "since" | "pictures"> & {
    readonly wakes: readonly WakeRow[];
    readonly base: Promise<string | null>;
  },
): Promise<readonly string[]> {
  const repository = await repositoryOf(context, agent.repositoryId);
  const told = [...(await context.store.wakes.delivered(agent.id, TOLD_BEFORE)), ...wakes];
  const waking: Waking = { agent, repository, since, told, pictures };
  const parts = await Promise.all([
    part(context, agent, "The checks", () => checks(context, waking)),
    part(context, agent, "The comments on lines", () => reviewComments(context, waking)),
    part(context, agent, "The comments", () => comments(context, waking)),
    base,
  ]);
  return [budget(context, agent), ...parts].filter((text) => text !== null);
}

/**
 * Returns what people wrote after an attempt stopped, as messages to us or otherwise, and no working agent
 * has read. A later attempt reads it in its first message, as does an agent whose conversation could not be
 * opened before.
 */
export async function readCommentsSince(
  context: EngineContext,
  agent: AgentRecord,
  { since, wakes, pictures }: Pick<Waking, "since" | "pictures"> & { readonly wakes: readonly WakeRow[] },
): Promise<readonly string[]> {
  const repository = await repositoryOf(context, agent.repositoryId);
  const read = await part(context, agent, "The comments", async () => {
    const said = await commentsIn(context, { agent, repository });
    const fresh = newOnes(context, { agent, repository, since, told: wakes, pictures }, said);
    const { shown, hidden } = await trusted(context, repository, fresh);
    pictures.push(...sources(shown));
    const parts = shown.map((comment) => ({ comment, ...readComment(comment.body, context.identity.slug) }));
    const messages = parts.filter(
      ({ command, mention }) => hasWords(command) || (command === null && mention),
    );
    const talk = parts.filter((one) => !addressed(one));
    const told = messages.map(({ comment: { author, url, body } }) => {
      return { reason: "message" as const, detail: `@${author.login} says (${url}):\n\n${body}` };
    });
    const texts = [
      told.length === 0 ? null : wakesMessage(told),
      commentsText(
        talk.map(({ comment }) => comment),
        hidden,
      ),
    ].filter((text) => text !== null);
    return texts.length === 0 ? null : texts.join("\n\n");
  });
  return read === null ? [] : [read];
}

/** Returns what the base branch has that the agent's work lacks; null for nothing. Never rejects. */
export function readBaseNews(context: EngineContext, agent: AgentRecord): Promise<string | null> {
  return part(context, agent, "The base branch", async () => {
    const ref = await worktreeOf(context, agent);
    if (ref === null || ref.branch === null) return null;
    const branch = await baseOf(context.store, await repositoryOf(context, agent.repositoryId), agent.issue);
    return newCommitsText(branch, await context.worktrees.behind(ref, branch));
  });
}

async function part(
  context: EngineContext,
  agent: AgentRecord,
  what: string,
  read: () => Promise<string | null>,
): Promise<string | null> {
  try {
    return await withTimeLimit(context.clock, MOST_MS, read());
  } catch (error) {
    const said = messageOf(error);
    context.log.warn({ error: said, agent: agent.name, what }, "part of a wake brief not read");
    return `${what} could not be read (${said.slice(0, 200)}): look yourself.`;
  }
}

function budget(context: EngineContext, agent: AgentRecord): string | null {
  const role = context.roleOf(agent);
  if (role === undefined) return null;
  const now = context.clock.now();
  const activeMs = agent.activeMs + now - (agent.activeSince ?? now);
  const allowance = allowanceOf(limitsFor(context.settingsOf(agent.repositoryId), role), agent);
  return `Left of your budget: ${leftWords({ ...agent, activeMs }, allowance)}.`;
}

async function checks(context: EngineContext, { agent, repository, since }: Waking): Promise<string | null> {
  if (agent.prNumber === null) return null;
  const { headSha } = await context.github.pullRequest(repository, agent.prNumber);
  return checksText(await context.github.checks(repository, headSha), since);
}

/** Returns the comments on the issue and in the conversation of its pull request. */
async function commentsIn(
  { github }: EngineContext,
  { agent, repository }: Pick<Waking, "agent" | "repository">,
): Promise<readonly GitHubComment[]> {
  const places = agent.prNumber === null ? [agent.issue] : [agent.issue, agent.prNumber];
  return (await Promise.all(places.map((number) => github.comments(repository, number)))).flat();
}

async function comments(context: EngineContext, waking: Waking): Promise<string | null> {
  const { repository } = waking;
  const said = await commentsIn(context, waking);
  // A comment addressed to us arrives as a message or act of its own, perhaps after this read.
  const talk = said.filter(({ body }) => !addressed(readComment(body, context.identity.slug)));
  const { shown, hidden } = await trusted(context, repository, newOnes(context, waking, talk));
  waking.pictures.push(...sources(shown));
  return commentsText(shown, hidden);
}

async function reviewComments(context: EngineContext, waking: Waking): Promise<string | null> {
  const { agent, repository } = waking;
  if (agent.prNumber === null) return null;
  const said = await context.github.reviewComments(repository, agent.prNumber);
  const { shown, hidden } = await trusted(context, repository, newOnes(context, waking, said));
  return reviewCommentsText(shown, hidden);
}

function sources(shown: readonly GitHubComment[]): readonly PictureSource[] {
  return shown.flatMap(({ url, body }) => {
    const place = commentPlace(url);
    return place === null ? [] : [{ place, text: body }];
  });
}

/** Returns whether the command carries text for the agent. */
function hasWords(command: Command | null): boolean {
  switch (command?.verb) {
    case "retry":
    case "answer":
      return command.rest !== "";
    case "resume":
    case "continue":
      return numberAndWords(command.rest).words !== "";
    default:
      return false;
  }
}

function addressed({ command, mention }: ReturnType<typeof readComment>): boolean {
  return mention || command !== null;
}

/** Returns the later comments by others that no wake has carried. GitHub's times are whole seconds. */
function newOnes<Comment extends GitHubComment>(
  context: EngineContext,
  { since, told }: Waking,
  said: readonly Comment[],
): readonly Comment[] {
  const from = Math.floor(since / 1000) * 1000;
  return said.filter(
    ({ author, createdAt, url }) =>
      author.id !== context.identity.botId &&
      Date.parse(createdAt) >= from &&
      !told.some(({ detail }) => detail.includes(`(${url})`)),
  );
}
