/** What stops an agent that must not run on. All counts are of one agent (one attempt) and survive sleep and restart. */
export interface Limits {
  /** Milliseconds in state ACTIVE, summed over all its periods. */
  readonly maxActiveDurationMs: number;
  /** Wakes that count: for a blocker, checks, time, a moved base. A person's act is free. */
  readonly maxIterations: number;
  /** Tool calls, those of the runtime's own tools included. */
  readonly maxToolCalls: number;
  /** Turns: model calls with their tools. */
  readonly maxTurns: number;
  /** Milliseconds of one sleep, after which a person is asked. */
  readonly maxSleepDurationMs: number;
  /** Tokens in and out. */
  readonly maxTokens: number;
  /** US dollars; undefined when switched off. */
  readonly maxCostUsd: number | undefined;
  /** Share of a limit, 0 to 1, at which the model and the log are warned. */
  readonly warnAt: number;
}

/** Some limits, others untouched. */
export type LimitOverrides = { readonly [Name in keyof Limits]?: Limits[Name] };

/** `circuit_breakers`: the defaults, and what is different for a role by its name. */
export interface LimitSettings {
  /** The highest limit of turns that may be set, and the most turns that a person grants at once. */
  readonly turnCeiling: number;
  readonly defaults: Limits;
  readonly roles: ReadonlyMap<string, LimitOverrides>;
}

/**
 * The limits in force for a role: the defaults, replaced by what `circuit_breakers.roles.<role>` says,
 * lowered by the role file's own `limits`. A role file never raises a limit, because it may come from a repository.
 */
export function limitsFor(
  settings: { readonly limits: LimitSettings },
  role: { readonly name: string; readonly limits: LimitOverrides },
): Limits {
  return lowered({ ...settings.limits.defaults, ...settings.limits.roles.get(role.name) }, role.limits);
}

/** `limits` with every value of `overrides` that is lower. */
export function lowered(limits: Limits, overrides: LimitOverrides): Limits {
  return {
    maxActiveDurationMs: atMost(limits.maxActiveDurationMs, overrides.maxActiveDurationMs),
    maxIterations: atMost(limits.maxIterations, overrides.maxIterations),
    maxToolCalls: atMost(limits.maxToolCalls, overrides.maxToolCalls),
    maxTurns: atMost(limits.maxTurns, overrides.maxTurns),
    maxSleepDurationMs: atMost(limits.maxSleepDurationMs, overrides.maxSleepDurationMs),
    maxTokens: atMost(limits.maxTokens, overrides.maxTokens),
    maxCostUsd:
      limits.maxCostUsd === undefined
        ? overrides.maxCostUsd
        : atMost(limits.maxCostUsd, overrides.maxCostUsd),
    warnAt: atMost(limits.warnAt, overrides.warnAt),
  };
}

/** The smaller one, or `current` where nothing is wanted. */
export function atMost(current: number, wanted: number | undefined): number {
  return wanted === undefined ? current : Math.min(current, wanted);
}
