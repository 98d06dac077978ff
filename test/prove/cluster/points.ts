import { CRASH_MOMENTS } from "../../../src/domain/kernel/crash-points.ts";
import { effect } from "../../../src/domain/kernel/effect.ts";

/** Only SQLite has a file of webhooks before its database; test/journeys/crash.test.ts ends a process there. */
const OF_SQLITE = "delivery:moved";

/** The crash points at which a process of the proof may end itself. */
export const POINTS: readonly string[] = [
  ...effect.options.map(({ shape }) => `effect:${shape.kind.value}`),
  ...CRASH_MOMENTS.filter((moment) => moment !== OF_SQLITE),
];
