import { excerptOf, failureFingerprint } from "../../domain/checks/check-failure.ts";
import {
  type CheckVerdict,
  flakeKey,
  type JudgedCheck,
  judgeCommit,
} from "../../domain/checks/check-verdict.ts";
import type { RepositoryRow } from "../../domain/kernel/rows.ts";
import { cleanText } from "../../domain/messages/printable.ts";
import type { CommitCheck } from "../../domain/ports/github.ts";
import type { SeenCheck } from "../../domain/ports/work-tables.ts";
import { REVIEW_CHECK } from "../../domain/review/published.ts";
import type { EngineContext } from "../kernel/engine-context.ts";

/** Characters of a failure's log that are kept. */
const MOST_LOG = 5000;

/** A failed run, and its job id where it is a job of GitHub Actions. */
export type RedCheck = SeenCheck & { readonly jobId: number | null };

/** The state of a commit's required checks, with the details of the failed ones. */
export interface CommitChecks {
  readonly verdict: CheckVerdict;
  readonly red: readonly RedCheck[];
}

/** Returns the checks that the configuration or GitHub requires of a commit for the base branch. */
export async function requiredNames(
  context: EngineContext,
  repository: RepositoryRow,
  base: string,
): Promise<readonly string[]> {
  const byGitHub = await context.github.requiredChecks(repository, base);
  const all = new Set([...context.settingsOf(repository.id).evidence.requiredChecks, ...byGitHub]);
  // Our own check reports the review, so the review must not wait for it.
  return [...all].filter((name) => name !== REVIEW_CHECK);
}

/**
 * Reads the required checks of a commit, stores their results and judges who caused a failure. `since` = when
 * the commit began to wait for them, in milliseconds since the epoch. Throws `GitHubError`.
 */
export async function refreshCommit(
  context: EngineContext,
  repository: RepositoryRow,
  { commit, base: branch, since }: { readonly commit: string; readonly base: string; readonly since: number },
): Promise<CommitChecks> {
  const { github, store, settings } = context;
  const required = await requiredNames(context, repository, branch);
  if (required.length === 0) return { verdict: { kind: "green" }, red: [] };
  const named = (checks: readonly CommitCheck[]) => checks.filter(({ name }) => required.includes(name));
  const checks = named(await github.checks(repository, commit));
  const head = await remember(context, repository, { ref: commit, checks });
  const red = head.red.map(({ name }) => name);
  const baseChecks = red.length === 0 ? [] : named(await github.checks(repository, branch));
  const ref = `refs/heads/${branch}`;
  const failing = baseChecks.filter(({ state }) => state === "red");
  const base = await remember(context, repository, { ref, checks: failing });
  const absent = required.some((name) => !checks.some((check) => check.name === name));
  const rows = await store.checks.ofRef(repository.id, commit);
  const flakes = red.length === 0 ? [] : await store.checks.flakes(repository.id, red);
  const asked = Map.groupBy(
    rows.filter(({ rerun }) => rerun === "asked"),
    ({ name }) => name,
  );
  const verdict = judgeCommit({
    required,
    head: checks.map((check) => judged(check, head.red)),
    base: baseChecks.map((check) => judged(check, base.red)),
    wereGreen: new Set(rows.filter(({ state }) => state === "green").map(({ name }) => name)),
    flakes: new Set(flakes.map(({ name, fingerprint }) => flakeKey(name, fingerprint))),
    reruns: new Map([...asked].map(([name, runs]) => [name, runs.length])),
    flakeReruns: settings.checks.flakeReruns,
    awaitsApproval: absent && (await github.awaitsApproval(repository, commit)),
    since,
    now: context.clock.now(),
  });
  return { verdict, red: head.red };
}

const runOf = ({ run, changedAt }: CommitCheck): string => `${run?.id ?? "status"}@${changedAt ?? ""}`;

function judged(check: CommitCheck, red: readonly RedCheck[]): JudgedCheck {
  const { name, state, conclusion, changedAt } = check;
  const row = red.find((one) => one.name === name && one.run === runOf(check));
  return {
    name,
    state,
    conclusion,
    changedAt: changedAt === undefined ? null : Date.parse(changedAt),
    fingerprint: row?.fingerprint ?? null,
    excused: row?.excused ?? false,
    rerun: rerunOf(row),
  };
}

function rerunOf(row: RedCheck | undefined): JudgedCheck["rerun"] {
  if (row?.rerun === "asked" && row.rerunAt !== null) return { state: "asked", at: row.rerunAt };
  return row?.rerun === "refused" ? { state: "refused" } : null;
}

/** Stores checks that have ended, each run once; reads the cause of a failure only the first time. */
async function remember(
  context: EngineContext,
  { id: repositoryId, ...repository }: RepositoryRow,
  { ref, checks }: { readonly ref: string; readonly checks: readonly CommitCheck[] },
): Promise<{ readonly red: readonly RedCheck[] }> {
  const ended = checks.filter(({ state }) => state !== "pending");
  if (ended.length === 0) return { red: [] };
  const known = await context.store.checks.ofRef(repositoryId, ref);
  const rows = await Promise.all(
    ended.map(async (check): Promise<SeenCheck> => {
      const run = runOf(check);
      const before = known.find((row) => row.name === check.name && row.run === run);
      if (before !== undefined) return before;
      const blank = { fingerprint: null, job: null, step: null, log: "" };
      return {
        repositoryId,
        ref,
        name: check.name,
        run,
        state: check.state === "green" ? "green" : "red",
        conclusion: check.conclusion,
        ...(check.state === "red"
          ? await failureOf(context, { id: repositoryId, ...repository }, check)
          : blank),
        excused: false,
        // GitHub lets an App rerun only jobs of GitHub Actions.
        rerun: check.state === "red" && check.run?.job !== true ? "refused" : null,
        rerunAt: null,
        seenAt: context.clock.now(),
      };
    }),
  );
  await context.store.checks.see(rows.filter((row) => !known.includes(row)));
  const jobs = new Map(ended.map((check) => [`${check.name} ${runOf(check)}`, check.run]));
  return {
    red: rows
      .filter(({ state }) => state === "red")
      .map((row) => {
        const run = jobs.get(`${row.name} ${row.run}`);
        return { ...row, jobId: run?.job === true ? run.id : null };
      }),
  };
}

async function failureOf(
  context: EngineContext,
  repository: RepositoryRow,
  check: CommitCheck,
): Promise<Pick<SeenCheck, "fingerprint" | "job" | "step" | "log">> {
  const job = check.run?.job === true ? await context.github.failedJob(repository, check.run.id) : null;
  const clean = (text: string) => cleanText(text, context.redact, MOST_LOG);
  const said = job === null || job.log === "" ? (check.output ?? "") : job.log;
  const { text, telling } = excerptOf(said);
  const step = job?.step == null ? null : clean(job.step);
  return {
    fingerprint: failureFingerprint({ check: check.name, step, telling: clean(telling) }),
    job: job === null ? null : clean(job.name),
    step,
    log: said === "" ? "" : clean(text),
  };
}
