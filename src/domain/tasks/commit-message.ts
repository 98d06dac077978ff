/** Names of trailers that only the host writes: an agent claims no run, no model, and signs off for nobody. */
const HOSTS = /^(?:flotilla-run|model|signed-off-by)[ \t]*:/i;

/** A line as git reads one in the block of trailers at a message's end, or its continuation. */
const TRAILER = /^(?:[A-Za-z0-9-]+[ \t]*:[ \t]*\S.*|[ \t]+\S.*)$/;

export interface Provenance {
  /** `owner/name:feat-dev-issue-42`. */
  readonly agent: string;
  readonly runId: number;
  readonly model: string;
  /** Name and address of who signs off; null where nobody does. */
  readonly signedOffBy: string | null;
}

/** What identifies the run in commits and pull requests. */
export function runName({ agent, runId }: Pick<Provenance, "agent" | "runId">): string {
  return `${agent}/${runId}`;
}

/**
 * The agent's words, then the host's trailers, as git reads them. Trailers of these names among the agent's words are
 * dropped, wherever they stand; its subject is never one, whatever it looks like.
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
  ];
  return `${text}${block ? "\n" : "\n\n"}${trailers.join("\n")}`;
}

/** Without trailers of the host's below the subject; a dropped one takes its continuation lines along. */
function withoutHosts(lines: readonly string[]): readonly string[] {
  let dropping = false;
  return lines.filter((line, index) => {
    dropping = index > 0 && (HOSTS.test(line) || (dropping && /^[ \t]+\S/.test(line)));
    return !dropping;
  });
}
