import type { FetchLike } from "@modelcontextprotocol/client";
import { MOST_BYTES } from "./bounds.ts";

/**
 * Returns a fetch that adds the server's header, follows no redirect, and gives no more of a response than an answer
 * may have. `onFlood` is called when one is longer.
 */
export function limitedFetch(
  header: { readonly name: string; readonly value: string } | undefined,
  onFlood: () => void,
): FetchLike {
  return async (url, init) => {
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
