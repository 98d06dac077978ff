import { protectedAmong } from "../evidence/protected-paths.ts";
import { type ShellCommand, shellCommands } from "./shell-words.ts";

/** Why a person is asked before a call is made. */
export interface Risk {
  readonly kind: "deletes_outside" | "network" | "protected_path" | "mcp_server";
  /** The program, path or server that causes the risk. */
  readonly detail: string;
}

/** Where the call would run: an absolute directory, and patterns of paths in it whose change needs a person. */
interface CallSite {
  readonly worktree: string;
  readonly protectedPaths: readonly string[];
}

/** What a call of one of the runtime's own tools would do. */
interface CallReach {
  /** The command line that it runs; null for none. */
  readonly command: string | null;
  /** Paths of the files that it changes. */
  readonly paths: readonly string[];
}

/**
 * Returns why a call is risky; null for one that is not. Exact for file tools. For a shell it only guards against
 * mistakes: scripts, aliases and programs that delete or connect are not seen. The runner confines agents.
 */
export function riskOf({ command, paths }: CallReach, place: CallSite): Risk | null {
  return (command === null ? null : shellRisk(command, place)) ?? protectedRisk(paths, place);
}

const NETWORK: ReadonlySet<string> = new Set(
  "curl wget nc ncat netcat socat ssh scp sftp rsync ftp telnet ping dig nslookup host aria2c gh".split(" "),
);
/** Programs of which only some subcommands use the network. */
const NETWORK_VERBS: Readonly<Record<string, RegExp>> = {
  git: /^(?:push|pull|fetch|clone|ls-remote|submodule)$/,
  npm: /^(?:i|ci|install|add|update|publish|exec|audit|view|login)$/,
  npx: /^./,
  pnpm: /^(?:i|install|add|update|publish|dlx)$/,
  yarn: /^(?:install|add|up|upgrade|publish|dlx)$/,
  pip: /^(?:install|download)$/,
  pip3: /^(?:install|download)$/,
  uv: /^(?:add|sync|pip|tool)$/,
  cargo: /^(?:add|fetch|install|publish|update)$/,
  go: /^(?:get|install|mod)$/,
  gem: /^(?:install|push|update)$/,
  bundle: /^(?:install|update|add)$/,
  composer: /^(?:install|update|require)$/,
  docker: /^(?:pull|push|run|build|login)$/,
  apt: /^(?:install|update|upgrade)$/,
  "apt-get": /^(?:install|update|upgrade)$/,
  brew: /^(?:install|update|upgrade)$/,
};
const DELETING: ReadonlySet<string> = new Set(["rm", "rmdir", "unlink", "shred"]);
const READING: ReadonlySet<string> = new Set(
  "cat ls head tail less more grep rg diff wc stat file echo printf test [ cd pwd sort uniq cut tree".split(
    " ",
  ),
);
/** Programs that run the command that follows them. */
const WRAPPERS: ReadonlySet<string> = new Set(
  "sudo env nohup time timeout nice xargs command exec stdbuf busybox".split(" "),
);
/** Characters. No system opens a file by a longer path. */
const LONGEST_PATH = 4096;
const SHELLS: ReadonlySet<string> = new Set(["sh", "bash", "zsh", "dash"]);

