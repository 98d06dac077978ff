import { existsSync, lstatSync, readlinkSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { bundledFile } from "../../domain/settings/bundled-file.ts";
import { SHM_BYTES, TMP_BYTES } from "./limits.ts";

const TOP = ["/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"];

/** Parts of /etc that programs need to be found and linked, and to check certificates. None contains a key. */
const OF_ETC = [
  "/etc/alternatives",
  "/etc/ca-certificates",
  "/etc/ld.so.cache",
  "/etc/ld.so.conf",
  "/etc/ld.so.conf.d",
  "/etc/localtime",
  "/etc/pki/ca-trust/extracted",
  "/etc/pki/tls/certs",
  "/etc/ssl/certs",
  "/etc/ssl/openssl.cnf",
];

/** Files of /etc that the sandbox replaces by its own: one user, no host name except localhost. */
const OWN_ETC = ["passwd", "group", "hosts", "nsswitch.conf"];

/** Files of /proc that reveal the host's memory and keys. */
const MASKED = ["/proc/kcore", "/proc/keys", "/proc/timer_list", "/proc/kallsyms", "/proc/sysrq-trigger"];

/**
 * Returns the part of the sandbox that is the same for every command: read-only programs and libraries, and its own
 * /proc, /dev and /tmp. /proc is read-only: if Flotilla runs as root, processes inside could otherwise change the
 * kernel's settings, because those check the user and not a capability.
 */
export function systemView(): readonly string[] {
  return [
    "--ro-bind /usr /usr",
    ...TOP.map(top),
    ...OF_ETC.map((path) => `--ro-bind-try ${path} ${path}`),
    "--proc /proc",
    ...MASKED.filter((path) => existsSync(path)).map((path) => `--ro-bind /dev/null ${path}`),
    "--remount-ro /proc",
    `--dev /dev --perms 1777 --size ${SHM_BYTES} --tmpfs /dev/shm --remount-ro /dev`,
    `--perms 1777 --size ${TMP_BYTES} --tmpfs /tmp --symlink ../tmp /var/tmp`,
  ]
    .flatMap(words)
    .concat(OWN_ETC.flatMap((name) => ["--ro-bind", etcFile(name), `/etc/${name}`]));
}

/**
 * Returns only programs and libraries, and two devices that git needs. No /proc: its links lead to the open files of
 * processes.
 */
export function programsView(): readonly string[] {
  return [
    "--ro-bind /usr /usr",
    ...TOP.map(top),
    "--ro-bind-try /etc/ld.so.cache /etc/ld.so.cache",
    "--dev-bind /dev/null /dev/null --dev-bind /dev/urandom /dev/urandom",
  ].flatMap(words);
}

function top(path: string): string {
  if (!existsSync(path)) return "";
  return lstatSync(path).isSymbolicLink()
    ? `--symlink ${readlinkSync(path)} ${path}`
    : `--ro-bind ${path} ${path}`;
}

function words(line: string): readonly string[] {
  return line.split(" ").filter((word) => word !== "");
}

function etcFile(name: string): string {
  return fileURLToPath(bundledFile(`etc/${name}`, import.meta.url));
}
