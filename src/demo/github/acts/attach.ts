import { randomUUID } from "node:crypto";
import type { Account, Attachment } from "../world/records.ts";
import type { World } from "../world/world.ts";

/** Keeps a file. Returns the address that stands in texts; it needs a person's browser, which there is none of here. */
export function attach(
  { attachments, nextId, origin }: World,
  owner: Account,
  { type, bytes }: Pick<Attachment, "type" | "bytes">,
): string {
  const asset = randomUUID();
  attachments.set(asset, { id: nextId(), asset, owner, type, bytes });
  return `${origin}/user-attachments/assets/${asset}`;
}
