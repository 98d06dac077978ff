import { LIVE_AGENT_STATES } from "../../domain/agents/agent-record.ts";
import { offerStart } from "../../domain/agents/offer-start.ts";
import { roleForLabel } from "../../domain/agents/role.ts";
import type { LostWindow } from "../../domain/backfill/missed-deliveries.ts";
import { repositoryScope } from "../../domain/breakers/scope.ts";
import { fullName } from "../../domain/kernel/repository.ts";
import type { RepositoryRow } from "../../domain/kernel/rows.ts";
import { moment } from "../../domain/messages/format.ts";
import { allowsRepository } from "../../domain/settings/settings.ts";
import { shutScopes } from "../breakers/shut-scopes.ts";
import { readIssueState } from "../events/issue-state.ts";
import { advance } from "../kernel/advance.ts";
import { issueEffect } from "../kernel/effect-rows.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { labelledIssues, visible } from "../onboarding/welcome.ts";

/**
 * Makes up for webhooks lost in an absence: refreshes every issue with a live agent, including comments of
 * that time, and offers open issues that carry a role's label but never had an agent. Starts nothing, because
 * who set a label and when is unknown. Idempotent after an interruption. Throws `GitHubError`.
 */
export async function catchUp(context: EngineContext, lost: LostWindow): Promise<void> {
  for (const repository of await readable(context)) await readAgain(context, repository, lost);
  context.changed();
}

async function readAgain(context: EngineContext, repository: RepositoryRow, lost: LostWindow): Promise<void> {
  const { store, clock, log } = context;
  const { id: repositoryId } = repository;
  const offers = await offerLabelled(context, repository, lost);
  const live = await store.records.issues("agent", { repositoryId, state: LIVE_AGENT_STATES });
  const issues = live.map(({ issue }) => issue);
  const at = clock.now();
  const inputs = { ...lost, issues: issues.length, offers };
  await store.transaction(async (tables) => {
    await tables.effects.add(
      issues.map((issue) => ({
        ...issueEffect({ repositoryId, issue, effect: { kind: "look_at_issue", lost }, at }),
        key: `catch-up:${lost.since}:${repositoryId}#${issue}`,
      })),
    );
    await tables.decisions.add({
      at,
      repositoryId,
      issue: 0,
      agentId: null,
      delivery: null,
      rule: "caught_up",
      reason: `webhooks from ${moment(lost.since)} to ${moment(lost.until)} are lost; ${issues.length} issues with agents are read again, ${offers} labelled ones were offered`,
      change: null,
      inputs,
    });
  });
  log.warn(
    { repository: fullName(repository), ...inputs },
    "webhooks lost: GitHub cannot redeliver them; issues are read again",
  );
}

async function readable({ store, settings }: EngineContext): Promise<readonly RepositoryRow[]> {
  const shut = await shutScopes(store);
  return (await store.repositories.all()).filter(
    (one) => allowsRepository(settings, fullName(one)) && !shut.has(repositoryScope(one.id)),
  );
}

/** Returns the number of issues that were offered. */
async function offerLabelled(
  context: EngineContext,
  repository: RepositoryRow,
  { since }: LostWindow,
): Promise<number> {
  const { clock } = context;
  const at = clock.now();
  let offers = 0;
  // A repository that is no longer accessible must not stop the others from being read, now or in a later
  // sweep.
  for (const { issue, label } of (await visible(context, labelledIssues(context, repository))) ?? []) {
    const role = roleForLabel(context.settingsOf(repository.id).roles, label);
    const view = await readIssueState(context, repository, issue.number);
    if (role === undefined || view.agents.length > 0) continue;
    const why = `the issue carries \`${label}\`, which may have been put while Flotilla was away`;
    await advance(context, {
      at,
      repositoryId: repository.id,
      issue: issue.number,
      delivery: null,
      name: `catch-up-${since}`,
      changes: offerStart(role, view, { issue, at, actor: "flotilla", why }),
    });
    offers += 1;
  }
  return offers;
}
