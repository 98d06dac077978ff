/**
 * Returns `feat-dev-issue-42`; a later attempt ends with `.2`, an agent of an ephemeral role with `-<epoch seconds>`.
 */
export function agentName(options: {
  role: string;
  issue: number;
  attempt: number;
  ephemeralAt: number | null;
}): string {
  const attempt = options.attempt > 1 ? `.${options.attempt}` : "";
  const ephemeral = options.ephemeralAt === null ? "" : `-${Math.floor(options.ephemeralAt / 1000)}`;
  return `${options.role}-issue-${options.issue}${attempt}${ephemeral}`;
}

/** Returns `owner/name:feat-dev-issue-42`, as API and command line show it. */
export function agentKey(repository: string, name: string): string {
  return `${repository}:${name}`;
}

export function parseAgentKey(key: string): { repository: string; name: string } | undefined {
  const match = /^([^/:\s]+\/[^/:\s]+):([A-Za-z0-9._-]+)$/.exec(key);
  return match?.[1] && match[2] ? { repository: match[1], name: match[2] } : undefined;
}

/** Returns the role in an agent's name. */
export function roleOfName(name: string): string {
  return name.replace(/-issue-\d{1,15}(?:\.\d+)?(?:-\d+)?$/, "");
}

/** Returns the issue in an agent's name; null for any other text. */
export function issueOfName(name: string): number | null {
  const digits = /-issue-(\d{1,15})(?:\.\d+)?(?:-\d+)?$/.exec(name)?.[1];
  return digits === undefined ? null : Number(digits);
}

/**
 * Returns `flotilla-<16 hex>-<n>`: accepted by the runtime (`[A-Za-z0-9_-]`), unique per conversation. `digest` is
 * SHA-256 in hex, passed in because the domain does no cryptography.
 */
export function sessionId(
  digest: (text: string) => string,
  agent: { repositoryId: number; name: string },
  conversation: number,
): string {
  return `flotilla-${digest(`${agent.repositoryId}:${agent.name}`).slice(0, 16)}-${conversation}`;
}
