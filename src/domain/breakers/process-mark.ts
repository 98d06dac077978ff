/**
 * The environment variable that marks every process of an agent, so that Flotilla finds those that survive a crash or
 * leave their parents. Its value names the work and its directory, so that two Flotillas on one machine never end each
 * other's processes.
 */
export const PROCESS_MARK = "FLOTILLA_SESSION";

/** Returns the agent in whose directory of `dataDir` the marked process was started; null for another process. */
export function agentOfMark(mark: string, dataDir: string): number | null {
  const [, place] = mark.split(`@${dataDir}/`);
  const id = /^(?:sessions|evaluations)\/([1-9]\d*)$/.exec(place ?? "")?.[1];
  return id === undefined ? null : Number(id);
}

/** Returns the mark of an MCP server that was started for an agent; `rest` makes it the only one of its name. */
export function mcpMark(agentId: number, rest: string): string {
  return `mcp-${agentId}-${rest}`;
}

/** Returns the agent of such a mark; null for another mark. */
export function agentOfMcpMark(mark: string): number | null {
  const id = /^mcp-([1-9]\d*)-/.exec(mark)?.[1];
  return id === undefined ? null : Number(id);
}
