/** What a session may become. */
export const SESSION_TABLE: Readonly<Record<string, readonly string[]>> = {
  unspecified: ["starting"],
  starting: ["running", "idle", "paused", "stopping", "failed"],
  running: ["idle", "waiting_approval", "paused", "stopping", "failed"],
  idle: ["running", "paused", "stopping", "failed"],
  waiting_approval: ["running", "idle", "paused", "stopping", "failed"],
  paused: ["running", "idle", "waiting_approval", "stopping", "failed"],
  stopping: ["stopped", "failed"],
  stopped: ["starting"],
  failed: ["starting", "stopped"],
};
