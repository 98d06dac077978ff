import { z } from "zod";
import { startRole } from "../../domain/agents/start-role.ts";
import { GitHubError } from "../../domain/kernel/errors.ts";
import type { EffectRow } from "../../domain/kernel/rows.ts";
import type { GitHubIssue } from "../../domain/ports/github.ts";
import { scheduledBody } from "../../domain/schedules/schedule.ts";
import { withBlockers } from "../blockers/blockers.ts";
import { readIssueState } from "../events/issue-state.ts";
import type { Executor } from "../outbox/execution.ts";
import { withoutForbiddenStarts } from "../settings/repository-limits.ts";

/** The issue that a time opened, or that kept it from opening one. */
const opened = z.union([
  z.looseObject({ number: z.int() }),
  z.looseObject({ open: z.int() }).transform(({ open }) => ({ number: open })),
]);

/**
 * Opens the issue of a schedule, or adopts the one that carries its name, and starts the role there. Opens none while the
 * one before is open: its work is not done.
 */
export const openScheduled: Executor<"open_scheduled"> = async ({ context, repository, effect, row }) => {
  const { store, github, clock, log, settings } = context;
  const { schedule: name, first } = effect;
  if (first === true) return { result: null };
  const schedule = settings.schedules[name];
  const role = schedule && context.settingsOf(repository.id).roles.get(schedule.role);
  if (schedule === undefined || role === undefined)
    return { result: { skipped: "it is configured no more" } };
  const before = lastOpened(await store.effects.find({ lane: row.lane, state: "done" }));
  if (before !== null && (await isOpen(() => github.issue(repository, before)))) {
    log.info(
      { schedule: name, repository: repository.id, issue: before },
      "schedule skipped: the issue before is open",
    );
    return { result: { skipped: `#${before} is open`, open: before } };
  }
  const body = scheduledBody(name, schedule);
  const issue = await github.createIssue(repository, { key: row.key, title: schedule.title, body });
  const view = await readIssueState(context, repository, issue.number);
  const result = { number: issue.number };
  // An earlier try may have started it, but what the webhook of the new issue started, such as a triage, is no start of it.
  if (view.newestTask !== null || view.agents.some((agent) => agent.role === role.name)) return { result };
  const cause = { at: clock.now(), actor: "flotilla", issue, personPull: null };
  const permitted = await withoutForbiddenStarts(context, repository, startRole(role, view, cause));
  return { result, changes: await withBlockers(context, repository, issue.number, permitted) };
};

function lastOpened(rows: readonly EffectRow[]): number | null {
  return (
    rows
      .map(({ result }) => opened.safeParse(result).data?.number)
      .findLast((number) => number !== undefined) ?? null
  );
}

/** Returns false for an issue that no longer exists. */
async function isOpen(read: () => Promise<GitHubIssue>): Promise<boolean> {
  try {
    return (await read()).state === "open";
  } catch (error) {
    if (error instanceof GitHubError && error.code === "not_found") return false;
    throw error;
  }
}
