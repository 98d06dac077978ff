import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import { type Account, GHOST } from "../../domain/events/account.ts";
import { OutsideError } from "../../domain/kernel/errors.ts";
import type { RepositoryRow } from "../../domain/kernel/rows.ts";
import { askedBy, coAuthor } from "../../domain/tasks/co-author.ts";
import type { EngineContext } from "../kernel/engine-context.ts";

/** Who begins what nobody asked for, such as a second attempt. */
const SELF = "flotilla";

/**
 * Returns the person who asked for the agent's work, for its commits; null where none did, where their issue does not show the
 * account, and where GitHub does not answer: a commit is made without GitHub, too. Where our own triage began the work, that is
 * the issue's author, whose permission it needed.
 */
export async function coAuthorOf(
  context: Pick<EngineContext, "store" | "github" | "identity" | "log">,
  repository: RepositoryRow,
  agent: AgentRecord,
): Promise<string | null> {
  try {
    return await shownAsker(context, repository, agent);
  } catch (error) {
    if (!(error instanceof OutsideError)) throw error;
    context.log.warn({ agent: agent.name, error: error.message }, "commit without its co-author");
    return null;
  }
}

/** Returns the login of whoever asked for the agent's work, our own App's among them; null for an operator and for nobody. */
export async function askerOf(
  store: Pick<EngineContext["store"], "records" | "transitions">,
  { id: agentId, repositoryId, issue }: AgentRecord,
): Promise<string | null> {
  const agents = await store.records.find("agent", { repositoryId, issue });
  const attempts = agents.filter(({ id, coder }) => coder && id <= agentId);
  const begun = await Promise.all(attempts.map(({ id }) => store.transitions.ofAgent(id)));
  return askedBy(
    begun.flatMap(([first]) => first?.actor ?? []),
    SELF,
  );
}

async function shownAsker(
  { store, github, identity }: Pick<EngineContext, "store" | "github" | "identity">,
  repository: RepositoryRow,
  agent: AgentRecord,
): Promise<string | null> {
  const { issue } = agent;
  const login = await askerOf(store, agent);
  if (login === null) return null;
  const { author } = await github.issue(repository, issue);
  if (login === identity.botLogin) return author.id === GHOST.id ? null : coAuthor(author);
  const named = (account: Account) => account.login === login;
  if (named(author)) return coAuthor(author);
  const events = await github.events(repository, issue);
  const comments = () => github.comments(repository, issue);
  const account =
    events.map(({ actor }) => actor).findLast(named) ??
    (await comments()).map((comment) => comment.author).findLast(named);
  return account === undefined ? null : coAuthor(account);
}
