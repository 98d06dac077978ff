import { type AgentRecord, isLive } from "../agents/agent-record.ts";
import type { ScopeHolder } from "../breakers/scope.ts";
import { pauseLift } from "../breakers/scope.ts";
import type { DecisionRule } from "../decisions/rules.ts";
import { type ChangeSet, decisionOnly, type Move, mergeChanges, NO_CHANGES } from "../kernel/change-set.ts";
import { fullName, type RepositoryRef } from "../kernel/repository.ts";
import { allowsRepository, type Settings } from "../settings/settings.ts";
import { isOpenTask, type TaskRecord } from "../tasks/task-record.ts";
import type { RepositoryChange, RepositoryEvent } from "./repository-event.ts";

/** What happened to a repository: an act on GitHub itself, or a change of the App's access to it. */
export type Fate = RepositoryChange | "removed" | "uninstalled" | "suspended" | "unsuspended";

/** What that means for all agents of the repository. */
export interface Consequence {
  /**
   * `end`: they are cancelled, nothing more is written there, the work is kept. `hold`: those at work are put to sleep
   * and nothing starts. `go_on`: held agents are offered again. `note`: nothing changes for them.
   */
  readonly kind: "end" | "hold" | "go_on" | "note";
  /**
   * The pause of the scope that a `hold` creates or a `go_on` removes; null where the repository's own state is enough.
   */
  readonly holder: ScopeHolder | null;
  /** The issues no longer exist either. */
  readonly closes: boolean;
  readonly rule: DecisionRule;
  readonly reason: string;
  readonly change: string | null;
}

const PLAIN = { holder: null, closes: false, change: null };

/**
 * Returns the consequence of an event. `by` as people write it; `was` = the name before, null when it did not change.
 */
export function fateOf(
  fate: Fate,
  {
    repository,
    settings,
    by,
    was,
  }: {
    readonly repository: Pick<RepositoryRef, "owner" | "name">;
    readonly settings: Pick<Settings, "repositories" | "sandbox">;
    readonly by: string;
    readonly was: string | null;
  },
): Consequence {
  const name = fullName(repository);
  switch (fate) {
    case "renamed":
    case "transferred": {
      const reason = `${by} ${fate} the repository${was === null ? "" : ` ${was}`} to ${name}`;
      if (allowsRepository(settings, name)) return { ...PLAIN, kind: "note", rule: fate, reason };
      return {
        ...PLAIN,
        kind: "end",
        rule: "not_listed",
        reason: `${reason}, which is not on the list of repositories in the configuration`,
        change: `add ${name} to \`repositories\`, restart, and say \`/flotilla start\``,
      };
    }
    case "archived":
    case "suspended": {
      const reason =
        fate === "archived"
          ? `${by} archived the repository`
          : `${by} suspended the App's installation on ${name}`;
      const change = pauseLift({ scope: "repository:0", holder: fate, reason: null });
      return { ...PLAIN, kind: "hold", holder: fate, rule: fate, reason, change };
    }
    case "publicized":
      if (settings.sandbox.mode !== "none")
        return { ...PLAIN, kind: "note", rule: fate, reason: `${by} made the repository public` };
      return {
        ...PLAIN,
        kind: "hold",
        rule: "public_unconfined",
        reason: `${by} made the repository public, and agents run unconfined (sandbox.mode is none)`,
        change: "make the repository private",
      };
    case "unarchived":
      return {
        ...PLAIN,
        kind: "go_on",
        holder: "archived",
        rule: fate,
        reason: `${by} unarchived the repository`,
      };
    case "unsuspended":
      return {
        ...PLAIN,
        kind: "go_on",
        holder: "suspended",
        rule: fate,
        reason: `${by} unsuspended the App's installation`,
      };
    case "privatized":
      return { ...PLAIN, kind: "go_on", rule: fate, reason: `${by} made the repository private` };
    case "deleted":
      return {
        ...PLAIN,
        kind: "end",
        closes: true,
        rule: "repository_deleted",
        reason: `${by} deleted the repository ${name}`,
        change: "nothing: its work is kept where Flotilla runs",
      };
    case "removed":
    case "uninstalled":
      return {
        ...PLAIN,
        kind: "end",
        rule: fate,
        reason:
          fate === "removed"
            ? `${by} took ${name} away from the App's installation`
            : `${by} uninstalled the App from ${name}`,
        change: "install the App there again, and say `/flotilla start`",
      };
  }
}

/** Returns a summary of what the event affected, even if it affected nobody. */
export function summarizeRepositoryEvent(
  event: RepositoryEvent,
  met: { readonly repositories: readonly Pick<RepositoryRef, "owner" | "name">[]; readonly issues: number },
): { readonly rule: DecisionRule; readonly reason: string } {
  const names = met.repositories.map(fullName).join(", ") || "no repository that we know";
  const came = event.type === "coverage_changed" ? event.added.map(fullName) : [];
  const what = event.type === "coverage_changed" ? "removed" : event.change;
  const parts = [
    ...(came.length > 0 ? [`the App came to ${came.join(", ")}`] : []),
    ...(came.length > 0 && met.repositories.length === 0
      ? []
      : [`${what}: ${names}, ${met.issues} issues with agents`]),
  ];
  return { rule: event.type, reason: `@${event.actor.login}: ${parts.join("; ")}` };
}

/** Returns the consequence for one issue of the repository that has live agents or an open task. */
export function onFate(
  consequence: Consequence,
  {
    agents,
    task,
    at,
    actor,
  }: {
    readonly agents: readonly AgentRecord[];
    readonly task: TaskRecord | null;
    readonly at: number;
    readonly actor: string;
  },
): ChangeSet {
  const { kind, rule, reason, change, closes } = consequence;
  const noted = decisionOnly(rule, reason, change === null ? {} : { change });
  const live = agents.filter(isLive);
  if (kind === "end") {
    const moves = live.map(
      ({ id }): Move => ({
        machine: "agent",
        id,
        event: { type: "CANCEL", at, actor, why: reason, quiet: true, gone: true },
      }),
    );
    const closed: readonly Move[] =
      closes && task !== null && isOpenTask(task)
        ? [{ machine: "task", id: task.id, event: { type: "OBSERVED_CLOSED", at, actor, why: reason } }]
        : [];
    // The agents first: a cancelled coder releases a task that it still holds.
    return mergeChanges({ ...NO_CHANGES, moves: [...moves, ...closed] }, noted);
  }
  if (kind !== "hold") return noted;
  const active = live.filter(({ state }) => state === "ACTIVE");
  return mergeChanges(
    {
      ...NO_CHANGES,
      moves: active.map(({ id }) => ({
        machine: "agent",
        id,
        event: { type: "PAUSE", at, actor, holder: null, why: reason },
      })),
      // Delivered once nothing holds the agent.
      wakes: active.map(({ id, token }) => ({
        key: `scope:${id}:${token}`,
        agentId: id,
        reason: "resumed",
        detail: `the pause is over (${reason})`,
        grant: null,
        dueAt: at,
      })),
    },
    noted,
  );
}
