import type { RepositoryRef } from "../../../domain/kernel/repository.ts";
import type { Clock } from "../../../domain/ports/clock.ts";
import type { GitHub } from "../../../domain/ports/github.ts";
import type { OwnMark } from "../app/own-mark.ts";
import type { Asking } from "./read-answer.ts";

/** What the operations of this room work with. */
export interface Room {
  /**
   * Calls in the name of the repository's installation, with a token for this repository alone, or for this and one more
   * of the same installation where a call is about both.
   */
  readonly on: (repository: RepositoryRef, beside?: RepositoryRef) => Asking;
  /** The same for what a person waits for. */
  readonly answering: (repository: RepositoryRef) => Asking;
  readonly identity: GitHub["identity"];
  readonly mark: OwnMark;
  readonly clock: Clock;
}
