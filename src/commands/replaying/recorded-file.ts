import { z } from "zod";
import type { Answers } from "../../core/replay/recorded-answers.ts";
import { ownFileQuestion } from "../../core/replay/recorded-file.ts";
import type { RepositoryOverride } from "../../core/repository-override.ts";
import type { RepositoryRow } from "../../core/rows.ts";
import type { Settings } from "../../core/settings.ts";
import { settingsFor } from "../../core/settings-for.ts";
import type { EngineContext } from "../../engine/context.ts";

/** Written by this program of what its own schema let through, and bounded again by `settingsFor`. */
const recorded = z
  .custom<RepositoryOverride>((value) => typeof value === "object" && value !== null)
  .nullable();

/**
 * What held in the repository when the delivery was decided: its own file as it was then, within these settings.
 * Where the record does not tell, that goes to `missing` when it is asked for.
 */
export function recordedFile(
  settings: Settings,
  { answers }: { readonly answers: Answers },
  repository: RepositoryRow,
  missing: Pick<string[], "push">,
): EngineContext["ownSettings"] {
  const question = ownFileQuestion(repository);
  const kept = answers[question];
  const override = kept !== undefined && "answer" in kept ? recorded.parse(kept.answer) : null;
  const own = override === null ? settings : settingsFor(settings, override);
  return {
    of: () => own,
    all: () => [settings, own],
    fresh: () => {
      if (kept === undefined) missing.push(question);
      return Promise.resolve(own);
    },
    // What was told of a faulty file is no outcome of the delivery.
    faultyIn: () => undefined,
    load: nothing,
    look: nothing,
    round: nothing,
  };
}

const nothing = () => Promise.resolve();
