import type { TextVersion } from "../world/records.ts";
import { now, type World } from "../world/world.ts";

/** Keeps what a text was, as GitHub shows it in the list of edits: the first edit also keeps the first text. */
export function keepVersion(
  world: World,
  edited: { readonly createdAt: string; readonly versions: TextVersion[] },
  { before, after }: { readonly before: string; readonly after: string },
): void {
  if (edited.versions.length === 0) edited.versions.push({ at: edited.createdAt, text: before });
  edited.versions.push({ at: now(world), text: after });
}
