/** Structured log: the message is constant so that it can be counted, what varies goes into the fields. */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** What is being done, as the log names it: ours, and no text of anybody else's. */
export interface LogContext {
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
export type Within = <T>(doing: LogContext, work: () => Promise<T>) => Promise<T>;
