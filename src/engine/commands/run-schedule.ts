import { z } from "zod";
import { OperationError } from "../../domain/commands/operation-fault.ts";
import { fullName } from "../../domain/kernel/repository.ts";
import type { EffectRow } from "../../domain/kernel/rows.ts";
import { scheduleLane } from "../../domain/schedules/schedule.ts";
import { issueEffect } from "../kernel/effect-rows.ts";
import type { EngineContext } from "../kernel/engine-context.ts";
import { repositoryNamed } from "./repository-named.ts";

/** How long a person waits for GitHub; afterwards the outbox continues. */
const WAIT_MS = 15_000;

/** A person's wish that a schedule begins now, besides its times. */
export interface ScheduleRun {
  /** `owner/name`. */
  readonly repository: string;
  /** Its name in the configuration. */
  readonly schedule: string;
  /** Chosen by the caller and unique: a repeated id runs once. */
  readonly id: string;
  /** A login, or `operator:<account>`. */
  readonly by: string;
}

/** What came of it; both null while GitHub takes longer. */
export interface ScheduleRan {
  /** The issue that was opened. */
  readonly issue: number | null;
  /** Why none was opened. */
  readonly skipped: string | null;
}

const outcome = z.object({ number: z.int().optional(), skipped: z.string().optional() });

/**
 * Begins a schedule because a person says so, by the same effect as at its times: while the issue before is open, it opens
 * none. Throws `OperationError`.
 */
export async function runSchedule(
  { store, clock, changed, settings }: Pick<EngineContext, "store" | "clock" | "changed" | "settings">,
  settled: (effectId: number, withinMs: number) => Promise<void>,
  { repository: name, schedule, id, by }: ScheduleRun,
): Promise<ScheduleRan> {
  const repository = await repositoryNamed(store, name);
  const known = Object.hasOwn(settings.schedules, schedule) ? settings.schedules[schedule] : undefined;
  if (known?.repository.toLowerCase() !== fullName(repository).toLowerCase())
    throw new OperationError({ code: "not_found", what: `schedule ${schedule} of ${name}` });
  if ((await store.scopePauses.over(repository.id)).length > 0)
    throw new OperationError({
      code: "not_steered",
      why: `${name} is paused`,
      hint: "resume it first",
    });
  const lane = scheduleLane(repository.id, schedule);
  if ((await store.effects.find({ lane, state: ["pending", "leased"] })).length > 0)
    throw new OperationError({
      code: "not_steered",
      why: `the schedule ${schedule} has begun already`,
      hint: "wait for its issue",
    });
  const at = clock.now();
  const effect = { kind: "open_scheduled", schedule, begun: at } as const;
  const row = issueEffect({ repositoryId: repository.id, issue: 0, effect, at });
  const added = await store.transaction(async ({ effects, decisions }) => {
    await decisions.add({
      at,
      repositoryId: repository.id,
      // That of no issue, as its effect.
      issue: 0,
      agentId: null,
      rule: "schedule_asked",
      reason: `${by} has the schedule ${schedule} begin now`,
      change: null,
      inputs: { by, schedule },
      delivery: null,
    });
    return (await effects.add([{ ...row, key: `operator:${id}:schedule:${schedule}` }]))[0];
  });
  if (added === undefined) throw new Error("an effect that is added has no id");
  changed();
  await settled(added, WAIT_MS);
  return ranOf(await store.effects.get(added));
}

function ranOf(row: EffectRow | undefined): ScheduleRan {
  if (row === undefined || row.state === "pending" || row.state === "leased")
    return { issue: null, skipped: null };
  const { number, skipped } = outcome.safeParse(row.result).data ?? {};
  if (number !== undefined) return { issue: number, skipped: null };
  return { issue: null, skipped: skipped ?? row.error ?? "no reason was kept" };
}
