import { z } from "zod";
import { parseFullName } from "../../domain/kernel/repository.ts";
import type { EffectRow } from "../../domain/kernel/rows.ts";
import type { Store } from "../../domain/ports/store.ts";
import { jitterOf, nextDue } from "../../domain/schedules/schedule.ts";
import type { Schedule } from "../../domain/settings/schedules-section.ts";
import { scheduleLane } from "../../engine/kernel/effect-rows.ts";
import { systemClock } from "../../server/system-clock.ts";
import type { Command } from "../command.ts";
import { reading } from "../data-directory.ts";
import { settingsHere } from "../settings-here.ts";
import { printTable } from "../table.ts";

interface Seen {
  readonly name: string;
  readonly repository: string;
  /** ISO 8601; null where it never comes or never began. */
  readonly next: string | null;
  readonly last: string | null;
  /** What came of the last time. */
  readonly note: string | null;
}

export const schedules: Command = {
  name: "schedules",
  summary: "list the schedules of the configuration: when each comes next, and what came of the last time",
  usage: "flotilla schedules",
  details: [
    "Schedules are named below `schedules` in the configuration; docs/schedules.md says how. Reads the database and works while Flotilla is stopped.",
  ],
  options: {},
  examples: ["flotilla schedules", "flotilla schedules --json"],
  async run(context) {
    const { print, options } = context;
    const settings = settingsHere(context);
    const now = systemClock.now();
    await reading(context, async (store) => {
      const seen: Seen[] = [];
      for (const [name, schedule] of Object.entries(settings.schedules))
        seen.push(await seenOf(store, { name, schedule, now }));
      if (options["json"] === true) print(JSON.stringify({ schedules: seen }));
      else if (seen.length === 0) print("The configuration names no schedule.");
      else printTable(print, ["SCHEDULE", "REPOSITORY", "NEXT", "LAST", "NOTE"], seen.map(cells));
    });
    return 0;
  },
};

const cells = ({ name, repository, next, last, note }: Seen) => [
  name,
  repository,
  next ?? "never",
  last ?? "not yet",
  note ?? "",
];

async function seenOf(
  store: Pick<Store, "effects" | "repositories">,
  { name, schedule, now }: { readonly name: string; readonly schedule: Schedule; readonly now: number },
): Promise<Seen> {
  const ref = parseFullName(schedule.repository);
  const repository = ref && (await store.repositories.byName(ref.owner, ref.name));
  const rows = repository ? await store.effects.find({ lane: scheduleLane(repository.id, name) }) : [];
  const last = rows.findLast(({ payload }) => payload.kind === "open_scheduled" && payload.first !== true);
  const due = nextDue(schedule, now);
  return {
    name,
    repository: schedule.repository,
    next: due === null ? null : iso(due + jitterOf(name, schedule)),
    last: last === undefined ? null : iso(last.createdAt),
    note:
      repository === undefined
        ? "no webhook of this repository has arrived"
        : last === undefined
          ? null
          : noteOf(last),
  };
}

const iso = (at: number) => new Date(at).toISOString();

const outcome = z.looseObject({ number: z.int().optional(), skipped: z.string().optional() });

function noteOf({ state, result, error }: EffectRow): string {
  const { number, skipped } = outcome.safeParse(result).data ?? {};
  if (number !== undefined) return `opened #${number}`;
  if (skipped !== undefined) return `opened none: ${skipped}`;
  return state === "pending" || state === "leased"
    ? "begins"
    : `opened none: ${error ?? "no reason was kept"}`;
}
