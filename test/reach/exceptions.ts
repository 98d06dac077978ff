/** Arrows that no test can drive the engine along, each with its reason. Ten at most. */
export const EXCEPTIONS: Readonly<Record<string, string>> = {};
