/** What a session may become, as the design has it. */
export const SESSION_TABLE: Readonly<Record<string, readonly string[]>> = {
  unspecified: ["starting"],
  starting: ["running", "idle", "waiting_approval", "stopping", "stopped", "failed"],
  running: ["idle", "waiting_approval", "paused", "stopping", "stopped", "failed"],
  idle: ["running", "waiting_approval", "paused", "stopping", "stopped", "failed"],
  waiting_approval: ["running", "idle", "paused", "stopping", "stopped", "failed"],
  paused: ["running", "idle", "waiting_approval", "stopping", "stopped", "failed"],
  stopping: ["stopped", "failed"],
  stopped: ["starting"],
  failed: ["starting", "stopped"],
};
