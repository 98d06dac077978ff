import { join } from "node:path";
import { PROCESS_MARK } from "../../../domain/breakers/process-mark.ts";

/** Variables of the host that agents may see. Everything else stays outside: it may hold keys, tokens, proxies with passwords. */
const passed = [
  "PATH",
  "LANG",
  "LC_ALL",
  "LC_CTYPE",
  "TZ",
  "SSL_CERT_FILE",
  "SSL_CERT_DIR",
  "NODE_EXTRA_CA_CERTS",
];

/**
 * The mark of a session's processes. The directory belongs to it: two Flotillas on one machine that work for the same
 * repository give their sessions the same ids.
 */
export function markOf(session: { sessionId: string; baseDirectory: string }): string {
  return `${session.sessionId}@${session.baseDirectory}`;
}

/** The complete environment of one session's runtime and of the shells in it; `own` is what the runtime itself reads. */
export function agentEnvironment(
  hostEnv: Readonly<Record<string, string | undefined>>,
  session: { sessionId: string; baseDirectory: string },
  own: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const env: Record<string, string> = { PATH: "/usr/local/bin:/usr/bin:/bin" };
  for (const name of passed) {
    const value = hostEnv[name];
    if (value) env[name] = value;
  }
  const { home, tmp } = sessionDirectories(session.baseDirectory);
  return {
    ...own,
    ...env,
    HOME: home,
    TMPDIR: tmp,
    GIT_OPTIONAL_LOCKS: "0",
    GIT_TERMINAL_PROMPT: "0",
    [PROCESS_MARK]: markOf(session),
  };
}

/** Places inside a session's base directory that are the agent's to write. */
export function sessionDirectories(baseDirectory: string): { home: string; tmp: string } {
  return { home: join(baseDirectory, "home"), tmp: join(baseDirectory, "tmp") };
}
