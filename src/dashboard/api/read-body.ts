import type { Answer } from "../../http/answer.ts";
import type { Asked } from "../../http/http-server.ts";

const MAX_BYTES = 64 * 1024;

const BUSY: Answer = {
  status: 503,
  body: { error: "busy", hint: "too many requests are being read; try again later" },
  headers: { connection: "close" },
};

/**
 * Reads the JSON body of a request; undefined if it is not JSON or too long. Returns an answer if the body was not
 * read.
 */
export async function readJson({
  body,
}: Asked): Promise<{ readonly json: unknown } | { readonly busy: Answer }> {
  const bytes = await body({ maxBytes: MAX_BYTES });
  if (bytes === "full") return { busy: BUSY };
  if (typeof bytes === "string") return { json: undefined };
  try {
    return { json: JSON.parse(bytes.toString("utf8")) };
  } catch {
    return { json: undefined };
  }
}
