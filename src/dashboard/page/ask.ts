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
  const response = await fetch(path, { headers: { accept: "application/json" } });
  const body = await response.json();
  if (!response.ok) throw refusal(response.status, body);
  return body;
}

/** Carries out an act; a repeated `id` acts only once. Throws `Refused`. */
export async function act(path: string, body: object): Promise<void> {
  const me = await read<Me>("/api/me");
  await post(path, body, { "x-flotilla-page": me.page });
}

/** Exchanges the token for a sign-in cookie. Throws `Refused` if the token is wrong. */
export function signIn(token: string): Promise<void> {
  return post("/api/sign-in", { token }, {});
}

async function post(path: string, body: object, headers: Readonly<Record<string, string>>): Promise<void> {
  const response = await fetch(path, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw refusal(response.status, await response.json());
}

interface Fault {
  readonly error: string | { readonly message: string; readonly hint: string };
  readonly why?: string;
  readonly hint?: string;
}

function refusal(status: number, { error, why, hint }: Fault): Refused {
  if (typeof error !== "string") return new Refused(status, `${error.message} (${error.hint})`);
  return new Refused(status, [why ?? error, hint].filter(Boolean).join(": "));
}
