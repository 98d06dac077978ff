import type { Settings } from "../../src/domain/settings/settings.ts";
import { REVIEWER, ROLES } from "../factories/a-role.ts";
import { HOUR, MINUTE } from "../factories/moment.ts";
import { LIMITS, rolesOf, someSettings } from "../factories/some-settings.ts";
import type { Chance } from "./chance.ts";

const CODERS = ROLES.filter(({ name }) => name === "feat-dev" || name === "bug-fix");

/** Small limits, so that a short run comes to them; what may be switched is switched by chance. */
export function settingsOf(chance: Chance): Settings {
  const { evidence, review } = someSettings();
  const reviewed = chance.happens(0.3);
  const merges = chance.happens(0.3);
  return someSettings({
    roles: rolesOf(
      ...CODERS.map((role) => ({
        ...role,
        planFirst: chance.happens(0.15),
        tools: [...role.tools, "create_blocker_issue"],
      })),
      ...(reviewed ? [REVIEWER] : []),
    ),
    runtime: { ...someSettings().runtime, maxConcurrentAgents: chance.one([1, 2, 3]) },
    limits: {
      turnCeiling: 200,
      defaults: {
        ...LIMITS,
        maxIterations: 3,
        maxTurns: chance.one([8, 20]),
        maxToolCalls: chance.one([10, 30]),
        maxActiveDurationMs: HOUR,
        maxSleepDurationMs: 6 * HOUR,
      },
      roles: new Map(),
    },
    evidence: {
      ...evidence,
      commands: chance.happens(0.3) ? ["npm test"] : [],
      requiredChecks: chance.happens(0.3) ? ["build"] : [],
    },
    review: { ...review, required: reviewed },
    level: merges ? "merge" : "pr",
    merge: { auto: merges, maxRisk: undefined, method: "squash" },
    questions: { deadlineMs: 8 * HOUR, remindAfterMs: HOUR, secondPersonAfterMs: 4 * HOUR },
    reconcileEveryMs: 5 * MINUTE,
    retention: { ...someSettings().retention, worktreesMs: 12 * HOUR },
  });
}
