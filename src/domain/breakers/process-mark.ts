/**
 * The environment variable that marks every process which works for an agent, so that those left behind by a crash, or
 * that ran away from their parents, can be found. Its value names the work and the directory that the work belongs to:
 * two Flotillas on one machine must never end each other's processes.
 */
export const PROCESS_MARK = "FLOTILLA_SESSION";
