/** Structured log: the message is constant so that it can be counted; variable parts go into the fields. */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** What is being done, for the log: our own words, and no untrusted text. */
export interface LogContext {
  /** `X-GitHub-Delivery` of the webhook that is handled. */
  readonly delivery?: string;
  /** Key of the effect that is carried out. */
  readonly effect?: string;
  /** GitHub's id of the repository. */
  readonly repository?: number;
  readonly issue?: number;
  /** Name of the agent for which it is done. */
  readonly agent?: string;
  /** Id of that agent's run. */
  readonly run?: number;
  /** Where traces are exported: ids of the trace and the present span, in hex. */
  readonly trace?: string;
  readonly span?: string;
}

/** Runs the work so that all log lines on its way, however deep, carry this context. */
export type WithLogContext = <T>(doing: LogContext, work: () => Promise<T>) => Promise<T>;
