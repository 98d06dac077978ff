import { createGitHubSignIn } from "../adapters/github/app/sign-in.ts";
import type { AgentDiff } from "../dashboard/api/agent-reads.ts";
import type { DashboardParts } from "../dashboard/api/parts.ts";
import { GitHubSignIns } from "../dashboard/auth/github-sign-in.ts";
import { SignInCookies } from "../dashboard/auth/sign-in-cookies.ts";
import type { PageSignIn } from "../dashboard/page-route.ts";
import { reaches } from "../domain/access/permission.ts";
import type { Redact } from "../domain/access/redact.ts";
import type { AgentRecord } from "../domain/agents/agent-record.ts";
import { messageOf } from "../domain/kernel/errors.ts";
import type { Clock } from "../domain/ports/clock.ts";
import type { GitHub } from "../domain/ports/github.ts";
import type { RepositorySetup } from "../domain/ports/github-app.ts";
import type { Log } from "../domain/ports/log.ts";
import type { Store } from "../domain/ports/store.ts";
import type { Worktrees } from "../domain/ports/worktrees.ts";
import type { SettingInForce } from "../domain/settings/setting-in-force.ts";
import type { Settings } from "../domain/settings/settings.ts";
import { act, type ControlContext } from "./control/control-acts.ts";

/** Maximum length of a diff that is shown, in characters. */
const MOST_DIFF = 200_000;
/** How long an answer about labels is kept. */
const LABELS_MS = 60_000;

/** Connects the dashboard to GitHub, git and the running engine, in the same way as comments and commands. */
export function dashboardParts(parts: {
  readonly settings: Settings;
  readonly runningCommands: DashboardParts["runningCommands"];
  readonly site: string;
  readonly github: Pick<GitHub, "permission">;
  readonly setup: Pick<RepositorySetup, "missingLabels">;
  readonly worktrees: Pick<Worktrees, "diff">;
  readonly store: Pick<Store, "repositories">;
  readonly control: () => ControlContext;
  readonly clock: Pick<Clock, "now">;
  readonly inForce: readonly SettingInForce[];
}): DashboardParts {
  const { settings, runningCommands, site, github, inForce } = parts;
  return {
    settings,
    inForce,
    dayBudgets: (ids) => parts.control().operations.dayBudgets(ids),
    runningCommands,
    site,
    permission: (repository, who) => github.permission(repository, who),
    mayCommand: (permission) => reaches(permission, settings.policy.whoMayCommand),
    missingLabels: keptLabels(parts),
    diff: (agent) => diffOf(parts, agent),
    // An act of the dashboard is never aborted.
    act: (path, body) => act(parts.control(), { path, body, signal: new AbortController().signal }),
  };
}

/** Asks GitHub for a repository's labels at most once a minute: the page of a new Flotilla asks every five seconds. */
function keptLabels({
  setup,
  clock,
}: Pick<Parameters<typeof dashboardParts>[0], "setup" | "clock">): DashboardParts["missingLabels"] {
  const kept = new Map<number, { readonly at: number; readonly answer: Promise<readonly string[]> }>();
  return (repository, labels) => {
    const before = kept.get(repository.id);
    if (before !== undefined && clock.now() - before.at < LABELS_MS) return before.answer;
    const answer = setup.missingLabels(repository, labels);
    kept.set(repository.id, { at: clock.now(), answer });
    return answer;
  };
}

/** Takes known secrets out of settings: one may have been written where none belongs. */
export function withoutSecrets(
  inForce: readonly SettingInForce[],
  { redact }: { readonly redact: Redact },
): readonly SettingInForce[] {
  return inForce.map((one) => (one.value === null ? one : { ...one, value: redact(one.value) }));
}

/** Builds the sign-in with GitHub; null if the App's client id and secret are not set. */
export function signInOfPage(parts: {
  readonly signIn: { readonly clientId: string; readonly clientSecret: string } | undefined;
  readonly site: string;
  readonly apiUrl: string;
  readonly token: string;
  readonly store: Pick<Store, "signOuts">;
  readonly clock: Clock;
  readonly log: Log;
}): PageSignIn | null {
  const { signIn: app, site, apiUrl, token, store, log } = parts;
  if (app === undefined) return null;
  const now = () => parts.clock.now();
  const signIn = createGitHubSignIn({ ...app, site, apiUrl });
  return {
    signIns: new GitHubSignIns({ signIn, key: token, now, log }),
    cookies: new SignInCookies(token, now, store.signOuts),
  };
}

/** Returns what the agent's worktree has changed since its base. */
async function diffOf(
  {
    worktrees,
    store,
  }: { readonly worktrees: Pick<Worktrees, "diff">; readonly store: Pick<Store, "repositories"> },
  agent: AgentRecord,
): Promise<AgentDiff> {
  const repository = await store.repositories.get(agent.repositoryId);
  if (repository === undefined || agent.baseCommit === null || agent.branch === null)
    return { why: "It has no branch of its own." };
  const { name, branch, baseCommit } = agent;
  try {
    const { files, patch } = await worktrees.diff({ repository, name, branch }, baseCommit, MOST_DIFF);
    return { files, patch, cut: patch.length >= MOST_DIFF };
  } catch (error) {
    return { why: `Its worktree cannot be read (${messageOf(error)}). What it pushed is on its branch.` };
  }
}
