import { z } from "zod";

const id = z.union([z.string(), z.number()]);
const requestShape = z.object({ id, method: z.string() });
const cancelShape = z.object({
  method: z.literal("notifications/cancelled"),
  params: z.object({ requestId: id }),
});

type Id = z.infer<typeof id>;

/** Returns the id of the request that a body makes, and of the one that it gives up; null where it does not. */
export function requestIn(body: unknown): { readonly made: Id | null; readonly givenUp: Id | null } {
  let sent: unknown;
  try {
    sent = typeof body === "string" ? JSON.parse(body) : undefined;
  } catch {
    sent = undefined;
  }
  return {
    made: requestShape.safeParse(sent).data?.id ?? null,
    givenUp: cancelShape.safeParse(sent).data?.params.requestId ?? null,
  };
}

/** Returns the response with a listener that is called once its body has ended, whole or not. */
export function withEnd(response: Response, onEnd: () => void): Response {
  if (response.body === null) {
    onEnd();
    return response;
  }
  const reader: ReadableStreamDefaultReader<Uint8Array> = response.body.getReader();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) return controller.enqueue(value);
        controller.close();
      } catch (error) {
        controller.error(error);
      }
      onEnd();
    },
    cancel: (reason) => reader.cancel(reason),
  });
  const { status, statusText, headers } = response;
  return new Response(body, { status, statusText, headers });
}
