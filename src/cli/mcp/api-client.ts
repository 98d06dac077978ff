import { z } from "zod";
import { messageOf } from "../../domain/kernel/errors.ts";

/** A request to the API of a running Flotilla. */
export interface ApiRequest {
  readonly method: "GET" | "POST";
  /** With its query. */
  readonly path: string;
  readonly body?: object;
}

/** What was answered, or why not, in words with what to do. */
type ApiAnswer = { readonly ok: true; readonly body: unknown } | { readonly ok: false; readonly why: string };

export type AskApi = (request: ApiRequest) => Promise<ApiAnswer>;

const PATIENCE_MS = 60_000;

const refusal = z.object({ error: z.string(), hint: z.string(), why: z.string().optional() });
const refusedAct = z.object({ error: z.object({ code: z.string(), message: z.string(), hint: z.string() }) });

/** Creates a client that sends the token with each request. A redirect is refused: the token is for this address alone. */
export function apiClient(address: string, token: string): AskApi {
  const at = address.replace(/\/+$/, "");
  return async ({ method, path, body }) => {
    let answer: Response;
    let text: string;
    try {
      answer = await fetch(`${at}${path}`, {
        method,
        redirect: "error",
        signal: AbortSignal.timeout(PATIENCE_MS),
        headers: {
          authorization: `Bearer ${token}`,
          ...(body === undefined ? {} : { "content-type": "application/json" }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      text = await answer.text();
    } catch (error) {
      return { ok: false, why: `${awayText(at, error)} Nothing is known of what became of the request.` };
    }
    if (answer.status === 401 || answer.status === 429)
      return {
        ok: false,
        why: `Flotilla at ${at} does not accept the token in FLOTILLA_TOKEN: it is wrong or has ended. Have the person make another at ${at}/token and start this server again with it.`,
      };
    const json = parsed(text);
    if (json === undefined)
      return {
        ok: false,
        why: `What answers at ${at} is no API of Flotilla (status ${answer.status}). Correct FLOTILLA_URL.`,
      };
    return answer.ok ? { ok: true, body: json } : { ok: false, why: whyNot(answer.status, json) };
  };
}

function awayText(at: string, error: unknown): string {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  return `Flotilla at ${at} does not answer (${messageOf(cause)}). Start it, or correct FLOTILLA_URL, then try again.`;
}

function whyNot(status: number, json: unknown): string {
  const act = refusedAct.safeParse(json).data?.error;
  if (act !== undefined) return `Refused (${act.code}): ${act.message}. What to do: ${act.hint}.`;
  const own = refusal.safeParse(json).data;
  if (own === undefined) return `Refused with status ${status}.`;
  return `Refused (${own.error})${own.why === undefined ? "" : `: ${own.why}`}. What to do: ${own.hint}.`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
