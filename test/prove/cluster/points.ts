import { CRASH_MOMENTS } from "../../../src/domain/kernel/crash-points.ts";
import { type EffectKind, effect } from "../../../src/domain/kernel/effect.ts";

/** Nothing in the story of these agents leads there; test/journeys/crash.test.ts and the rig end a process at these. */
const NEVER: ReadonlySet<EffectKind> = new Set([
  "look_at_train",
  "update_branch",
  "merge_pull",
  "create_sub_issue",
  "create_backport",
  "close_issue",
  "propose_file",
  "offer_attempt",
  "offer_review",
  "publish_verdict",
  "open_incident",
  "add_blocked_by",
  "recheck_blocker",
  "create_blocker_issue",
  "rerun_check",
]);
const NEVER_MOMENTS: ReadonlySet<string> = new Set([
  "delivery:moved",
  "commit:held",
  "evidence:command",
  "evidence:evaluation",
  "command:done",
]);

/** The crash points at which a process of the proof may end itself. */
export const POINTS: readonly string[] = [
  ...effect.options
    .map(({ shape }) => shape.kind.value)
    .filter((kind) => !NEVER.has(kind))
    .map((kind) => `effect:${kind}`),
  ...CRASH_MOMENTS.filter((moment) => !NEVER_MOMENTS.has(moment)),
];
