/** The ways in which a worst-case agent may encode a secret. Each result can be found by a text search. */
export const ENCODINGS: readonly { readonly name: string; readonly encode: (secret: string) => string }[] = [
  { name: "as it is", encode: (secret) => secret },
  { name: "in base64", encode: (secret) => base64(secret, 0) },
  { name: "in base64, one byte later", encode: (secret) => base64(secret, 1) },
  { name: "in base64, two bytes later", encode: (secret) => base64(secret, 2) },
  {
    name: "in base64 for URLs",
    encode: (secret) => base64(secret, 0).replaceAll("+", "-").replaceAll("/", "_"),
  },
  { name: "in hexadecimal", encode: (secret) => Buffer.from(secret).toString("hex") },
  {
    name: "in upper-case hexadecimal",
    encode: (secret) => Buffer.from(secret).toString("hex").toUpperCase(),
  },
  { name: "encoded for a URL", encode: encodeURIComponent },
  { name: "with each byte encoded for a URL", encode: (secret) => percent(secret) },
  {
    name: "with each byte encoded for a URL in upper case",
    encode: (secret) => percent(secret).toUpperCase(),
  },
  { name: "in JSON", encode: (secret) => JSON.stringify(secret).slice(1, -1) },
  { name: "cut to its first half", encode: (secret) => secret.slice(0, Math.max(12, secret.length >> 1)) },
];

/** Encodes, without the characters at the ends, which also depend on neighbouring bytes. */
function base64(secret: string, before: number): string {
  const text = Buffer.concat([Buffer.alloc(before), Buffer.from(secret)]).toString("base64");
  const whole = Math.floor(((before + Buffer.byteLength(secret)) * 8) / 6);
  return text.slice(Math.ceil((before * 8) / 6), whole);
}

const percent = (secret: string): string => Buffer.from(secret).toString("hex").replaceAll(/../g, "%$&");
