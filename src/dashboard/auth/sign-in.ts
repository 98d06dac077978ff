import type { IncomingMessage } from "node:http";
import { z } from "zod";
import type { Answer } from "../../http/answer.ts";
import type { TokenGate } from "../../http/token-gate.ts";
import type { SignInCookies } from "./sign-in-cookies.ts";

export const tokenGiven = z.object({ token: z.string().max(500) });

/** Exchanges the token for a cookie that scripts cannot read. */
export function signIn(
  { token }: z.infer<typeof tokenGiven>,
  {
    request,
    cookies,
    gate,
  }: { readonly request: IncomingMessage; readonly cookies: SignInCookies; readonly gate: TokenGate },
): Answer {
  if (!gate.isToken(token)) return gate.fail();
  const cookie = cookies.open({ kind: "operator" }, request);
  return { status: 200, body: { signed_in: true }, headers: { "set-cookie": cookie } };
}

/** Ends the sign-in of the request's cookie. */
export async function signOut(request: IncomingMessage, cookies: SignInCookies): Promise<Answer> {
  const cookie = await cookies.close(request);
  return { status: 200, body: { signed_out: true }, headers: { "set-cookie": cookie } };
}
