import { createHmac } from "node:crypto";

/** Returns the signature headers of a webhook, computed over its exact bytes. */
export function signatureHeaders(secret: string, body: string): Record<string, string> {
  const hmac = (algorithm: string): string => createHmac(algorithm, secret).update(body).digest("hex");
  return { "x-hub-signature": `sha1=${hmac("sha1")}`, "x-hub-signature-256": `sha256=${hmac("sha256")}` };
}
