import { ANYWHERE, type Attempt, NOT_EVERYWHERE, notTried, ROOT } from "./attempt.ts";

const SPOILS = "it would change the host";

/** At the walls themselves. */
export const ESCAPES: readonly Attempt[] = [
  { what: "a user namespace", line: "unshare -U true", outside: ROOT },
  { what: "a user namespace in which one is root", line: "unshare -Ur true", outside: ROOT },
  { what: "a mount namespace", line: "unshare -m true", outside: ROOT },
  { what: "a network namespace", line: "unshare -n true", outside: ROOT },
  { what: "the namespaces of the first process", line: "nsenter -t 1 -u true", outside: NOT_EVERYWHERE },
  { what: "a mount", line: "mkdir -p $OWN/on; mount -t tmpfs none $OWN/on && umount $OWN/on", outside: ROOT },
  {
    what: "a bind over a directory of one's own",
    line: "mkdir -p $OWN/on; mount --bind /usr $OWN/on && umount $OWN/on",
    outside: ROOT,
  },
  {
    what: "a second /proc",
    line: "mkdir -p $OWN/on; mount -t proc none $OWN/on && umount $OWN/on",
    outside: ROOT,
  },
  {
    what: "the read-only mounts made writable",
    line: "mount -o remount,rw,bind /usr",
    outside: notTried(SPOILS),
  },
  { what: "a mount taken away", line: "umount -l /proc", outside: notTried(SPOILS) },
  { what: "another root", line: "chroot $OWN/.. /bin/true || chroot / true", outside: ROOT },
  { what: "a device made", line: "rm -f $OWN/dev; mknod $OWN/dev c 1 5", outside: ROOT },
  {
    what: "a disk",
    line: "ls /dev/vd* /dev/sd* /dev/nvme* /dev/mem /dev/kmsg 2>/dev/null | grep -q .",
    outside: ANYWHERE,
  },
  { what: "user 0", line: "perl -e '$> = 0; $< = 0; exit($> == 0 && $< == 0 ? 0 : 1)'", outside: ROOT },
  { what: "another user", line: "perl -e '$> = 12345; exit($> == 12345 ? 0 : 1)'", outside: ROOT },
  {
    what: "rights by a setuid program",
    line: "grep -Eq '^NoNewPrivs:\\s+0' /proc/self/status",
    outside: ANYWHERE,
  },
  {
    what: "any capability",
    line: "grep -E '^Cap(Eff|Prm|Bnd|Inh|Amb):' /proc/self/status | grep -qv '0000000000000000$'",
    outside: ROOT,
  },
  {
    what: "keys typed into the terminal that began it",
    line: 'perl -e \'open(T, "+<", "/dev/tty") or exit 1; exit(ioctl(T, 0x5412, "x") ? 0 : 1)\'',
    outside: notTried("a test has no terminal"),
  },
  { what: "the host's name changed", line: "hostname planted", outside: notTried(SPOILS) },
  { what: "the host's name", line: '[ "$(uname -n)" != agent ]', outside: ANYWHERE },
  { what: "the control groups", line: "[ -e /sys/fs/cgroup ]", outside: ANYWHERE },
  { what: "the kernel by /sys", line: "[ -e /sys/kernel ]", outside: ANYWHERE },
  {
    what: "a kernel module",
    line: 'perl -e \'exit(syscall(175, "", 0, "") == -1 && $! == 1 ? 1 : 0)\'',
    outside: NOT_EVERYWHERE,
  },
  {
    what: "what bubblewrap left open",
    line: "ls -l /proc/self/fd /proc/1/fd 2>/dev/null | grep -Eq '/(newroot|oldroot)'",
    outside: notTried("there is no bubblewrap"),
  },
  {
    what: "the host's tree that bubblewrap began from",
    line: "ls /oldroot /newroot",
    outside: notTried("there is no bubblewrap"),
  },
];
