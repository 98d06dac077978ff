import type { Scene } from "./scene.ts";
import { OF_ISSUES } from "./scenes-of-issues.ts";
import { OF_PULLS } from "./scenes-of-pulls.ts";
import { OF_WORDS } from "./scenes-of-words.ts";
import { OF_WORK } from "./scenes-of-work.ts";

/** At least one for each webhook that is read. */
export const SCENES: readonly Scene[] = [...OF_ISSUES, ...OF_WORDS, ...OF_WORK, ...OF_PULLS];
