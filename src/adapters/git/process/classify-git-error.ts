import { type Consequence, GitError } from "../../../domain/kernel/errors.ts";
import { codeOf } from "../worktree/directory.ts";

interface Kind {
  readonly code: string;
  readonly when: RegExp;
  readonly consequence: Consequence;
  readonly uncertain?: boolean;
  readonly advice: string;
}

const DISK_FULL = "disk_full";

/** What to do about commits of others on an agent's branch. */
export const FOREIGN_ADVICE =
  "The branch on the server has commits that are not ours. Take them over or move them, then retry.";

/** The first match decides, so an exact text comes before the general one that accompanies it. */
const KINDS: readonly Kind[] = [
  {
    code: DISK_FULL,
    when: /No space left on device|Disk quota exceeded/i,
    consequence: "stop",
    advice: "Free space in the data directory, then retry.",
  },
  {
    code: "git_missing",
    when: /spawn (?=\S*git)\S+ ENOENT/,
    consequence: "stop",
    advice: "Install git 2.32 or newer and put it on the PATH of Flotilla.",
  },
  {
    // If the connection breaks before an answer, curl itself sends the request again, although the first one may have
    // been carried out.
    code: "server_ref_moved",
    when: /remote: error: cannot lock ref|\[remote rejected\].*\((?:cannot lock ref|failed to update ref|incorrect old value)/,
    consequence: "retry",
    uncertain: true,
    advice: "The server's branch moved during the push, perhaps by this push itself; it is tried again.",
  },
  {
    code: "locked",
    when: /\.lock': File exists|cannot lock ref|could not lock|failed to lock|failed to update ref|Another git process/i,
    consequence: "retry",
    advice: "Another git is at work in this repository; it is tried again.",
  },
  {
    code: "foreign_commits",
    when: /\[rejected\].*\((?:fetch first|non-fast-forward|stale info|already exists)\)/,
    consequence: "tell",
    advice: FOREIGN_ADVICE,
  },
  {
    code: "protected",
    when: /\[remote rejected\](?!.*Internal Server Error)|GH0\d\d:|refusing to allow|hook declined/,
    consequence: "tell",
    advice:
      "The server's rules refuse this push. Read its reason, then change the rule, the permission or the commit.",
  },
  {
    code: "base_not_found",
    when: /couldn't find remote ref/i,
    consequence: "tell",
    advice: "Name a branch that exists on the server.",
  },
  {
    code: "auth_failed",
    when: /Authentication failed|could not read (?:Username|Password)|Permission to \S+ denied|returned error: 40[13]|Write access to repository not granted/i,
    consequence: "tell",
    advice: "Check that the App is installed on this repository and may write its contents.",
  },
  {
    code: "repository_not_found",
    when: /repository '[^']*' not found|Repository not found|returned error: 404/i,
    consequence: "tell",
    advice: "Check that the repository exists and that the App is installed on it.",
  },
  {
    code: "certificate",
    when: /SSL certificate problem|certificate verif|server certificate/i,
    consequence: "tell",
    advice: "Put the server's certificate authority into SSL_CERT_FILE.",
  },
  {
    code: "network",
    when: /Could not resolve|Failed to connect|Couldn't connect|Connection (?:refused|reset|timed out)|returned error: (?:429|5\d\d)|early EOF|RPC failed|unexpected disconnect|hung up|Operation too slow|timed out|Internal Server Error|Empty reply|block timeout reached|GnuTLS|SSL_ERROR|transfer closed/i,
    consequence: "retry",
    uncertain: true,
    advice: "The server did not answer; it is tried again.",
  },
  {
    code: "corrupt",
    when: /object file .* is empty|loose object .* corrupt|index file (?:corrupt|smaller)|bad (?:index file|signature|object|tree object)|not a git repository|unable to read (?:tree|sha1)|missing (?:blob|tree|commit)|inflate|pack.*corrupt/i,
    consequence: "tell",
    advice:
      "Move the repository's directory under mirrors/ away; it is fetched again. Unpushed commits lie in it.",
  },
  {
    code: "unfit_names",
    when: /^error: invalid path '/m,
    consequence: "stop",
    advice: "Git refuses to write a file of this commit, because of its name. Take it out of the commit.",
  },
  {
    code: "unwritable",
    when: /Permission denied|Read-only file system|Operation not permitted/i,
    consequence: "stop",
    advice: "Give Flotilla's user write permission in the data directory.",
  },
];

