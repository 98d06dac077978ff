import { personAs } from "../../src/domain/review/reviewer.ts";
import type { Settings } from "../../src/domain/settings/settings.ts";
import { MINUTE } from "../factories/moment.ts";
import { someSettings } from "../factories/some-settings.ts";
import { person } from "../fakes/github-world.ts";
import { taskOf } from "./look.ts";
import { moveBy } from "./move-by.ts";
import { labeled, tell } from "./people.ts";
import { aRig, type Rig } from "./rig.ts";
import { type Conversation, commit, complete, edit, on, openPr } from "./scripts.ts";

/** Settings under which we merge by ourselves. */
export function merging(required: readonly string[] = []): Partial<Settings> {
  const evidence = { ...someSettings().evidence, requiredChecks: required };
  return { merge: { auto: true, maxRisk: undefined, method: "squash" }, level: "merge", evidence };
}

/** Settings under which we merge by ourselves work whose risk is at most that. */
export function upTo(maxRisk: number, required: readonly string[] = []): Partial<Settings> {
  return { ...merging(required), merge: { auto: true, maxRisk, method: "squash" } };
}

/** The coder of the issue, by name. */
const coderOf = (issue: number) => `feat-dev-issue-${issue}`;
export const branchOf = (issue: number) => `flotilla/feat-dev/issue-${issue}`;

/** The approval of a person, the last one that is needed; then what follows from it. */
export async function approves(rig: Rig, issue: number): Promise<void> {
  const task = await taskOf(rig, issue);
  await moveBy(rig, {
    machine: "task",
    id: task?.id ?? 0,
    event: {
      at: rig.clock.now(),
      actor: "alice",
      type: "APPROVE",
      ...personAs(person("alice")),
      author: coderOf(issue),
      commit: task?.reviewCommit ?? "",
      reviewers: 1,
      leaseToken: null,
    },
  });
}

/** Commits of the branches turn green, as each is made. */
function greenAlways(rig: Rig, check: string): void {
  rig.onCall = (call) => {
    if (call !== "github.checks") return;
    for (const { headSha } of rig.repository.pulls.values())
      if (!rig.repository.checks.has(headSha)) rig.repository.checks.set(headSha, [checkOf(check, "green")]);
  };
}

export const checkOf = (name: string, state: "green" | "red" | "pending") => ({
  name,
  state,
  conclusion: { green: "success", red: "failure", pending: "queued" }[state],
});

/** Issue to what its coder writes: path to text. */
type Written = Readonly<Record<number, Readonly<Record<string, string>>>>;

interface Approved {
  readonly settings?: Partial<Settings>;
  readonly files?: Readonly<Record<string, string>>;
  readonly work?: Written;
  readonly script?: readonly Conversation[];
  /** What happens between the work and its approval. */
  readonly before?: (rig: Rig) => void;
}

/** Work on issue 1, or on each of several, that was approved a minute apart, in their order. */
export async function approvedWork(options: Approved = {}): Promise<Rig> {
  const { settings = {}, files = {}, work = { 1: { "feature.ts": "export {};" } }, script = [] } = options;
  const issues = Object.keys(work).map(Number);
  const rig = await aRig({
    settings,
    files,
    issues: Math.max(3, ...issues),
    script: [
      ...script,
      ...Object.entries(work).map(([issue, written]) =>
        on(
          Number(issue),
          ...Object.entries(written).map(([path, text]) => edit(path, text)),
          commit,
          openPr,
          complete,
        ),
      ),
    ],
  });
  for (const name of settings.evidence?.requiredChecks ?? []) greenAlways(rig, name);
  for (const issue of issues) await tell(rig, labeled(rig, issue));
  options.before?.(rig);
  for (const issue of issues) {
    rig.clock.advance(MINUTE);
    await approves(rig, issue);
  }
  await rounds(rig);
  return rig;
}

/** As many rounds as it takes until nothing follows; a process that is dead is followed by a new one. */
export async function rounds(rig: Rig, count = 6): Promise<void> {
  for (let round = 0; round < count; round += 1) {
    const gone = Promise.withResolvers<void>();
    const watch = rig.onCrashPoint;
    rig.onCrashPoint = (name) => {
      watch(name);
      if (rig.life.over) gone.resolve();
    };
    await Promise.race([rig.pass(1000), gone.promise]);
    rig.onCrashPoint = watch;
    if (rig.life.over) await rig.restart();
  }
}

/** The process dies once after an effect of that kind. */
export function diesAfter(rig: Rig, kind: string): void {
  let died = false;
  rig.onCrashPoint = (name) => {
    if (died || name !== `effect:${kind}`) return;
    died = true;
    rig.life.end();
  };
}

export async function statesOf(rig: Rig, ...issues: readonly number[]): Promise<readonly unknown[]> {
  return Promise.all(issues.map(async (issue) => (await taskOf(rig, issue))?.state));
}
