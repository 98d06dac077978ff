import { type Answer, NOT_FOUND } from "../../http/answer.ts";
import { whoAsks } from "../auth/who-asks.ts";
import { wantedEvents } from "./event-streams.ts";
import type { ApiParts, Streamed, ViewerAsked } from "./parts.ts";

const BUSY: Answer = {
  status: 503,
  body: { error: "too_many_streams", hint: "close a stream that you do not need, or try again later" },
};
const NO_CURSOR: Answer = {
  status: 400,
  body: { error: "invalid_argument", hint: "set Last-Event-ID or ?after= to the id of an event" },
};

/** Opens an event stream, or answers why it cannot be opened. */
export async function streamed(
  { store, options }: ApiParts,
  { request, cookies, tokens, rights, query }: ViewerAsked,
): Promise<Streamed> {
  if (request.method !== "GET")
    return { status: 405, body: { error: "method_not_allowed", hint: "use GET to read a stream" } };
  const mayStay = async () => (await whoAsks(request, { gate: options.gate, cookies, tokens })) !== null;
  const wanted = await wantedEvents(store, { ...rights, mayStay }, request, query);
  if (wanted === "no_agent") return NOT_FOUND;
  return wanted === "no_cursor" ? NO_CURSOR : { ...BUSY, stream: wanted };
}
