import { type MachineEvent, NEW } from "../../../src/domain/kernel/state-machine.ts";

/** One move of a machine: from a state (or from nothing), by an event, to a state. */
export interface Arrow {
  readonly from: string;
  readonly event: string;
  readonly to: string;
}

interface Table {
  readonly rules: readonly {
    readonly from: typeof NEW | readonly string[];
    readonly on: MachineEvent["type"];
    readonly to: string;
  }[];
}

/** Every arrow of a machine's table, one for each state that it starts from. */
export function arrowsOf({ rules }: Table): readonly Arrow[] {
  const arrows = rules.flatMap((rule) =>
    (rule.from === NEW ? [NEW] : rule.from).map((from) => ({
      from,
      event: rule.on,
      to: rule.to === "unchanged" ? from : rule.to,
    })),
  );
  return [...new Map(arrows.map((arrow) => [printArrow(arrow), arrow])).values()];
}

export function printArrow({ from, event, to }: Arrow): string {
  return `${from} --${event}--> ${to}`;
}

/** Arrows as a table in the design writes them: several starts share an event and an end; `=` = the same state. */
export function written(
  ...rows: readonly (readonly [from: string, event: string, to: string])[]
): readonly string[] {
  const arrows = rows.flatMap(([from, event, to]) =>
    from
      .split(" ")
      .flatMap((one) =>
        event
          .split("/")
          .flatMap((name) =>
            to.split("/").map((end) => printArrow({ from: one, event: name, to: end === "=" ? one : end })),
          ),
      ),
  );
  return [...new Set(arrows)].toSorted();
}
