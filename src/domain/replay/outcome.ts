/** What the handling of one delivery wrote, without times and later changes. */
export interface Outcome {
  readonly transitions: readonly {
    readonly machine: string;
    readonly recordId: number;
    readonly actor: string;
    readonly event: string;
    readonly from: string;
    readonly to: string;
    readonly reason: string | null;
  }[];
  readonly decisions: readonly {
    readonly rule: string;
    readonly agentId: number | null;
    readonly reason: string;
    readonly change: string | null;
  }[];
  readonly effects: readonly { readonly key: string; readonly kind: string; readonly payload: unknown }[];
  readonly wakes: readonly {
    readonly key: string;
    readonly agentId: number;
    readonly reason: string;
    readonly detail: string;
  }[];
}

/** How many there are of each kind. */
export type Counts = Readonly<Record<keyof Outcome, number>>;

export const NO_OUTCOME: Outcome = { transitions: [], decisions: [], effects: [], wakes: [] };

export function counted(outcomes: readonly Outcome[]): Counts {
  const sum = (of: keyof Outcome) => outcomes.reduce((so, outcome) => so + outcome[of].length, 0);
  return {
    transitions: sum("transitions"),
    decisions: sum("decisions"),
    effects: sum("effects"),
    wakes: sum("wakes"),
  };
}
