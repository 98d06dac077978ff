import { z } from "zod";
import { section, setting, sparse } from "../settings/keys.ts";
import { budgets } from "./budgets.ts";
import { dayLimits } from "./day-budget.ts";
import { diskLimits } from "./disk.ts";
import { incidentLimits } from "./incident.ts";
import { agentLimits, type LimitSettings } from "./limits.ts";
import { progressLimits } from "./progress.ts";
import { stormLimits } from "./storm.ts";

/** Every breaker with its limits. The limits of one agent are `defaults` and `roles`. */
export const circuitBreakers = section("circuit_breakers", "What stops work that must not run on.", {
  defaults: section("defaults", "Limits of one agent, for every role.", agentLimits),
  turnCeiling: setting("turn_ceiling", z.int().min(1), {
    description:
      "The highest `max_turns` allowed here, and the most turns that a person can grant at once. A repository's file cannot exceed it.",
    default: 200,
  }),
  roles: setting(
    "roles",
    z
      .record(z.string(), sparse(agentLimits))
      .transform((roles): LimitSettings["roles"] => new Map(Object.entries(roles))),
    {
      description: "Limits that differ for a role, by its name.",
      default: { reviewer: { max_active_duration: "30m", max_turns: 20 } },
    },
  ),
  repositoryPerDay: dayLimits,
  budgets,
  disk: diskLimits,
  storm: stormLimits,
  progress: progressLimits,
  incident: incidentLimits,
});
