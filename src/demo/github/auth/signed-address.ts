import { createHmac, randomBytes } from "node:crypto";
import type { Attachment } from "../world/records.ts";

/** Seconds for which an address is signed. */
const LASTS = 300;
const KINDS: Readonly<Record<string, string>> = {
  "image/png": ".png",
  "image/jpeg": ".jpg",
  "image/gif": ".gif",
  "image/webp": ".webp",
};
const key = randomBytes(32);

export function attachmentPath({ owner, id, asset, type }: Attachment): string {
  return `/${owner.id}/${id}-${asset}${KINDS[type] ?? ""}`;
}

/** Returns the address where anybody can read an attachment for some minutes, as GitHub writes it into HTML. */
export function signedAddress(origin: string, attachment: Attachment, nowMs: number): string {
  const path = attachmentPath(attachment);
  const now = Math.floor(nowMs / 1000);
  const claims = { iss: "github.com", aud: "raw.githubusercontent.com", exp: now + LASTS, nbf: now, path };
  const head = `${encoded({ typ: "JWT", alg: "HS256" })}.${encoded(claims)}`;
  return `${origin}${path}?jwt=${head}.${signatureOf(head)}`;
}

/** Returns whether the address is signed, for its path and still. */
export function isSigned({ pathname, searchParams }: URL, nowMs: number): boolean {
  const [head = "", claims = "", signature] = (searchParams.get("jwt") ?? "").split(".");
  if (signature !== signatureOf(`${head}.${claims}`)) return false;
  const { path, exp } = JSON.parse(Buffer.from(claims, "base64url").toString());
  return path === pathname && exp > nowMs / 1000;
}

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

function signatureOf(text: string): string {
  return createHmac("sha256", key).update(text).digest("base64url");
}
