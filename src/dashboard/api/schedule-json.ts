import { z } from "zod";
import { repositoryScope } from "../../domain/breakers/scope.ts";
import { fullName } from "../../domain/kernel/repository.ts";
import type { EffectRow } from "../../domain/kernel/rows.ts";
import type { Store } from "../../domain/ports/store.ts";
import { cronWords } from "../../domain/schedules/cron-words.ts";
import { jitterOf, nextDue, scheduleLane } from "../../domain/schedules/schedule.ts";
import type { Schedule } from "../../domain/settings/schedules-section.ts";
import type { Settings } from "../../domain/settings/settings.ts";

/** A schedule for the API and the command line: when it comes next, and what came of the last time. */
export interface ScheduleJson {
  readonly name: string;
  readonly repository: string;
  readonly role: string;
  /** Title of the issues that it opens. */
  readonly title: string;
  readonly cron: string;
  /** The cron line in words; null where it has no short ones. */
  readonly words: string | null;
  readonly time_zone: string;
  /** ISO 8601; null where it never comes or never began. */
  readonly next: string | null;
  readonly last: string | null;
  readonly outcome: "opened" | "skipped" | "failed" | "waits" | null;
  /** The issue that it opened, or the open one that kept it from that. */
  readonly issue: number | null;
  /** What came of the last time, in words. */
  readonly note: string | null;
  /** False until a webhook of its repository has arrived: it cannot begin before that. */
  readonly known: boolean;
  /** Whether a pause holds it up. */
  readonly paused: boolean;
}

/** Returns the schedules in the order of the configuration; `mine` says for which repositories, null for all. */
export async function schedulesJson(
  store: Pick<Store, "lists" | "repositories" | "scopePauses">,
  { schedules }: Pick<Settings, "schedules">,
  now: number,
  mine: readonly number[] | null = null,
): Promise<readonly ScheduleJson[]> {
  const known = new Map((await store.repositories.all()).map((one) => [fullName(one).toLowerCase(), one.id]));
  const placed = Object.entries(schedules).map(([name, schedule]) => {
    const id = known.get(schedule.repository.toLowerCase());
    return { name, schedule, id, lane: id === undefined ? null : scheduleLane(id, name) };
  });
  const seen = placed.filter(({ id }) => mine === null || (id !== undefined && mine.includes(id)));
  const rows = await store.lists.lastScheduled(seen.flatMap(({ lane }) => lane ?? []));
  const lastIn = new Map(rows.map((row) => [row.lane, row]));
  const paused = new Set<string>((await store.scopePauses.list()).map(({ scope }) => scope));
  return seen.map(({ name, schedule, id, lane }) => ({
    ...scheduleJson(name, schedule, { last: lastIn.get(lane ?? ""), isKnown: id !== undefined, now }),
    paused: paused.has("all") || (id !== undefined && paused.has(repositoryScope(id))),
  }));
}

function scheduleJson(
  name: string,
  schedule: Schedule,
  {
    last,
    isKnown,
    now,
  }: { readonly last: EffectRow | undefined; readonly isKnown: boolean; readonly now: number },
): Omit<ScheduleJson, "paused"> {
  const due = nextDue(schedule, now);
  // The first row of a schedule only says when it was first seen.
  const began = last?.payload.kind === "open_scheduled" && last.payload.first !== true ? last : undefined;
  const { outcome, issue, note } = began === undefined ? NOTHING : outcomeOf(began);
  return {
    name,
    repository: schedule.repository,
    role: schedule.role,
    title: schedule.title,
    cron: schedule.cron,
    words: cronWords(schedule.cron),
    time_zone: schedule.timeZone,
    next: due === null ? null : iso(due + jitterOf(name, schedule)),
    last: began === undefined ? null : iso(began.createdAt),
    outcome,
    issue,
    note: isKnown ? note : "no webhook of this repository has arrived",
    known: isKnown,
  };
}

const iso = (at: number) => new Date(at).toISOString();

const kept = z.looseObject({
  number: z.int().optional(),
  skipped: z.string().optional(),
  open: z.int().optional(),
});

type Outcome = Pick<ScheduleJson, "outcome" | "issue" | "note">;

const NOTHING: Outcome = { outcome: null, issue: null, note: null };

function outcomeOf({ state, result, error }: EffectRow): Outcome {
  const { number, skipped, open } = kept.safeParse(result).data ?? {};
  if (number !== undefined) return { outcome: "opened", issue: number, note: `opened #${number}` };
  if (skipped !== undefined)
    return { outcome: "skipped", issue: open ?? null, note: `opened none: ${skipped}` };
  if (state === "pending" || state === "leased") return { outcome: "waits", issue: null, note: "begins" };
  const why = `opened none: ${error ?? "no reason was kept"}`;
  return { outcome: state === "failed" ? "failed" : "skipped", issue: null, note: why };
}
