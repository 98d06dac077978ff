import {
  createCipheriv,
  createDecipheriv,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from "node:crypto";

const CIPHER = "aes-256-gcm";
const [KEY_BYTES, IV_BYTES, TAG_BYTES] = [32, 12, 16];
const INFO = "flotilla sealed token";

/** A key pair of one life of a node. The private part never leaves the process. */
export interface SealKeys {
  readonly privateKey: KeyObject;
  /** As the node's row has it. */
  readonly publicKey: string;
}

export function newSealKeys(): SealKeys {
  const { privateKey, publicKey } = generateKeyPairSync("x25519");
  return { privateKey, publicKey: written(publicKey) };
}

/**
 * Seals a text so that only the owner of the key can read it, and only as the answer to `about`. Throws for what is no
 * X25519 key.
 */
export function seal(publicKey: string, text: string, about: string): string {
  const once = generateKeyPairSync("x25519");
  const [to, from] = [publicKey, written(once.publicKey)];
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, sharedKey(once.privateKey, to, { to, from }), iv, {
    authTagLength: TAG_BYTES,
  });
  cipher.setAAD(Buffer.from(about));
  const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return [from, ...[iv, cipher.getAuthTag(), sealed].map((part) => part.toString("base64url"))].join(".");
}

/** Opens what was sealed for these keys as the answer to `about`. Throws for anything else. */
export function unseal({ privateKey, publicKey: to }: SealKeys, sealed: string, about: string): string {
  const [from = "", ...parts] = sealed.split(".");
  const [iv, tag, text] = parts.map((part) => Buffer.from(part, "base64url"));
  if (iv === undefined || tag === undefined || text === undefined) throw new Error("not a sealed text");
  const decipher = createDecipheriv(CIPHER, sharedKey(privateKey, from, { to, from }), iv, {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(Buffer.from(about));
  decipher.setAuthTag(tag);
  return Buffer.concat([decipher.update(text), decipher.final()]).toString("utf8");
}

/** Both public keys are part of the key's derivation, so that no other pair of keys leads to it. */
function sharedKey(
  privateKey: KeyObject,
  theirs: string,
  { to, from }: { readonly to: string; readonly from: string },
): Buffer {
  const publicKey = createPublicKey({ key: Buffer.from(theirs, "base64url"), format: "der", type: "spki" });
  const secret = diffieHellman({ privateKey, publicKey });
  return Buffer.from(hkdfSync("sha256", secret, Buffer.from(`${from}.${to}`), INFO, KEY_BYTES));
}

function written(publicKey: KeyObject): string {
  return publicKey.export({ type: "spki", format: "der" }).toString("base64url");
}
