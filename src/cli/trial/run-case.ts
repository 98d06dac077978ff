import { randomBytes } from "node:crypto";
import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { ReadOnlyStore } from "../../adapters/store/database.ts";
import { databaseIn } from "../../adapters/store/registry.ts";
import type { Config } from "../../config/load-config.ts";
import { type LocalGitHub, startLocalGitHub } from "../../demo/github/start.ts";
import type { AgentRecord } from "../../domain/agents/agent-record.ts";
import type { Role } from "../../domain/agents/role.ts";
import { messageOf } from "../../domain/kernel/errors.ts";
import type { TrialCase } from "../../domain/trial/trial-case.ts";
import type { TrialArm, Work } from "../../domain/trial/trial-line.ts";
import { endOfWork } from "../../domain/trial/work-end.ts";
import { createLog } from "../../observability/log/log.ts";
import { configuredSecrets, KnownSecrets } from "../../server/known-secrets.ts";
import { startFlotilla } from "../../server/start-flotilla.ts";
import { systemClock } from "../../server/system-clock.ts";
import { type RunPlace, trialConfig } from "./trial-config.ts";

/** How often the run's database is looked at. */
const LOOK_MS = 500;

/** Who labels the issue. No login on GitHub ends with a hyphen. */
const OPERATOR = "operator-";

export interface CaseRun {
  readonly config: Config;
  readonly owner: string;
  readonly name: string;
  readonly case: TrialCase;
  readonly arm: TrialArm;
  readonly role: Role;
  readonly setup: readonly string[];
  readonly tests: readonly string[];
  /** US dollars that the run may cost; undefined: as much as the role may. */
  readonly maxCostUsd: number | undefined;
  /** An empty directory of this run alone. */
  readonly directory: string;
  /** A bare repository with the history up to the case's base, and nothing later. */
  readonly repository: string;
  readonly signal: AbortSignal;
}

/**
 * Has one agent work on one case, in a Flotilla and on a GitHub of their own, which end with it. Null where the signal came
 * first. Rejects where the work could not begin.
 */
export async function runCase(run: CaseRun): Promise<Work | null> {
  const { config, owner, name, directory } = run;
  const dataDir = join(directory, "data");
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  await symlink(join(config.environment.dataDir, "runtimes"), join(dataDir, "runtimes"));
  const label = labelOf(run.role);
  const people = peopleOf(run);
  const github = await startLocalGitHub({
    directory: join(directory, "github"),
    organization: owner,
    repositories: [
      { name, private: true, labels: [label], directory: run.repository, firstNumber: run.case.issue },
    ],
    people: Object.fromEntries([...people.values(), OPERATOR].map((login) => [login, "write"])),
    strict: true,
  });
  try {
    await fileIssue(github, run.case, people);
    const webhookSecret = randomBytes(32).toString("hex");
    const place: RunPlace = { ...run, github, dataDir, label, webhookSecret, repository: `${owner}/${name}` };
    const placed = trialConfig(config, place);
    const known = new KnownSecrets(configuredSecrets(placed), systemClock);
    const log = createLog("info", known.redact, "json", join(directory, "flotilla.log"));
    const flotilla = await startFlotilla(placed, log, known, {});
    try {
      github.setWebhook({ url: `${flotilla.url}/api/github/webhooks`, secret: webhookSecret });
      await github.as(OPERATOR).label(run.case.issue, label);
      return await worked(run, dataDir);
    } finally {
      await flotilla.stop();
    }
  } finally {
    await github.close();
  }
}

/** Returns the label that starts the role: its own, so that the issue looks as it would. */
function labelOf({ name, triggers }: Role): string {
  return (
    triggers.find(({ event, label }) => event === "issues.labeled" && label !== undefined)?.label ?? name
  );
}

/**
 * Returns the local login of each author. All may write: who did not was not shown to agents, and who chose the case wants
 * its text to be read. The owner of a repository may be a person, whom the local GitHub has as an organization.
 */
function peopleOf({ case: { author, comments }, owner }: CaseRun): ReadonlyMap<string, string> {
  const logins = [author, ...comments.map((comment) => comment.author)];
  const local = (login: string) => {
    if (login === "") return "ghost";
    return login.toLowerCase() === owner.toLowerCase() ? `${login}-` : login;
  };
  return new Map(logins.map((login) => [login, local(login)]));
}

/** Files the issue before there is a Flotilla: a command in an old comment commands nothing. */
async function fileIssue(
  github: LocalGitHub,
  { title, body, author, comments }: TrialCase,
  people: ReadonlyMap<string, string>,
): Promise<void> {
  const as = (login: string) => github.as(people.get(login) ?? OPERATOR);
  const number = await as(author).openIssue({ title, body });
  // GitHub has comments without a text, such as of empty mails, but takes none.
  const said = comments.filter((comment) => comment.body.trim() !== "");
  for (const comment of said) await as(comment.author).comment(number, comment.body);
}

/** Waits until the work ends. */
async function worked(
  { case: { issue }, maxCostUsd, signal }: CaseRun,
  dataDir: string,
): Promise<Work | null> {
  const store = await databaseIn({ variables: {}, dataDir }).openReadOnly();
  try {
    for (;;) {
      if (signal.aborted) return null;
      const [agent] = await agentsOn(store, issue);
      const ended = agent && endOfWork(agent, { isLowered: maxCostUsd !== undefined });
      if (agent !== undefined && ended !== undefined && ended !== null) {
        return { ...ended, ...(await usedBy(store)), ...countsOf(agent) };
      }
      await pause(LOOK_MS, undefined, { signal }).catch(() => undefined);
    }
  } finally {
    await store.close();
  }
}

async function agentsOn(store: ReadOnlyStore, issue: number): Promise<readonly AgentRecord[]> {
  const agents = await store.records.find("agent", { issue });
  return agents.toSorted((a, b) => b.id - a.id);
}

const countsOf = ({ turns, activeMs, headCommit }: AgentRecord) => ({
  turns,
  seconds: activeMs / 1000,
  head: headCommit,
});

const MICRO = 1_000_000;

async function usedBy(store: ReadOnlyStore): Promise<Pick<Work, "tokensIn" | "tokensOut" | "cost">> {
  let [tokensIn, tokensOut, micro] = [0, 0, 0];
  for await (const { usage } of store.ledger.slices(0, null))
    for (const { inputTokens, outputTokens, costMicroUsd } of usage) {
      tokensIn += inputTokens;
      tokensOut += outputTokens;
      micro += costMicroUsd;
    }
  return { tokensIn, tokensOut, cost: micro / MICRO };
}

/** Returns what a run cost whose process was killed; 0 where its database cannot be read. */
export async function costOfKilled(directory: string): Promise<number> {
  const database = databaseIn({ variables: {}, dataDir: join(directory, "data") });
  try {
    if (!(await database.exists())) return 0;
    const store = await database.openReadOnly();
    try {
      return (await usedBy(store)).cost;
    } finally {
      await store.close();
    }
  } catch (error) {
    throw new Error(`what the killed run in ${directory} cost cannot be read: ${messageOf(error)}`, {
      cause: error,
    });
  }
}
