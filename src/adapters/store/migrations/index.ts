import { machines } from "./0001_machines.ts";
import { traffic } from "./0002_traffic.ts";
import { proof } from "./0003_proof.ts";
import { growth } from "./0004_growth.ts";
import { waits } from "./0005_waits.ts";
import { decidedAfter } from "./0006_decided_after.ts";
import { rounds } from "./0007_rounds.ts";
import { loneOpenings } from "./0008_lone_openings.ts";
import { boundedReads } from "./0009_bounded_reads.ts";
import { errorWaits } from "./0010_error_waits.ts";
import { waitsForPeople } from "./0011_waits_for_people.ts";
import { errorCodes } from "./0012_error_codes.ts";
import { roundsGranted } from "./0013_rounds_granted.ts";
import { marks } from "./0014_marks.ts";
import { failedMergesWait } from "./0015_failed_merges_wait.ts";
import { foreignCommits } from "./0016_foreign_commits.ts";
import { shown } from "./0017_shown.ts";
import { abandonedReasons } from "./0018_abandoned_reasons.ts";
import { reviewerAccounts } from "./0019_reviewer_accounts.ts";
import { rejectedWaits } from "./0020_rejected_waits.ts";
import type { Migration } from "./migration.ts";

/** All of them, in order. A new one goes to the end. */
export const migrations: readonly Migration[] = [
  machines,
  traffic,
  proof,
  growth,
  waits,
  decidedAfter,
  rounds,
  loneOpenings,
  boundedReads,
  errorWaits,
  waitsForPeople,
  errorCodes,
  roundsGranted,
  marks,
  failedMergesWait,
  foreignCommits,
  shown,
  abandonedReasons,
  reviewerAccounts,
  rejectedWaits,
];
