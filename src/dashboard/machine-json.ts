import { NEW } from "../core/machine.ts";
import { agentMachine } from "../core/machines/agent.ts";
import { runMachine } from "../core/machines/run.ts";
import { taskMachine } from "../core/machines/task.ts";

/** A machine's table as a graph; `from` null is where a record begins. */
export interface MachineJson {
  readonly name: string;
  readonly states: readonly string[];
  readonly terminal: readonly string[];
  readonly arrows: readonly {
    readonly from: string | null;
    readonly to: string;
    readonly on: readonly string[];
  }[];
}

interface Table {
  readonly name: string;
  readonly states: readonly string[];
  readonly terminal: readonly string[];
  readonly rules: readonly {
    readonly from: typeof NEW | readonly string[];
    readonly on: string;
    readonly to: string;
  }[];
}

/** The machines that an agent's page draws, by name. */
export const MACHINES: Readonly<Record<string, MachineJson>> = Object.fromEntries(
  [agentMachine, runMachine, taskMachine].map((machine) => [machine.name, machineJson(machine)]),
);

/** Arrows between the same two states are one, with all its events. */
function machineJson({ name, states, terminal, rules }: Table): MachineJson {
  const arrows = new Map<string, { from: string | null; to: string; on: string[] }>();
  for (const rule of rules)
    for (const from of rule.from === NEW ? [null] : rule.from) {
      const to = rule.to === "unchanged" ? (from ?? rule.to) : rule.to;
      const key = `${from ?? ""}>${to}`;
      const arrow = arrows.get(key) ?? { from, to, on: [] };
      if (!arrow.on.includes(rule.on)) arrow.on.push(rule.on);
      arrows.set(key, arrow);
    }
  return { name, states, terminal, arrows: [...arrows.values()] };
}
