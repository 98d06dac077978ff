/** Arrows that no test can drive the engine along, each with its reason. Ten at most. */
export const EXCEPTIONS: Readonly<Record<string, string>> = {
  "task: CLAIMED --OBSERVED_CLOSED--> ABANDONED":
    "a coder that lives gives its task back before the issue's end is told; kept so that closing the issue also ends a task whose coder a damaged database has lost",
};
