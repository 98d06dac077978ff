/** Returns what an agent reads about servers and tools that it does not have in this period. `reasons` are sentences. */
export function serverMissing(reasons: readonly string[]): string {
  return [
    "Some tools of your MCP servers are missing:",
    ...reasons.map((reason) => `- ${reason}`),
    "Work without what is missing. If the work cannot be done without it, say so with escalate_to_human.",
  ].join("\n");
}

/** Returns why a tool was not offered, for people. */
export function notOffered(reason: string): string {
  return `Not offered to the agent: ${reason}`;
}

/** Returns the answer of a tool whose server failed. */
export function serverGone(what: string, isUncertain: boolean, startsAgain: boolean): string {
  return [
    `${what}.`,
    ...(isUncertain
      ? ["It is not certain whether the call was carried out: look before you repeat it."]
      : []),
    startsAgain
      ? "The next call starts it again."
      : "It is not started again in this period: work without it, or say with escalate_to_human that you cannot.",
  ].join(" ");
}
