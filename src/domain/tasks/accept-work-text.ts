import { personNamed } from "../status/person-named.ts";
import { pullOf } from "./next-of-work.ts";

/**
 * Returns how a person accepts the work as it is: after a request for changes of its newest commit, only by a merge.
 */
export function acceptWorkText(pull: number | null, isRejected: boolean): string {
  return isRejected
    ? `a merge of ${pullOf(pull)} on GitHub takes the work as it is`
    : "`/flotilla complete` takes the work as it is";
}

/** Returns the same as a step for people, with the reason. */
export function acceptWorkStep(pull: number | null, rejectedBy: readonly string[]): string {
  const people = rejectedBy.map(personNamed).join(" and ");
  return rejectedBy.length === 0
    ? acceptWorkText(pull, false)
    : `merge ${pullOf(pull)} on GitHub to take the work as it is: ${people} requested changes of its newest commit`;
}