/**
 * Prefixes of git's messages that no name of an agent's file can imitate. A name may contain newlines, so only the
 * beginning of stderr counts. Absolute paths in messages belong to the host, because the agent's are relative.
 */
const BY_ITSELF = new RegExp(
  [
    "(?:bwrap|nice): .*",
    `(?:error|fatal): (?:${[
      String.raw`Unable to create '/[^'\n]*\.lock': .*`,
      String.raw`(?:/[^:\n]*: )?index file (?:corrupt|smaller)`,
      "bad (?:index file|signature|object|tree object)",
      String.raw`object file /[^\n]*/objects/[0-9a-f/]+ is empty`,
      String.raw`loose object [0-9a-f]+ \(stored in /.*\) is corrupt`,
      "unable to read (?:tree|sha1)",
      "missing (?:blob|tree|commit)",
      "invalid path '.*'$",
      "inflate: .*",
      String.raw`(?:packfile /.*|pack [^\n]*\.pack.*)`,
      "not a git repository: '/",
      "(?:file write|write) error: .*",
      String.raw`unable to (?:create temporary file|write loose object file|write file /[^\n]*/objects/[^:\n]*): .*`,
      "unable to (?:create|write) file .*: No space left on device$",
    ].join("|")})`,
  ]
    .map((form) => `^${form}`)
    .join("|"),
  "i",
);

/** Converts a failure of git to a `GitError` with a consequence. An unknown text becomes `unknown` and is retried. */
export function classifyGitError(failure: {
  purpose: string;
  stderr: string;
  code: number | null;
  cause?: unknown;
  /** Set if git worked on an agent's files: git prints their names, which must not decide the kind. */
  onFiles?: boolean;
  /**
   * Whether the host reports a full disk. git's own messages do not decide that, because names and servers can
   * influence them.
   */
  full: boolean;
}): GitError {
  const said = failure.onFiles ? saidByItself(failure.stderr) : endsOf(failure.stderr);
  const full = failure.full || /^(?:ENOSPC|EDQUOT)$/.test(codeOf(failure.cause));
  const kind = KINDS.find(({ code, when }) => when.test(said) && (code !== DISK_FULL || full));
  const text = essence(failure.stderr) || `git ended with code ${failure.code ?? "none"}`;
  return new GitError(kind?.code ?? "unknown", `could not ${failure.purpose}: ${text}`, {
    consequence: kind?.consequence ?? "retry",
    uncertain: kind?.uncertain ?? false,
    advice: kind?.advice ?? "Read the message of git; it is tried again.",
    cause: failure.cause,
  });
}

/**
 * Characters that are searched at each end of a message of git: the reason is there, and names of files are between.
 */
const HALF = 8_000;

function endsOf(text: string): string {
  return text.length > 2 * HALF ? `${text.slice(0, HALF)}\n${text.slice(-HALF)}` : text;
}

/**
 * The lines that update-index prints for a file that it cannot add. A name with newlines produces a different number of
 * lines.
 */
const NOT_TAKEN_IN =
  /^(error: .*)\nerror: (.*): failed to insert into database\nfatal: Unable to process path \2\n?$/;

function saidByItself(stderr: string): string {
  // update-index prints errors that begin with the name, and always follows them with this line.
  const own = stderr.includes("Unable to process path") ? NOT_TAKEN_IN.exec(stderr)?.[1] : stderr;
  return BY_ITSELF.exec(endsOf(own?.split("\n", 1)[0] ?? ""))?.[0] ?? "";
}

/** Returns git's own message without progress, hints and the calls of an error, at most 600 characters. */
function essence(stderr: string): string {
  const lines = stderr
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => line !== "" && !/^hint:|^To http|\d% \(|^remote: *$|^at .*:\d+:\d+\)?$/.test(line));
  return lines.join("; ").slice(0, 600);
}
