/** Trailers that only the host writes: an agent states neither run nor model nor author, and signs off for nobody. */
const HOSTS = /^(?:flotilla-run|model|signed-off-by|co-authored-by)[ \t]*:/i;

/** A line that git reads as a trailer at a message's end, or its continuation. */
const TRAILER = /^(?:[A-Za-z0-9-]+[ \t]*:[ \t]*\S.*|[ \t]+\S.*)$/;

export interface Provenance {
  /** `owner/name:feat-dev-issue-42`. */
  readonly agent: string;
  readonly runId: number;
  readonly model: string;
  /** Name and address of the person who asked for the work; null where none did. */
  readonly coAuthoredBy: string | null;
  /** Name and address for the sign-off; null for none. */
  readonly signedOffBy: string | null;
}

/** Returns the name of a run in commits and pull requests. */
export function runName({ agent, runId }: Pick<Provenance, "agent" | "runId">): string {
  return `${agent}/${runId}`;
}

/**
 * Returns the agent's message followed by the host's trailers, in git's format. Trailers of the host's names in the
 * agent's message are dropped; its subject line always stays.
 */
export function commitMessage(words: string, provenance: Provenance): string {
  const lines = words.replaceAll(/\r\n?/g, "\n").trim().split("\n");
  const text = withoutHosts(lines).join("\n").trimEnd();
  const body = text.lastIndexOf("\n\n");
  const last = text.slice(body).trim().split("\n");
  const block = body >= 0 && last.every((line) => TRAILER.test(line));
  const trailers = [
    `Flotilla-Run: ${runName(provenance)}`,
    `Model: ${provenance.model}`,
    ...(provenance.signedOffBy === null ? [] : [`Signed-off-by: ${provenance.signedOffBy}`]),
    ...(provenance.coAuthoredBy === null ? [] : [`Co-authored-by: ${provenance.coAuthoredBy}`]),
  ];
  return `${text}${block ? "\n" : "\n\n"}${trailers.join("\n")}`;
}

/** Drops the host's trailers below the subject, with their continuation lines. */
function withoutHosts(lines: readonly string[]): readonly string[] {
  let dropping = false;
  return lines.filter((line, index) => {
    dropping = index > 0 && (HOSTS.test(line) || (dropping && /^[ \t]+\S/.test(line)));
    return !dropping;
  });
}
