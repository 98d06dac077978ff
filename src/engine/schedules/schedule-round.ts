import { parseFullName } from "../../domain/kernel/repository.ts";
import { jitterOf, nextDue, scheduleLane } from "../../domain/schedules/schedule.ts";
import type { Schedule } from "../../domain/settings/schedules-section.ts";
import { issueEffect } from "../kernel/effect-rows.ts";
import type { EngineContext } from "../kernel/engine-context.ts";

/**
 * Begins the schedules that are due. What was missed while Flotilla was stopped is done once; a schedule that is new begins
 * with its first time after it was first seen, which is written down, since this process may end before that time.
 */
export class ScheduleRound {
  readonly #context: EngineContext;
  /** When each schedule last began. */
  readonly #last = new Map<string, number>();
  readonly #unknown = new Set<string>();

  constructor(context: EngineContext) {
    this.#context = context;
  }

  async round(): Promise<void> {
    for (const [name, schedule] of Object.entries(this.#context.settings.schedules))
      await this.#begin(name, schedule);
  }

  async #begin(name: string, schedule: Schedule): Promise<void> {
    const { store, clock, log } = this.#context;
    const ref = parseFullName(schedule.repository);
    const repository = ref && (await store.repositories.byName(ref.owner, ref.name));
    if (repository === undefined) {
      if (!this.#unknown.has(name))
        log.warn({ schedule: name }, "no webhook of the schedule's repository has arrived");
      this.#unknown.add(name);
      return;
    }
    const lane = scheduleLane(repository.id, name);
    const now = clock.now();
    const last = this.#last.get(name) ?? (await lastBegun(this.#context, lane));
    const place = { repositoryId: repository.id, issue: 0, at: now };
    if (last === undefined) {
      const effect = { kind: "open_scheduled", schedule: name, begun: now, first: true } as const;
      await store.effects.add([
        { ...issueEffect({ ...place, effect }), key: `schedule:${repository.id}:${name}:first` },
      ]);
      this.#last.set(name, now);
      return;
    }
    // A clock that was ahead for a while would otherwise stop the schedule until that time comes.
    const since = Math.min(last, now);
    const due = nextDue(schedule, since);
    if (due === null || due > now) {
      this.#last.set(name, since);
      return;
    }
    // It begins once the pause is over.
    if ((await store.scopePauses.over(repository.id)).length > 0) return;
    const effect = { kind: "open_scheduled", schedule: name, begun: now } as const;
    await store.effects.add([
      {
        ...issueEffect({ ...place, effect }),
        key: `schedule:${name}:${due}`,
        notBefore: due + jitterOf(name, schedule),
      },
    ]);
    this.#last.set(name, now);
  }
}

async function lastBegun({ store }: EngineContext, lane: string): Promise<number | undefined> {
  const payload = (await store.effects.find({ lane })).at(-1)?.payload;
  return payload?.kind === "open_scheduled" ? payload.begun : undefined;
}
