/**
 * The environment variable that marks every process of an agent, so that Flotilla finds those that survive a crash or
 * leave their parents. Its value names the work and its directory, so that two Flotillas on one machine never end each
 * other's processes.
 */
export const PROCESS_MARK = "FLOTILLA_SESSION";
