import { LIVE_AGENT_STATES } from "../domain/agents/agent-record.ts";
import { repositoryScope } from "../domain/breakers/scope.ts";
import {
  type Consequence,
  type Fate,
  fateOf,
  onFate,
  summarizeRepositoryEvent,
} from "../domain/events/on-repository.ts";
import type { RepositoryEvent } from "../domain/events/repository-event.ts";
import { messageOf, StaleSnapshot } from "../domain/kernel/errors.ts";
import type { RepositoryRow } from "../domain/kernel/rows.ts";
import type { Tables } from "../domain/ports/store.ts";
import type { DecidedAct } from "../domain/reporting/persons-act.ts";
import { recordedName } from "../domain/status/person-named.ts";
import { isOpenTask } from "../domain/tasks/task-record.ts";
import { advance, settleDelivery } from "./kernel/advance.ts";
import type { EngineContext } from "./kernel/engine-context.ts";
import { taskOf } from "./kernel/find-records.ts";
import { welcome } from "./onboarding/welcome.ts";

/** How often the decision is repeated when the same records have changed meanwhile. */
const TRIES = 5;

/**
 * Applies an event of whole repositories to each issue that has an agent there; the delivery is done after
 * the last. After an interruption the delivery is handled again, and agents that ended or sleep already are
 * skipped.
 */
export async function handleRepositoryEvent(
  context: EngineContext,
  event: RepositoryEvent,
  claim?: string,
): Promise<void> {
  const { store, clock } = context;
  const all = await concernedRepositories(context, event);
  let issues = 0;
  for (const { repository, fate } of all) {
    await store.repositories.put(repository);
    const was = event.type === "repository_changed" ? event.was : null;
    const by = `@${event.actor.login}`;
    issues += await applyConsequence(context, event, {
      repository,
      consequence: fateOf(fate, { repository, settings: context.settings, by, was }),
    });
  }
  if (event.type === "coverage_changed")
    for (const added of event.added) await welcome(context, event, added);
  await store.transaction(async (tables) => {
    await tables.decisions.add(
      closing(event, { repositories: all.map(({ repository }) => repository), issues }),
    );
    await settleDelivery(tables, { delivery: event.delivery, claim, at: clock.now() });
  });
  context.shownHolds.requestRound();
  context.changed();
}

/** Returns the decision about the delivery as a whole; each issue has its own. */
function closing(
  event: RepositoryEvent,
  met: { readonly repositories: readonly RepositoryRow[]; readonly issues: number },
): Parameters<Tables["decisions"]["add"]>[0] {
  const { at, delivery } = event;
  const { rule, reason } = summarizeRepositoryEvent(event, met);
  // Filed under issue 0; `flotilla explain owner/repo#0` shows it.
  const about = { agentId: null, issue: 0, repositoryId: met.repositories[0]?.id ?? null };
  return {
    ...about,
    at,
    delivery,
    rule,
    reason,
    change: null,
    inputs: { ...met, ...pausedBy(event), type: event.type },
  };
}

/** Returns who paused or resumed whole repositories by what they did on GitHub, and which of the two. */
function pausedBy(event: RepositoryEvent): { readonly by?: string; readonly act?: DecidedAct } {
  if (event.type === "coverage_changed" || event.actor.type !== "User") return {};
  const act = PAUSES[event.change];
  return act === undefined ? {} : { by: recordedName(event.actor.login), act };
}

/** What holds all agents of a repository, and what ends that. */
const PAUSES: Readonly<Partial<Record<Fate, DecidedAct>>> = {
  archived: "pause_scope",
  suspended: "pause_scope",
  unarchived: "resume_scope",
  unsuspended: "resume_scope",
};

/** Returns the known repositories that the event concerns, with its consequence. */
async function concernedRepositories(
  { store }: EngineContext,
  event: RepositoryEvent,
): Promise<readonly { readonly repository: RepositoryRow; readonly fate: Fate }[]> {
  if (event.type === "repository_changed") return [{ repository: event.repository, fate: event.change }];
  const installed = await store.repositories.ofInstallation(event.installationId);
  if (event.type === "installation_changed")
    return installed.map((repository) => ({ repository, fate: event.change }));
  return installed
    .filter(({ id }) => event.removed.includes(id))
    .map((repository) => ({ repository, fate: "removed" }));
}

/** Applies the consequence to one repository; returns the number of issues concerned. */
async function applyConsequence(
  context: EngineContext,
  { at, actor }: RepositoryEvent,
  { repository, consequence }: { readonly repository: RepositoryRow; readonly consequence: Consequence },
): Promise<number> {
  const { store } = context;
  const { holder, kind, closes } = consequence;
  const scope = repositoryScope(repository.id);
  // Paused before the agents move, so that no agent starts from here on.
  if (kind === "hold" && holder !== null)
    await store.scopePauses.add({ scope, holder, by: `@${actor.login}`, reason: null, since: at });
  if (kind === "go_on" && holder !== null) await store.scopePauses.lift(scope, holder);
  const live = await store.records.find("agent", { repositoryId: repository.id, state: LIVE_AGENT_STATES });
  const tasks = closes ? await store.records.find("task", { repositoryId: repository.id }) : [];
  const issues = new Set([...live, ...tasks.filter(isOpenTask)].map(({ issue }) => issue));
  if (kind === "end")
    await context.worktrees.dropSetups(repository.id).catch((error: unknown) => {
      context.log.warn({ repository: repository.name, error: messageOf(error) }, "kept setups not deleted");
    });
  for (const issue of issues)
    await applyToIssue(context, { repositoryId: repository.id, issue, at, actor: actor.login, consequence });
  return issues.size;
}

async function applyToIssue(
  context: EngineContext,
  met: {
    readonly repositoryId: number;
    readonly issue: number;
    readonly at: number;
    readonly actor: string;
    readonly consequence: Consequence;
  },
): Promise<void> {
  const { store } = context;
  const { repositoryId, issue, at, actor, consequence } = met;
  for (let tried = 1; ; tried += 1)
    try {
      const agents = await store.records.find("agent", { repositoryId, issue });
      const task = (await taskOf(store, repositoryId, issue)) ?? null;
      const changes = onFate(consequence, { agents, task, at, actor });
      const gone = consequence.kind === "end";
      await advance(context, { at, repositoryId, issue, delivery: null, name: null, changes, gone });
      return;
    } catch (error) {
      if (!(error instanceof StaleSnapshot) || tried === TRIES) throw error;
    }
}
