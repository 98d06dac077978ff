import type { RepositoryRef } from "../../../domain/kernel/repository.ts";
import type { Clock } from "../../../domain/ports/clock.ts";
import type { GitHub } from "../../../domain/ports/github.ts";
import type { SignedMarker } from "../app/signed-marker.ts";
import type { Asking } from "./read-answer.ts";

/** What the operations of the GitHub adapter work with. */
export interface Room {
  /**
   * Returns calls for the repository's installation, with a token for only this repository, or also for one more of the
   * same installation if a call concerns both.
   */
  readonly on: (repository: RepositoryRef, beside?: RepositoryRef) => Asking;
  /** Same as `on`, for requests that a person waits for. */
  readonly answering: (repository: RepositoryRef) => Asking;
  readonly identity: GitHub["identity"];
  readonly marker: SignedMarker;
  readonly clock: Clock;
}
