/** What is being done, as the log names it: ours, and no text of anybody else's. */
export interface Doing {
  /** `X-GitHub-Delivery` of the webhook that is handled. */
  readonly delivery?: string;
  /** Key of the act on the world outside that is carried out. */
  readonly effect?: string;
  /** GitHub's id of the repository. */
  readonly repository?: number;
  readonly issue?: number;
  /** Name of the agent that it is done for. */
  readonly agent?: string;
  /** Id of that agent's run. */
  readonly run?: number;
  /** Where traces are sent: ids of the trace and the span in which it is done, in hex. */
  readonly trace?: string;
  readonly span?: string;
}

/** Does the work so that whatever is logged on its way, however deep, says what was being done. */
export type Within = <T>(doing: Doing, work: () => Promise<T>) => Promise<T>;
