import type { AgentRecord } from "../../src/domain/agents/agent-record.ts";
import type { ReviewLeaseRecord } from "../../src/domain/review/review-lease.ts";
import type { VerdictRow } from "../../src/domain/review/verdict.ts";
import type { Settings } from "../../src/domain/settings/settings.ts";
import { aRole, REVIEWER } from "../factories/a-role.ts";
import { rolesOf } from "../factories/some-settings.ts";
import { taskOf } from "./look.ts";
import { labeled, tell } from "./people.ts";
import { aRig, type Rig, type RigOptions } from "./rig.ts";
import { type Conversation, call, commit, edit, on, openPr, review, type Step } from "./scripts.ts";

export const BRANCH = "flotilla/feat-dev/issue-1";

/** A coder, and a reviewer that starts by itself. */
export const ROLES: Settings["roles"] = rolesOf(aRole(), REVIEWER);

export const ran = (command = "npm test"): Step => call("bash", { command, description: "Look" });

export function verdict(says: "approve" | "reject", fields: Readonly<Record<string, unknown>> = {}): Step {
  return call("submit_verdict", {
    commit: "{{commit}}",
    verdict: says,
    body: says === "approve" ? "All is as asked." : "An empty report prints nothing; print [].",
    evidence: ["npm test"],
    ...fields,
  });
}

/** What the reviewer of the issue says, in order; `about` = words of its first message, for one of several. */
export function reviewing(issue: number, ...steps: readonly Step[]): Conversation {
  return { match: `Review commit .* for issue #${issue} of`, steps: [...steps] };
}

/** The coder's part: it builds, asks for a review, and fixes what is wanted, `rounds` times. */
export function coding(issue: number, rounds = 0): Conversation {
  const fixes = Array.from({ length: rounds }, (_, round): Step[] => [
    edit(`fixed-${round}.ts`),
    commit,
    review,
  ]);
  const [first, ...rest] = fixes.flat();
  const again = first === undefined ? [] : [{ ...first, after: "You are awake again" }, ...rest];
  return on(issue, edit(), commit, openPr, review, ...again);
}

/** Until nothing more happens by itself. */
export async function reviewRig(
  script: readonly Conversation[],
  { settings, ...options }: RigOptions = {},
): Promise<Rig> {
  const rig = await aRig({ ...options, settings: { roles: ROLES, ...settings }, script });
  await tell(rig, labeled(rig, 1));
  return rig;
}

/** Oldest first. */
export const reviewersOf = (rig: Rig): Promise<readonly AgentRecord[]> =>
  rig.store.records.find("agent", { role: "reviewer" });

export async function leaseOf(rig: Rig): Promise<ReviewLeaseRecord | undefined> {
  return (await rig.store.records.find("review_lease", { taskId: (await taskOf(rig))?.id ?? 0 }))[0];
}

export async function verdictsOf(rig: Rig): Promise<readonly VerdictRow[]> {
  return rig.store.verdicts.ofTask((await taskOf(rig))?.id ?? 0);
}
