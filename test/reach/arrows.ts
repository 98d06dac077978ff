import { agentMachine } from "../../src/domain/agents/agent.ts";
import { runMachine } from "../../src/domain/agents/run.ts";
import { sessionMachine } from "../../src/domain/agents/session.ts";
import { NEW } from "../../src/domain/kernel/state-machine.ts";
import { goalMachine } from "../../src/domain/planning/goal.ts";
import { sprintMachine } from "../../src/domain/planning/sprint.ts";
import { reviewLeaseMachine } from "../../src/domain/review/review-lease.ts";
import { taskMachine } from "../../src/domain/tasks/task.ts";
import type { Reached } from "./record.ts";

interface Table {
  readonly name: string;
  readonly rules: readonly {
    readonly from: typeof NEW | readonly string[];
    readonly on: string;
    readonly to: string;
  }[];
}

export const TABLES: readonly Table[] = [
  goalMachine,
  sprintMachine,
  taskMachine,
  reviewLeaseMachine,
  agentMachine,
  runMachine,
  sessionMachine,
];

const written = (from: string, event: string, to: string) => `${from} --${event}--> ${to}`;

/** Every arrow of a table, as text. */
export function arrowsOf({ rules }: Table): ReadonlySet<string> {
  return new Set(
    rules.flatMap(({ from, on, to }) =>
      (from === NEW ? [NEW] : from).map((start) => written(start, on, to === "unchanged" ? start : to)),
    ),
  );
}

export interface Reach {
  readonly machine: string;
  readonly arrows: number;
  readonly engine: number;
  readonly process: number;
  /** Arrows that neither the engine nor a process of its own took. */
  readonly never: readonly string[];
  /** Taken by something, but not in the table. */
  readonly unknown: readonly string[];
}

/** What was reached of each table. Moves made by hand do not count. */
export function reachOf(tables: readonly Table[], reached: readonly Reached[]): readonly Reach[] {
  return tables.map((table) => {
    const arrows = arrowsOf(table);
    const takenBy = (...by: readonly Reached["by"][]) =>
      new Set(
        reached
          .filter((one) => one.machine === table.name && by.includes(one.by))
          .map(({ from, event, to }) => written(from, event, to)),
      );
    const known = (taken: ReadonlySet<string>) => [...taken].filter((arrow) => arrows.has(arrow)).length;
    const taken = takenBy("engine", "process");
    return {
      machine: table.name,
      arrows: arrows.size,
      engine: known(takenBy("engine")),
      process: known(takenBy("process")),
      never: [...arrows].filter((arrow) => !taken.has(arrow)),
      unknown: [...taken].filter((arrow) => !arrows.has(arrow)),
    };
  });
}

/** Arrows that the state diagrams of a page draw and no table has; each diagram belongs to the heading above it. */
export function drawnOnly(tables: readonly Table[], page: string): readonly string[] {
  return page.split(/^## /m).flatMap((section) => {
    const title = (section.split("\n", 1)[0] ?? "").trim();
    const table = tables.find(({ name }) => name === title.toLowerCase().replaceAll(" ", "_"));
    const diagrams = [...section.matchAll(/^stateDiagram-v2\n(?<body>(?: .*\n)*)/gm)];
    const drawn = diagrams.flatMap(({ groups }) => (groups?.["body"] ?? "").split("\n"));
    const known = table === undefined ? new Set() : arrowsOf(table);
    return drawn
      .map((line) => /^ *(?<from>\S+) --> (?<to>\S+): (?<on>\S+)$/.exec(line)?.groups)
      .flatMap((arrow) => (arrow === undefined ? [] : [arrow]))
      .map(({ from = "", on = "", to = "" }) => written(from === "[*]" ? NEW : from, on, to))
      .filter((arrow) => !known.has(arrow))
      .map((arrow) => `${title}: ${arrow}`);
  });
}
