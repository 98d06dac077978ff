/** What keeps bubblewrap from making a sandbox, told from its own words, and what to allow. */
export interface Refusal {
  /** As the option of a container engine is called; `namespaces` is a limit of the kernel. */
  readonly permission: "seccomp" | "apparmor" | "systempaths" | "namespaces";
  readonly why: string;
  /** A sentence without its full stop. */
  readonly next: string;
}

const MORE = "docs/deploy.md says it for compose, Podman and Kubernetes";

const SYSTEMPATHS: Refusal = {
  permission: "systempaths",
  why: "the container covers parts of /proc, and then nobody in it may mount a /proc of their own",
  next: `Start the container with \`--security-opt systempaths=unconfined\`; ${MORE}`,
};
const SECCOMP: Refusal = {
  permission: "seccomp",
  why: "the container's seccomp profile, or outside of one the kernel's setting, allows no namespaces and mounts",
  next: `Start the container with \`--security-opt seccomp=config/deploy/seccomp.json\`; outside of one, \`sysctl kernel.unprivileged_userns_clone=1\`; ${MORE}`,
};
const APPARMOR: Refusal = {
  permission: "apparmor",
  why: "AppArmor (or SELinux) forbids what a sandbox is made of",
  next: `Start the container with \`--security-opt apparmor=unconfined\` (SELinux: \`label=disable\`); on Ubuntu outside of one, give bwrap an AppArmor profile with \`userns\`; ${MORE}`,
};
const NAMESPACES: Refusal = {
  permission: "namespaces",
  why: "the kernel counts no more namespaces for this user",
  next: "Raise it with `sysctl user.max_user_namespaces=10000`, on the machine and not in the container",
};

/** Of bubblewrap 0.8 to 0.11. The first that is met counts: a refused /proc has an order of its own among the mounts. */
const WORDS: readonly (readonly [RegExp, Refusal])[] = [
  [/namespaces exceeded|\(ENOSPC\)/, NAMESPACES],
  [/Can't mount proc on .*: Operation not permitted|uid map: Read-only file system/, SYSTEMPATHS],
  [/No permissions to creat|[Cc]reating new namespace failed/, SECCOMP],
  [/bwrap: .*: Permission denied|Failed RTM_NEW\w+: /, APPARMOR],
  [/bwrap: .*(?:make \/ slave|mount|pivot_root|hostname|unshare|setns).*: Operation not permitted/, SECCOMP],
];

/** What these words of bubblewrap's say is refused; undefined where they say something else. */
export function refusalOf(words: string): Refusal | undefined {
  return WORDS.find(([pattern]) => pattern.test(words))?.[1];
}
