import { ANYWHERE, type Attempt, NOT_EVERYWHERE, notTried, ROOT } from "./attempt.ts";

const ONE = "a host without it has nothing to show";

/** At processes of the host and of other agents, and at the kernel. */
export const PROCESSES: readonly Attempt[] = [
  {
    what: "the environment of another agent",
    line: "grep -q $CANARY /proc/$OTHER_PID/environ",
    outside: ANYWHERE,
  },
  {
    what: "anybody's environment",
    line: 'cat /proc/[0-9]*/environ 2>/dev/null | tr "\\0" "\\n" | grep -q "^CANARY_OF_OTHER="',
    outside: ANYWHERE,
  },
  {
    what: "anybody's arguments",
    line: 'cat /proc/[0-9]*/cmdline | tr "\\0" "\\n" | grep -q "^$SLEEP$"',
    outside: ANYWHERE,
  },
  {
    what: "the memory of another agent",
    line: 'perl -e \'open(F, "<", "/proc/$ENV{OTHER_PID}/mem") or exit 1\'',
    outside: ANYWHERE,
  },
  { what: "the open files of Flotilla", line: "ls /proc/$HOST_PID/fd", outside: ANYWHERE },
  { what: "the directory of Flotilla", line: "ls /proc/$HOST_PID/cwd/", outside: ANYWHERE },
  { what: "a signal to another agent", line: "kill -0 $OTHER_PID", outside: ANYWHERE },
  {
    what: "another agent traced",
    line: "perl -e 'exit(syscall(101, 0x4206, $ENV{OTHER_PID} + 0, 0, 0) == 0 ? 0 : 1)'",
    outside: ROOT,
  },
  {
    what: "the memory of another agent read by a system call",
    line: 'perl -e \'$b = "x" x 8; $l = pack("QQ", unpack("Q", pack("P", $b)), 8); exit(syscall(310, $ENV{OTHER_PID} + 0, $l, 1, $l, 1, 0) == -1 && ($! == 3 || $! == 1) ? 1 : 0)\'',
    outside: ANYWHERE,
  },
  {
    what: "the kernel's memory",
    line: 'perl -e \'open(F, "<", "/proc/kcore") or exit 1\'',
    outside: NOT_EVERYWHERE,
  },
  { what: "the kernel's log", line: "dmesg", outside: ROOT },
  { what: "the kernel's addresses", line: "grep -qv '^00000000' /proc/kallsyms", outside: ROOT },
  { what: "the kernel's keys", line: "cat /proc/keys && [ -s /proc/keys ]", outside: notTried(ONE) },
  {
    what: "what the kernel runs for a crashed process",
    line: "[ -w /proc/sys/kernel/core_pattern ]",
    outside: ROOT,
  },
  {
    what: "what the kernel runs for a module",
    line: "[ -w /proc/sys/kernel/modprobe ]",
    outside: NOT_EVERYWHERE,
  },
  { what: "the kernel's emergency keys", line: "[ -w /proc/sysrq-trigger ]", outside: notTried(ONE) },
  {
    what: "a place that is never killed for memory",
    line: "(echo -900 > /proc/self/oom_score_adj)",
    outside: NOT_EVERYWHERE,
  },
  {
    what: "the bound of processes raised",
    line: "prlimit --nproc=unlimited:unlimited true",
    outside: NOT_EVERYWHERE,
  },
  { what: "the bound of memory raised", line: "prlimit --data=unlimited:unlimited true", outside: ROOT },
  { what: "core files", line: "prlimit --core=unlimited:unlimited true", outside: ROOT },
  {
    what: "the machine's memory by way of /tmp",
    line: "[ $(df -k --output=size /tmp | tail -1) -gt 2200000 ]",
    outside: ANYWHERE,
  },
];
