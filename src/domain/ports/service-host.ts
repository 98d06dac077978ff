/** A program that runs beside a command, inside the same confinement. */
export interface ServiceStart {
  readonly name: string;
  /** Lines for the shell: the service, which stays in the foreground, and what exits with 0 once it can be used. */
  readonly run: string;
  readonly ready: string;
  /**
   * Absolute path that the command may write; emptied before the start. Both lines find it in FLOTILLA_SERVICE_DIR. The
   * output is kept beside it, in the file of that name with `.log`.
   */
  readonly directory: string;
}

/** How a service ended. */
export interface ServiceEnd {
  readonly name: string;
  /** Null when a signal ended it. */
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** The end of its output. */
  readonly log: string;
}

/**
 * Starts services beside one command. What it is asked waits until that command is confined with it, and is done inside.
 * What it tells comes from inside, where an agent can forge it.
 */
export interface ServiceHost {
  /** Absolute path of the directory with the socket by which the confined side reaches us. */
  readonly directory: string;
  start(service: ServiceStart): void;
  /** Runs the service's `ready` once, for 10 s at most. False also when the command or the host is gone. Never rejects. */
  isReady(name: string): Promise<boolean>;
  /** Returns the end of the service's output so far; empty when the command or the host is gone. Never rejects. */
  log(name: string): Promise<string>;
  /** Lets the command itself begin. */
  release(): void;
  /** The listener is called once for each service that ends before its command does. */
  onEnd(listener: (end: ServiceEnd) => void): void;
  /** Lets go of the confined side: the services end with their command. Idempotent. */
  close(): void;
}
