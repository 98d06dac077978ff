import type { DeliveryRow } from "../../domain/kernel/rows.ts";
import type { Difference } from "../../domain/replay/differences.ts";
import type { Replayed } from "./replay-issue.ts";

/** Characters; longer texts are truncated for people, and complete in JSON. */
const SHOWN = 300;

/** A replayed issue, with what its agents did beyond the other configuration's limits and level. */
export interface ReplayedWhole extends Replayed {
  readonly beyond: readonly Difference[];
}

/** Returns the lines that a person reads about one issue. */
export function replayText(repository: string, replayed: ReplayedWhole): readonly string[] {
  const { issue, differing, untold, beyond } = replayed;
  return [
    ...differing.flatMap(({ delivery, differences, because }) => [
      headOf(delivery),
      ...differences.flatMap(linesOf),
      ...(because === null ? [] : [`  by         ${because.length === 0 ? NO_KEY : because.join(", ")}`]),
      "",
    ]),
    ...untold.flatMap(({ delivery, why }) => [headOf(delivery), `  not told by the record: ${cut(why)}`, ""]),
    ...(beyond.length === 0 ? [] : ["Limits and level", ...beyond.flatMap(linesOf), ""]),
    `${repository}#${issue}: ${summary(replayed)}`,
  ];
}

const NO_KEY = "no single key of the configuration: several together, or today's code";

/** Summarizes an issue in one line. */
export function summary({ deliveries, same, differing, untold, beyond }: ReplayedWhole): string {
  const decided = `${many(deliveries, "delivery", "deliveries")} decided again`;
  const parts = [
    many(same.transitions, "transition"),
    many(same.decisions, "decision"),
    many(same.effects, "effect"),
    many(same.wakes, "wake"),
    ...(same.ignored === 0 ? [] : [`${same.ignored} ignored`]),
  ].join(", ");
  const told =
    differing.length === 0
      ? `the same: ${parts}`
      : `${many(differing.length, "delivery differs", "deliveries differ")}, otherwise the same: ${parts}`;
  const rest =
    untold.length === 0
      ? ""
      : `; of ${many(untold.length, "delivery", "deliveries")} the record does not tell`;
  const bounds =
    beyond.length === 0 ? "" : `; ${many(beyond.length, "limit or level", "limits and levels")} met`;
  return `${decided}, ${told}${bounds}${rest}.`;
}

/** Returns the JSON of one issue. */
export function replayJson({ issue, deliveries, same, differing, untold, beyond }: ReplayedWhole): object {
  return {
    issue,
    deliveries,
    same,
    differs: differing.length + beyond.length,
    beyond,
    differing: differing.map(({ delivery, differences, because }) => ({
      ...placeOf(delivery),
      differences,
      because,
    })),
    untold: untold.map(({ delivery, why }) => ({ ...placeOf(delivery), why })),
  };
}

function placeOf(delivery: DeliveryRow) {
  return { guid: delivery.guid, event: nameOf(delivery), receivedAt: delivery.receivedAt };
}

function headOf(delivery: DeliveryRow): string {
  return `${new Date(delivery.receivedAt).toISOString()}  ${nameOf(delivery)}  ${delivery.guid}`;
}

function nameOf({ event, action }: DeliveryRow): string {
  return action === null ? event : `${event}.${action}`;
}

function linesOf({ what, recorded, again }: Difference): readonly string[] {
  if (recorded === null) return [`  only now   ${what} ${cut(again ?? "")}`];
  if (again === null) return [`  only then  ${what} ${cut(recorded)}`];
  return [`  then       ${what} ${cut(recorded)}`, `  now        ${what} ${cut(again)}`];
}

/** Formats a text as one line of limited length. */
function cut(text: string): string {
  const line = text.replaceAll(/\s+/g, " ");
  return line.length <= SHOWN ? line : `${line.slice(0, SHOWN)} …`;
}

function many(count: number, one: string, more = `${one}s`): string {
  return `${count} ${count === 1 ? one : more}`;
}
