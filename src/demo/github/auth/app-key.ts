import { createVerify, generateKeyPairSync } from "node:crypto";

let ownKey: { privateKey: string; publicKey: string } | undefined;

/** Returns the key pair of this process's Apps. It is generated once, because that takes 0.1 s of CPU time or more. */
export function ownAppKey(): { privateKey: string; publicKey: string } {
  ownKey ??= makeAppKey();
  return ownKey;
}

/** Generates a key pair as GitHub does for an App; the private key is PEM, PKCS#1. */
export function makeAppKey(): { privateKey: string; publicKey: string } {
  return generateKeyPairSync("rsa", {
    modulusLength: 2048,
    privateKeyEncoding: { type: "pkcs1", format: "pem" },
    publicKeyEncoding: { type: "spki", format: "pem" },
  });
}

/**
 * Returns why GitHub would refuse the JSON web token, or undefined if it is valid for the App. `nowMs` is epoch
 * milliseconds.
 */
export function refuseJwt(
  token: string,
  app: { id: number; clientId: string; publicKey: string },
  nowMs: number,
): string | undefined {
  const [head = "", claims = "", signature = ""] = token.split(".");
  const header = decode(head);
  const payload = decode(claims);
  if (header?.["alg"] !== "RS256" || payload === undefined) return "A JSON web token could not be decoded";
  const verified = createVerify("RSA-SHA256")
    .update(`${head}.${claims}`)
    .verify(app.publicKey, Buffer.from(signature, "base64url"));
  if (!verified) return "A JSON web token could not be decoded";
  const { iss, iat, exp } = payload;
  const seconds = nowMs / 1000;
  if (String(iss) !== String(app.id) && iss !== app.clientId)
    return "'Issuer' claim ('iss') must be an Integer";
  if (typeof exp !== "number" || exp <= seconds) {
    return "'Expiration time' claim ('exp') must be a numeric value representing the future time at which the assertion expires";
  }
  if (exp > seconds + 660) return "'Expiration time' claim ('exp') is too far in the future";
  if (typeof iat !== "number" || iat > seconds + 60) {
    return "'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued";
  }
  return undefined;
}

function decode(part: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, "base64url").toString());
    return typeof value === "object" && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
