import type { MachineJson } from "../machine-json.ts";

/** Where a state stands, in units of the drawing; x and y are its middle. */
export interface Place {
  readonly state: string;
  readonly column: number;
  readonly x: number;
  readonly y: number;
}

export interface Layout {
  readonly width: number;
  readonly height: number;
  readonly places: ReadonlyMap<string, Place>;
}

export const BOX = { width: 116, height: 30 } as const;
const COLUMN = 178;
const ROW = 48;
const MARGIN = 12;

/** States in columns by how many moves they are from the beginning; those that end it stand last. */
export function layOut(machine: MachineJson): Layout {
  const columns = columnsOf(machine);
  const rows = Math.max(...columns.map(({ length }) => length));
  const height = rows * ROW + 2 * MARGIN;
  const places = columns.flatMap((states, column) =>
    states.map((state, row): [string, Place] => [
      state,
      {
        state,
        column,
        x: MARGIN + BOX.width / 2 + column * COLUMN,
        y: height / 2 + (row - (states.length - 1) / 2) * ROW,
      },
    ]),
  );
  const width = 2 * MARGIN + BOX.width + (columns.length - 1) * COLUMN;
  return { width, height, places: new Map(places) };
}

function columnsOf({ states, terminal, arrows }: MachineJson): readonly (readonly string[])[] {
  const begun = arrows.flatMap(({ from, to }) => (from === null ? [to] : []));
  const columns: (readonly string[])[] = [];
  const seen = new Set<string>(terminal);
  let next = begun.length > 0 ? begun : states.slice(0, 1);
  while (next.length > 0) {
    for (const state of next) seen.add(state);
    columns.push(next);
    const reached = arrows.filter(({ from, to }) => next.includes(from ?? "") && !seen.has(to));
    next = [...new Set(reached.map(({ to }) => to))];
  }
  return [...columns, terminal];
}

/** The line of an arrow; one back runs beside the one forth. */
export function lineOf(from: Place, to: Place): string {
  const half = BOX.width / 2;
  if (from.column === to.column) {
    const down = to.y > from.y ? 1 : -1;
    const [x, y1, y2] = [
      from.x + half * 0.5 * down,
      from.y + (BOX.height / 2) * down,
      to.y - (BOX.height / 2) * down,
    ];
    return `M ${x} ${y1} L ${x} ${y2}`;
  }
  const forth = to.column > from.column ? 1 : -1;
  const [x1, y1] = [from.x + half * forth, from.y + 6 * forth * -1];
  const [x2, y2] = [to.x - half * forth, to.y + 6 * forth * -1];
  const bend = Math.max(30, Math.abs(x2 - x1) / 2) * forth;
  return `M ${x1} ${y1} C ${x1 + bend} ${y1}, ${x2 - bend} ${y2}, ${x2} ${y2}`;
}

/** The middle of an arrow, where its name stands. */
export function middleOf(from: Place, to: Place): readonly [x: number, y: number] {
  if (from.column === to.column)
    return [from.x + (to.y > from.y ? 1 : -1) * (BOX.width / 4), (from.y + to.y) / 2];
  return [(from.x + to.x) / 2, (from.y + to.y) / 2 + (to.column > from.column ? -9 : 14)];
}
