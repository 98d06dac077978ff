import type { Clock } from "../../domain/ports/clock.ts";
import type { Store } from "../../domain/ports/store.ts";
import type { Operations } from "../../engine/commands/operations.ts";
import { doneOn } from "../control/done-on.ts";
import type { ProposalTools } from "./proposal.ts";
import { onboard } from "./propose-config.ts";

/** Creates the operation of a serving process that proposes a repository's file. */
export function onboardsWith({
  store,
  operations,
  clock,
  ...tools
}: Pick<ProposalTools, "github" | "settings" | "publicUrl" | "log"> & {
  readonly store: Store;
  readonly operations: Pick<Operations, "proposeFile">;
  readonly clock: Pick<Clock, "now">;
}): (body: unknown) => Promise<object> {
  const known: ProposalTools["known"] = ({ id }, issues) => doneOn(store, id, issues);
  return (body) => onboard({ store, operations, proposing: { ...tools, known, now: clock.now() } }, body);
}
