import { advancing } from "./advance.ts";
import { asleep } from "./asleep.ts";
import { awake } from "./awake.ts";
import type { Bench } from "./bench.ts";
import { commit } from "./commit.ts";
import { grown } from "./grown.ts";
import { intake } from "./intake.ts";
import { life } from "./life.ts";
import { onPostgres } from "./on-postgres.ts";
import { worktree } from "./worktree.ts";

/** The benches, in the order in which they run. */
export const BENCHES: readonly Bench[] = [
  intake,
  advancing,
  onPostgres,
  worktree,
  commit,
  life,
  awake,
  asleep,
  grown,
];
