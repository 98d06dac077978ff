import type { FetchLike } from "@modelcontextprotocol/client";
import { MOST_BYTES, MOST_MESSAGES } from "./bounds.ts";

/**
 * Returns a fetch that adds the server's header, follows no redirect, and gives no more of a response than an answer
 * may have. `onFlood` is called when one is longer, and when the server asks us too much in place of answering.
 */
export function limitedFetch(
  header: { readonly name: string; readonly value: string } | undefined,
  onFlood: () => void,
): FetchLike {
  let answered = 0;
  return async (url, init) => {
    answered = isAnswer(init?.body) ? answered + 1 : 0;
    if (answered > MOST_MESSAGES) {
      onFlood();
      throw new Error("the server asks without end");
    }
    const headers = new Headers(init?.headers);
    if (header !== undefined) headers.set(header.name, header.value);
    const response = await fetch(url, { ...init, headers, redirect: "error" });
    if (response.body === null) return response;
    let left = MOST_BYTES;
    const limit = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        left -= chunk.length;
        if (left >= 0) return controller.enqueue(chunk);
        onFlood();
        controller.error(new Error("the response is too long"));
      },
    });
    const { status, statusText } = response;
    return new Response(response.body.pipeThrough(limit), { status, statusText, headers: response.headers });
  };
}

/** Returns true for what we answer to a question of the server's: each is a request, whose response may ask again. */
function isAnswer(body: unknown): boolean {
  return typeof body === "string" && !("method" in Object(JSON.parse(body)));
}
