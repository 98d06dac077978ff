import type { Answer } from "../../http/answer.ts";
import type { Asked } from "../../http/http-server.ts";

const MAX_BYTES = 64 * 1024;

const UTF8 = new TextDecoder("utf-8", { fatal: true });

const BUSY: Answer = {
  status: 503,
  body: { error: "busy", hint: "too many requests are being read; try again later" },
  headers: { connection: "close" },
};

const TOO_LARGE: Answer = {
  status: 413,
  body: { error: "too_large", hint: "send at most 64 KiB of JSON" },
};

const NO_JSON: Answer = {
  status: 400,
  body: { error: "invalid_argument", hint: "send the body as JSON in UTF-8" },
};

/** Reads the JSON body of a request, `{}` where there is none; or returns the answer to one that cannot be read. */
export async function readJson({
  body,
}: Asked): Promise<{ readonly json: unknown } | { readonly refused: Answer }> {
  const bytes = await body({ maxBytes: MAX_BYTES });
  if (bytes === "full") return { refused: BUSY };
  if (bytes === "too_large") return { refused: TOO_LARGE };
  if (bytes === "gone" || bytes.length === 0) return { json: {} };
  try {
    return { json: JSON.parse(UTF8.decode(bytes)) };
  } catch {
    return { refused: NO_JSON };
  }
}
