import { simpleGit } from "simple-git";
import { GitError, messageOf } from "../../../domain/kernel/errors.ts";
import { classifyGitError } from "./classify-git-error.ts";
import { isDiskFull } from "./disk-full.ts";
import { gitEnvironment } from "./git-environment.ts";
import { ensureHostDirectories, type GitHost } from "./git-host.ts";
import { MOST_OUTPUT_BYTES, type ProcessEnd } from "./run-process.ts";

/** One git command. `args` starts with the global options (`--git-dir=…`). */
export interface GitCall {
  readonly args: readonly string[];
  /** What the command is for, in error messages: "push the branch". */
  readonly purpose: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  /** Exit codes, in addition to 0, that are answers and not failures. */
  readonly answers?: readonly number[];
  /** True for network commands: they report progress, and are also ended after a period without output. */
  readonly network?: boolean;
  /** Stop reading once this many bytes have been printed; the answer may be slightly longer. */
  readonly enoughBytes?: number;
}

export interface GitAnswer {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * A second safeguard: git itself gives up a silent server after http.lowSpeedTime, but helper processes may outlive
 * git.
 */
const NETWORK_SILENCE_MS = 5 * 60_000;
const LOCAL_SILENCE_MS = 10 * 60_000;

/**
 * Runs git with only our environment, in an empty directory; `--git-dir` names the repository. For the files
 * of a worktree use filesGit. Each command has its own simple-git instance, because a failed one refuses all
 * further commands. Throws `GitError`, with code `too_much` for too much output.
 */
export async function runGit(host: GitHost, call: GitCall): Promise<GitAnswer> {
  await ensureHostDirectories(host);
  const env = { ...gitEnvironment(host), ...call.env };
  let code: number | null = null;
  let stderr = "";
  const output = limitedOutput(call.enoughBytes ?? MOST_OUTPUT_BYTES);
  const silence = call.network ? NETWORK_SILENCE_MS : LOCAL_SILENCE_MS;
  const git = simpleGit({
    baseDir: host.home,
    // The git adapter sets these itself; simple-git cannot know that and would refuse them.
    unsafe: {
      allowUnsafeAskPass: true,
      allowUnsafeConfigEnvCount: true,
      allowUnsafeConfigPaths: true,
      allowUnsafeCredentialHelper: true,
      allowUnsafeFsMonitor: true,
      allowUnsafeHooksPath: true,
      allowUnsafeProtocolOverride: true,
      allowUnsafeSshCommand: true,
      allowUnsafeTemplateDir: true,
    },
    allowEnvironment: Object.keys(env),
    timeout: { block: silence },
    abort: output.signal,
    completion: { onClose: true, onExit: 5_000 },
    ...(call.input === undefined ? {} : { input: () => call.input }),
    errors: (error, result) => {
      code = result.exitCode;
      stderr = Buffer.concat(result.stdErr).toString();
      // The exit code decides, below. Only a git that did not end by itself is an error here.
      return typeof code === "number" && code >= 0 ? undefined : error;
    },
  })
    .env(env)
    .outputHandler((_command, printed, complained) => {
      output.watch(printed, complained);
      // simple-git waits another 50 ms for output of a command that printed nothing, although its pipe has already
      // ended.
      printed.once("end", () => printed.emit("data", Buffer.alloc(0)));
    });
  let stdout: string;
  try {
    stdout = await git.raw([...call.args]);
  } catch (error) {
    if (output.signal.aborted) return output.answer(call);
    throw classifyGitError({
      purpose: call.purpose,
      stderr: stderr || messageOf(error),
      code,
      cause: error,
      full: isDiskFull(host),
    });
  }
  return answerOf(host, call, { code, stdout, stderr });
}

/** Ends a git that has printed more than `most` bytes, to limit memory. */
function limitedOutput(most: number) {
  const stop = new AbortController();
  const printed: Buffer[] = [];
  let bytes = 0;
  const count = (kept: Buffer[] | null) => (chunk: Buffer) => {
    bytes += chunk.length;
    kept?.push(chunk);
    if (bytes <= most) return;
    stop.abort();
  };
  return {
    signal: stop.signal,
    watch(stdout: NodeJS.ReadableStream, stderr: NodeJS.ReadableStream): void {
      stdout.on("data", count(printed));
      stderr.on("data", count(null));
    },
    answer({ purpose, enoughBytes }: GitCall): GitAnswer {
      if (enoughBytes !== undefined)
        return { code: 0, stdout: Buffer.concat(printed).toString(), stderr: "" };
      throw new GitError("too_much", `could not ${purpose}: git printed more than ${most / 1024 ** 2} MiB`, {
        consequence: "tell",
        advice:
          "Delete generated files and others that are too large or too many from the branch; leave a repository out whose own files are too many.",
      });
    },
  };
}

/** Returns the answer of a git that has ended by itself. Throws `GitError` if it failed. */
export function answerOf(
  host: GitHost,
  call: Pick<GitCall, "purpose" | "answers"> & { readonly onFiles?: boolean },
  { code, stdout, stderr }: Pick<ProcessEnd, "code" | "stdout" | "stderr">,
): GitAnswer {
  if (code === 0 || (code !== null && call.answers?.includes(code))) return { code, stdout, stderr };
  throw classifyGitError({
    purpose: call.purpose,
    stderr,
    code,
    onFiles: call.onFiles ?? false,
    full: isDiskFull(host),
  });
}
