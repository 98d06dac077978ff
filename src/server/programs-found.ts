import { readFile, stat } from "node:fs/promises";
import { delimiter } from "node:path";

const BOOT = "/proc/sys/kernel/random/boot_id";
/** Changes with the libraries that are installed. */
const LIBRARIES = "/etc/ld.so.cache";
/** In place of the boot's name on systems that have none: nothing outlives our process there. */
const OURS = crypto.randomUUID();

/**
 * Returns a text that changes when programs are installed, replaced or removed where commands look for them, and with each
 * boot: after a loss of power, files of the boot before may be incomplete.
 */
export async function programsFound({ PATH = "" }: Readonly<Record<string, string>>): Promise<string> {
  const places = [...PATH.split(delimiter).filter((path) => path !== ""), LIBRARIES];
  const times = await Promise.all(
    places.map(async (path) => {
      const found = await stat(path).catch(() => null);
      return found === null ? null : [path, found.ino, found.mtimeMs];
    }),
  );
  const boot = await readFile(BOOT, "utf8").catch(() => OURS);
  return JSON.stringify([process.platform, process.arch, process.version, boot.trim(), times]);
}
