import { existsSync } from "node:fs";
import { join, posix } from "node:path";
import { ROOMS } from "./rooms.ts";
import { importsOf, type Source } from "./source.ts";

/** The room of a file under src: its first folder, of an adapter its first two, or the file itself. */
export function roomOf(path: string): string {
  const [, first = "", second = ""] = path.split("/");
  return first === "adapters" ? `${first}/${second}` : first.replace(/\.ts$/, "");
}

/** Whether a file is in the folder of one database or runtime, which may use the packages that it needs. */
function isOfOneEntry(path: string): boolean {
  const folder = /^src\/adapters\/(?:store|runtimes)\/[^/]+\//.exec(path)?.[0];
  return folder !== undefined && existsSync(join(import.meta.dirname, "../..", folder, "entry.ts"));
}

/** Imports that the house does not allow, each with the file and the rule. */
export function importFaults({ path, text }: Source): readonly string[] {
  const name = roomOf(path);
  const room = ROOMS[name];
  if (room === undefined) return [`${path}: there is no room ${name}`];
  return importsOf(text).flatMap((target) => {
    const fault = (why: string) => [`${path}: imports ${target}, but ${why}`];
    if (target.startsWith(".")) {
      const resolved = posix.join(posix.dirname(path), target);
      if (!resolved.startsWith("src/")) return fault("src imports nothing outside of src");
      if (!resolved.endsWith(".ts")) return fault("imports end in .ts");
      const other = roomOf(resolved);
      if (other === name || room.rooms === "every" || room.rooms.includes(other)) return [];
      return fault(`${name} may import ${["itself", ...room.rooms].join(", ")} only`);
    }
    if (target.startsWith("node:")) return room.node ? [] : fault(`${name} uses no built-ins of Node`);
    const [scope = "", inner = ""] = target.split("/");
    const names = [scope, `${scope}/${inner}`];
    if (
      isOfOneEntry(path) ||
      room.packages === "every" ||
      room.packages.some((known) => names.includes(known))
    )
      return [];
    return fault(`${name} may use ${room.packages.join(", ")} only`);
  });
}
