import type { MachineJson } from "../api/json.ts";

/** Where a state is drawn, in SVG units; x and y are its centre. */
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
  /** True if the columns run from top to bottom instead of left to right. */
  readonly isUpright: boolean;
}

export const BOX = { width: 108, height: 30 } as const;
/**
 * Distance between columns, distance between the states of a column, and outer margin; for the horizontal and the
 * upright layout.
 */
const LYING = { along: 170, across: 48, margin: 12 } as const;
const UPRIGHT = { along: 84, across: 119, margin: 3 } as const;

/** This many states side by side fill the width of a phone. */
const PHONE = 3;

/**
 * Arranges states in columns by their distance from the initial state; final states are in the last column. On a narrow
 * screen columns become rows if they fit.
 */
export function layOut(machine: MachineJson, isNarrow: boolean): Layout {
  const columns = columnsOf(machine);
  const most = Math.max(...columns.map(({ length }) => length));
  const isUpright = isNarrow && most <= PHONE;
  const { along, across, margin } = isUpright ? UPRIGHT : LYING;
  const [long, broad] = isUpright ? [BOX.height, BOX.width] : [BOX.width, BOX.height];
  const length = 2 * margin + long + (columns.length - 1) * along;
  const breadth = 2 * margin + broad + (most - 1) * across;
  const places = columns.flatMap((states, column) =>
    states.map((state, row): [string, Place] => {
      const [u, v] = [
        margin + long / 2 + column * along,
        breadth / 2 + (row - (states.length - 1) / 2) * across,
      ];
      return [state, { state, column, ...(isUpright ? { x: v, y: u } : { x: u, y: v }) }];
    }),
  );
  const [width, height] = isUpright ? [breadth, length] : [length, breadth];
  return { width, height, places: new Map(places), isUpright };
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

/** Returns the path of an arrow. Arrows in opposite directions run side by side. */
export function lineOf(from: Place, to: Place, isUpright: boolean): string {
  return isUpright ? lineDown(from, to) : lineRight(from, to);
}

function lineDown(from: Place, to: Place): string {
  const half = BOX.height / 2;
  if (from.column === to.column) {
    const right = to.x > from.x ? 1 : -1;
    const y = from.y - 6 * right;
    return `M ${from.x + (BOX.width / 2) * right} ${y} L ${to.x - (BOX.width / 2) * right} ${y}`;
  }
  const forth = to.column > from.column ? 1 : -1;
  const [x1, y1] = [from.x + 12 * forth, from.y + half * forth];
  const [x2, y2] = [to.x + 12 * forth, to.y - half * forth];
  const bend = Math.max(20, Math.abs(y2 - y1) / 2) * forth;
  return `M ${x1} ${y1} C ${x1} ${y1 + bend}, ${x2} ${y2 - bend}, ${x2} ${y2}`;
}

function lineRight(from: Place, to: Place): string {
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

/** Returns the centre of an arrow, where its label is drawn. */
export function middleOf(from: Place, to: Place, isUpright: boolean): readonly [x: number, y: number] {
  if (isUpright) {
    const [x, y] = [(from.x + to.x) / 2, (from.y + to.y) / 2];
    if (from.column === to.column) return [x, y - 10];
    return to.column > from.column ? [x + 28, y - 2] : [x - 28, y + 10];
  }
  if (from.column === to.column)
    return [from.x + (to.y > from.y ? 1 : -1) * (BOX.width / 4), (from.y + to.y) / 2];
  return [(from.x + to.x) / 2, (from.y + to.y) / 2 + (to.column > from.column ? -9 : 14)];
}
