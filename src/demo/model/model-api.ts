import type { Answer } from "./answer.ts";
import type { ModelRequest, Received } from "./model-request.ts";

/** How one API of a provider writes requests and answers. */
export interface ModelApi {
  /** Whether the path, without a query, is that of a model call. */
  readonly serves: (path: string) => boolean;
  /** Throws `ZodError` or `SyntaxError` where the body is no request of this API. */
  readonly parse: (received: Received) => ModelRequest;
  /** The whole answer as one JSON body. */
  readonly body: (request: ModelRequest, answer: Answer) => string;
  /** The same answer as server-sent events. */
  readonly events: (request: ModelRequest, answer: Answer) => string;
  /** The body that goes with an HTTP status of 400 or more. */
  readonly refusal: (status: number, message: string) => string;
}
