import type { Candidate, CaseCheck, Measure, TrialCase, Verdict } from "../../domain/trial/trial-case.ts";
import type { Work } from "../../domain/trial/trial-line.ts";
import type { DueRun } from "../../domain/trial/trial-state.ts";

/** What a trial asks of the repository that it is about. */
export interface TrialGround {
  /** Yields the closed issues, newest first, but those of `known`. */
  candidates(known: ReadonlySet<number>): AsyncIterable<Candidate>;
  /** Runs the tests of a case before and with the real change; null where it was interrupted. */
  check(of: TrialCase): Promise<CaseCheck | null>;
  /** Makes a bare repository in an empty directory: the history up to the case's base, and nothing later. */
  prepare(of: TrialCase, directory: string): Promise<void>;
  /** Returns a diff: of the real change, or of a commit in the repository of a run. */
  diff(
    of: TrialCase,
    result: { readonly repository: string; readonly commit: string } | null,
  ): Promise<string>;
  /** Runs the tests of a case on a commit in the repository of a run; null where it was interrupted. */
  judge(
    of: TrialCase,
    measure: Measure,
    result: { readonly repository: string; readonly commit: string },
  ): Promise<Verdict | null>;
}

/** Has an agent work on cases. */
export interface TrialWorker {
  /**
   * Has the agent work on the case in a bare repository; null where it was interrupted. `directory` is of this run alone;
   * `maxCostUsd`: what the run may cost, where that is less than its role may.
   */
  work(
    due: DueRun,
    place: {
      readonly directory: string;
      readonly repository: string;
      readonly maxCostUsd: number | undefined;
    },
  ): Promise<Work | null>;
  /** Returns what an interrupted or killed attempt has cost, in US dollars. */
  costOf(directory: string): Promise<number>;
  /** US dollars that one run may cost by its role; undefined for no limit. */
  readonly maxCostUsd: number | undefined;
}
