import { z } from "zod";
import { duration } from "../duration.ts";

const dollars = () =>
  z
    .union([z.number().positive(), z.literal("off")], { error: "write a number of US dollars, or off" })
    .transform((value) => (value === "off" ? undefined : value));

const fields = {
  max_active_duration: duration().describe("Time in state ACTIVE, over all its periods."),
  max_iterations: z
    .int()
    .min(1)
    .describe("Wakes for a blocker, checks, time or a moved base; what a person does is free."),
  max_tool_calls: z.int().min(1).describe("Tool calls."),
  max_turns: z.int().min(1).describe("Turns: model calls with their tools."),
  max_sleep_duration: duration().describe("One sleep, after which a person is asked."),
  max_tokens: z.int().min(1).describe("Tokens in and out."),
  max_cost_usd: dollars().describe("US dollars, or `off`."),
  warn_at: z.number().gt(0).max(1).describe("Share of a limit at which the model and the log are warned."),
};

/** Some limits, as `circuit_breakers.roles.<role>` and a role file's `limits` write them. */
export const limitOverridesSchema = z.strictObject({
  max_active_duration: fields.max_active_duration.optional(),
  max_iterations: fields.max_iterations.optional(),
  max_tool_calls: fields.max_tool_calls.optional(),
  max_turns: fields.max_turns.optional(),
  max_sleep_duration: fields.max_sleep_duration.optional(),
  max_tokens: fields.max_tokens.optional(),
  max_cost_usd: fields.max_cost_usd.optional(),
  warn_at: fields.warn_at.optional(),
});

const defaultsSchema = z
  .strictObject({
    max_active_duration: fields.max_active_duration.prefault("2h"),
    max_iterations: fields.max_iterations.prefault(5),
    max_tool_calls: fields.max_tool_calls.prefault(200),
    max_turns: fields.max_turns.prefault(50),
    max_sleep_duration: fields.max_sleep_duration.prefault("24h"),
    max_tokens: fields.max_tokens.prefault(2_000_000),
    max_cost_usd: fields.max_cost_usd.prefault(20),
    warn_at: fields.warn_at.prefault(0.8),
  })
  .prefault({})
  .describe("Limits of one agent, for every role.");

/** `circuit_breakers`: what stops work that must not run on. */
export const circuitBreakersSchema = z
  .strictObject({
    defaults: defaultsSchema,
    turn_ceiling: z
      .int()
      .min(1)
      .prefault(200)
      .describe(
        "Highest `max_turns` that may be written here, and the most turns that a person grants at once. A repository's file cannot go over it.",
      ),
    roles: z
      .record(z.string(), limitOverridesSchema)
      .prefault({ reviewer: { max_active_duration: "30m", max_turns: 20 } })
      .describe("Limits that differ for a role, by its name."),
    repository_per_day: z
      .strictObject({
        max_cost_usd: dollars().prefault(100).describe("US dollars, or `off`."),
        max_agents: z.int().min(1).prefault(50).describe("Agents started."),
      })
      .prefault({})
      .describe("Limits of one repository and day."),
    disk: z
      .strictObject({
        min_free_gib: z
          .number()
          .min(0)
          .prefault(1)
          .describe(
            "GiB that stay free on the disk of the data directory. With less, the agent that uses most is stopped, a person is asked, and nobody starts; with `0`, never.",
          ),
        max_agent_gib: z
          .number()
          .positive()
          .prefault(10)
          .describe("GiB that one agent keeps in its worktree, its home and its session."),
        max_agent_files: z
          .int()
          .min(1)
          .prefault(1_000_000)
          .describe("Files and directories that one agent keeps there."),
      })
      .prefault({})
      .describe(
        "What keeps agents from filling the disk; looked at once a minute, and sooner while room falls.",
      ),
    storm: z
      .strictObject({
        max_starts_per_issue_per_hour: z.int().min(1).prefault(6).describe("Starts of one issue in an hour."),
        max_depth: z.int().min(0).prefault(2).describe("Agents that agents start: how deep."),
        max_fan_out: z.int().min(0).prefault(3).describe("Agents that one agent starts."),
      })
      .prefault({})
      .describe("What stops agents that set one another going."),
    progress: z
      .strictObject({
        turns_without_change: z
          .int()
          .min(1)
          .prefault(5)
          .describe(
            "Turns in a row that bring nothing new before another way is tried; with four and six times as many that only read.",
          ),
      })
      .prefault({})
      .describe("What counts as standing still."),
    incident: z
      .strictObject({
        issues: z.int().min(1).prefault(3).describe("Issues that fail alike."),
        within: duration().prefault("30m").describe("In which time."),
      })
      .prefault({})
      .describe("When failures of several issues become one incident."),
  })
  .prefault({})
  .describe("What stops work that must not run on.");
