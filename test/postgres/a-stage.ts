import type { Scenario } from "../../src/demo/scenario.ts";
import { type Stage, setStage } from "../../src/demo/stage.ts";
import { BUBBLEWRAP_IS_HERE } from "../adapters/sandbox/bubblewrap-here.ts";
import { COMPILE_CACHE } from "../compile-cache.ts";

/** Sets the stage with the Flotilla process on the PostgreSQL database at this URL. `env` is added to its own; `main` is the program of another version. */
export function stageOn(
  url: string,
  scenario: Scenario,
  directory: string,
  env: Readonly<Record<string, string>> = {},
  main?: string,
): Promise<Stage> {
  return setStage({
    scenario,
    directory,
    main,
    confined: BUBBLEWRAP_IS_HERE,
    env: { ...COMPILE_CACHE, FLOTILLA_SECOND_LOOK_MS: "300", DATABASE_URL: url, ...env },
  });
}
