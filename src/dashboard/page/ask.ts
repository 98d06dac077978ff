/// <reference lib="dom" />

/** Who is looking at the page, and the token that its requests carry. */
export interface Me {
  readonly viewer: { readonly kind: "operator" } | { readonly kind: "person"; readonly login: string };
  readonly page: string;
  /** Base address of GitHub's pages. */
  readonly site: string;
}

/** The API refused a request. */
export class Refused extends Error {
  override readonly name = "Refused";
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Signs out on the server, which also ends the live updates of this browser's other open pages. */
export async function signOut(): Promise<void> {
  await post("/api/sign-out", {}, {});
  location.assign("/");
}

/** Reads a path of the API. Throws `Refused`, or a `TypeError` if there is no response. */
export async function read<Body>(path: string): Promise<Body> {
  return answerOf(await fetch(path, { headers: { accept: "application/json" } }));
}

/** Returns the body of an answer. An error may come without one that can be read, also from a proxy. */
async function answerOf<Body>(response: Response): Promise<Body> {
  const body = await response.json().catch(() => undefined);
  if (body === undefined)
    throw new Refused(
      response.status,
      `Flotilla answered with an error (${response.status}). Its log says more.`,
    );
  if (!response.ok) throw refusal(response.status, body);
  return body;
}

/**
 * Carries out an act and returns its answer; a repeated `id` acts only once. Throws `Refused`, or a `TypeError` if there
 * is no response.
 */
export async function act(
  path: string,
  body: object & { readonly id: string },
): Promise<Readonly<Record<string, unknown>>> {
  const me = await read<Me>("/api/me");
  return post(path, body, { "x-flotilla-page": me.page });
}

/** Returns an id for a request. A page that is not on localhost or HTTPS has no `crypto.randomUUID`. */
export function newId(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
}

/** Exchanges the token for a sign-in cookie. Throws `Refused` if the token is wrong. */
export async function signIn(token: string): Promise<void> {
  await post("/api/sign-in", { token }, {});
}

async function post(
  path: string,
  body: object,
  headers: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, unknown>>> {
  const response = await fetch(path, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  return answerOf(response);
}

interface Fault {
  readonly error:
    | string
    | { readonly code: string; readonly message: string; readonly hint: string; readonly reason?: string };
  readonly why?: string;
  readonly hint?: string;
}

/** Returns why the API refused a request, in sentences. */
function refusal(status: number, { error, why, hint }: Fault): Refused {
  if (typeof error !== "string")
    return new Refused(status, sentences([error.reason ?? error.message, error.hint]));
  if (error === "not_found")
    return new Refused(status, "This is not there any more, or you may not see it. Reload the page.");
  return new Refused(status, sentences(error === "invalid_argument" ? [hint] : [why ?? error, hint]));
}

function sentences(texts: readonly (string | undefined)[]): string {
  return texts
    .flatMap((text) => (text === undefined || text === "" ? [] : [text]))
    .map((text) => `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?…]$/.test(text) ? "" : "."}`)
    .join(" ");
}
