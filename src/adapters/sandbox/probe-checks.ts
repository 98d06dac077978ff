import { REFUSED_CALLS } from "./seccomp/refused-calls.ts";

const PTRACE = REFUSED_CALLS["ptrace"]?.[process.arch === "arm64" ? 1 : 0];

/** A check inside the sandbox, with the environment variables that the probe sets. */
export interface ProbeChecks {
  /** The check passes if this shell command exits with 0. */
  readonly line: string;
  /** What is wrong if it does not. */
  readonly wrong: string;
}

/**
 * What must hold in a sandbox, checked from inside. $WORK is the worktree, $SECRET a file of the host that is not
 * shared, $MIRROR git's data, $HOST_FILES files at the top of the host's private directories, one per line. No check
 * may change the host, because a fake bwrap might run it there.
 */
export const PROBE_CHECKS: readonly ProbeChecks[] = [
  { line: "grep -Eq '^CapEff:[[:space:]]*0+$' /proc/self/status", wrong: "it has capabilities" },
  {
    line: "grep -Eq '^NoNewPrivs:[[:space:]]*1$' /proc/self/status",
    wrong: "a program could give it more rights",
  },
  {
    line: '[ "$(tail -n +3 /proc/net/dev | cut -d: -f1 | tr -d \' \\n\')" = lo ] && [ "$(wc -l </proc/net/route)" -le 1 ]',
    wrong: "it has a network",
  },
  { line: '[ ! -e "$SECRET" ]', wrong: "it sees files of the host that nobody gave it" },
  {
    line: 'echo "$HOST_FILES" | while IFS= read -r path; do [ -z "$path" ] || [ ! -e "$path" ] || exit 1; done',
    wrong: "it sees the host's home or data directory",
  },
  {
    line: "[ ! -e /etc/shadow ] && [ ! -e /var/lib ] && [ ! -e /sys/kernel ]",
    wrong: "it sees the host's system files",
  },
  { line: '[ "$(ls -d /proc/[0-9]* | wc -l)" -lt 12 ]', wrong: "it sees processes of the host" },
  { line: 'touch "$WORK/written" && [ -e "$WORK/written" ]', wrong: "the worktree cannot be written" },
  {
    line: '[ -r "$MIRROR/HEAD" ] && ! touch "$MIRROR/written" 2>/dev/null',
    wrong: "git's data can be written, or not be read",
  },
  { line: "[ ! -w /usr ] && [ ! -w / ] && [ ! -w /dev ]", wrong: "it can write system files" },
  { line: "[ ! -w /proc/sys/kernel/core_pattern ]", wrong: "it can change the kernel's settings" },
  { line: "! unshare -U true 2>/dev/null", wrong: "it can make user namespaces" },
  {
    line: 'mkdir "$WORK/on" && ! { mount -t tmpfs none "$WORK/on" 2>/dev/null && umount "$WORK/on"; }',
    wrong: "it can mount",
  },
  {
    line: "grep -Eq '^Seccomp:[[:space:]]*2$' /proc/self/status",
    wrong: "no filter of system calls is in force",
  },
  {
    // Most systems have Perl, because git needs it. Without Perl, only the check above runs.
    line: `! command -v perl >/dev/null || perl -e 'exit(syscall(${PTRACE}, 0, 0, 0, 0) == -1 && $! == 1 ? 0 : 1)'`,
    wrong: "its processes can attach to one another",
  },
  {
    line: 'own=$(mktemp -p /tmp) && rm "$own" && [ -w /dev/null ]',
    wrong: "it has no /tmp or /dev of its own",
  },
  { line: 'grep -Eq "^Max core file size +0 " /proc/self/limits', wrong: "its resources are not bounded" },
  { line: 'git --version >/dev/null && node -e "process.exit(0)"', wrong: "git or node does not run in it" },
];