function shellRisk(line: string, place: CallSite): Risk | null {
  if (/\/dev\/(?:tcp|udp)\//.test(line)) return { kind: "network", detail: "/dev/tcp" };
  let directory: string | null = place.worktree;
  for (const command of shellCommands(line)) {
    const { program, args } = programOf(command.words);
    const risk =
      innerRisk(program, args, place) ??
      networkRisk(program, args) ??
      deletionRisk(program, args, { directory, worktree: place.worktree }) ??
      protectedRisk(
        concerned(command, program, args).map((path) => pathFrom(directory, path)),
        place,
      );
    if (risk !== null) return risk;
    if (program === "cd") directory = into(directory, args[0]);
  }
  return null;
}

/** Returns the risk of what a shell, or a command substitution in double quotes, would run. */
function innerRisk(program: string, args: readonly string[], place: CallSite): Risk | null {
  const script = SHELLS.has(program) ? args[args.findIndex((arg) => /^-\w*c$/.test(arg)) + 1] : undefined;
  const inner = [
    ...(script === undefined || script === args[0] ? [] : [script]),
    ...args.flatMap(substituted),
  ];
  for (const line of inner) {
    const risk = shellRisk(line, place);
    if (risk !== null) return risk;
  }
  return null;
}

/** Returns the commands in `$(…)` and in backticks. The search stops where no end follows. */
function substituted(arg: string): readonly string[] {
  const found: string[] = [];
  const last = arg.lastIndexOf(")");
  let rest = 0;
  for (const { 0: opening, index } of arg.matchAll(/\$\(|`/g)) {
    const from = index + opening.length;
    if (index < rest || (opening !== "`" && last < from)) continue;
    const to = arg.indexOf(opening === "`" ? "`" : ")", from);
    if (to === -1) continue;
    found.push(arg.slice(from, to));
    rest = to + 1;
  }
  return found;
}

function networkRisk(program: string, args: readonly string[]): Risk | null {
  if (NETWORK.has(program)) return { kind: "network", detail: program };
  const verb = args.find((arg) => !arg.startsWith("-"));
  const verbs = Object.hasOwn(NETWORK_VERBS, program) ? NETWORK_VERBS[program] : undefined;
  return verb !== undefined && verbs?.test(verb) === true
    ? { kind: "network", detail: `${program} ${verb}` }
    : null;
}

function deletionRisk(
  program: string,
  args: readonly string[],
  { directory, worktree }: { directory: string | null; worktree: string },
): Risk | null {
  const finds = program === "find" && args.some((arg) => /^-(?:delete|exec|execdir|ok)$/.test(arg));
  if (!DELETING.has(program) && !finds) return null;
  const paths = finds
    ? args.slice(
        0,
        args.findIndex((arg) => /^[-(!]/.test(arg)),
      )
    : args.filter((arg) => !arg.startsWith("-"));
  const outside = paths.find((path) => outsideOf(worktree, directory, path));
  return outside === undefined ? null : { kind: "deletes_outside", detail: outside };
}

function protectedRisk(paths: readonly string[], place: CallSite): Risk | null {
  const inside = paths
    .filter((path) => path.length <= LONGEST_PATH)
    .map((path) => withinWorktree(path, place.worktree));
  const [detail] = protectedAmong(inside, place.protectedPaths);
  return detail === undefined ? null : { kind: "protected_path", detail };
}

/** Returns the paths that a command may change, judged by its words alone. */
function concerned(command: ShellCommand, program: string, args: readonly string[]): readonly string[] {
  const reads =
    READING.has(program) || (program === "git" && /^(?:diff|log|show|status|blame)$/.test(args[0] ?? ""));
  return [...command.targets, ...(reads ? [] : args.map((arg) => arg.replace(/^.*=/s, "")))];
}

function programOf(words: readonly string[]): { program: string; args: readonly string[] } {
  for (let at = 0; ; at += 1) {
    const first = words[at] ?? "";
    const skipped = /^\w+=/.test(first) || WRAPPERS.has(first) || (at > 0 && /^(?:-|\d)/.test(first));
    if (!skipped) return { program: first.replace(/^.*\//s, ""), args: words.slice(at + 1) };
  }
}

function into(directory: string | null, path: string | undefined): string | null {
  if (directory === null || path === undefined || /[$`~]/.test(path)) return null;
  const entered = normalPath(directory, path);
  return entered.length > LONGEST_PATH ? null : entered;
}

function pathFrom(directory: string | null, path: string): string {
  return directory === null ? path : normalPath(directory, path);
}

/** Returns a path relative to the top of the worktree, as patterns are written. */
function withinWorktree(path: string, worktree: string): string {
  const absolute = normalPath(worktree, path);
  return absolute.startsWith(`${worktree}/`) ? absolute.slice(worktree.length + 1) : absolute;
}

/**
 * Returns the absolute path of `path` seen from an absolute `directory`, with `.` and `..` resolved without the file
 * system.
 */
function normalPath(directory: string, path: string): string {
  const parts: string[] = [];
  for (const part of (path.startsWith("/") ? path : `${directory}/${path}`).split("/"))
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  return `/${parts.join("/")}`;
}

/** Returns whether a path leads out of the worktree or is unknown: a variable, a home, an unknown directory. */
function outsideOf(worktree: string, directory: string | null, path: string): boolean {
  if (/[$`~]/.test(path)) return true;
  if (directory === null && !path.startsWith("/")) return true;
  const absolute = normalPath(directory ?? "/", path);
  return absolute !== worktree && !absolute.startsWith(`${worktree}/`);
}
