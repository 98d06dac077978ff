import { createHmac, type KeyObject, timingSafeEqual } from "node:crypto";

const WELL_FORMED = /^sha256=([0-9a-f]{64})$/;

/**
 * Returns the digest in `X-Hub-Signature-256`; undefined when the header is missing, repeated or malformed.
 * Never reads the older `X-Hub-Signature` (SHA-1).
 */
export function claimedDigest(header: string | readonly string[] | undefined): Buffer | undefined {
  const hex = typeof header === "string" ? WELL_FORMED.exec(header)?.[1] : undefined;
  return hex === undefined ? undefined : Buffer.from(hex, "hex");
}

/** Returns whether one of the secrets produces that digest of the raw bytes. Compares in constant time. */
export function isSigned(body: Buffer, claimed: Buffer, secrets: readonly KeyObject[]): boolean {
  return secrets.some((secret) =>
    timingSafeEqual(createHmac("sha256", secret).update(body).digest(), claimed),
  );
}
