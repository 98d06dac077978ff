import type { IncomingMessage } from "node:http";
import { z } from "zod";
import type { Answer } from "../../http/answer.ts";
import type { TokenGate } from "../../http/token-gate.ts";
import type { SignInCookies } from "./sign-in-cookies.ts";

const given = z.object({ token: z.string().max(500) });

/** `POST /api/sign-in` exchanges the token for a cookie that scripts cannot read; `/api/sign-out` ends the sign-in. */
export async function signIn(
  what: string,
  body: unknown,
  {
    request,
    cookies,
    gate,
  }: { readonly request: IncomingMessage; readonly cookies: SignInCookies; readonly gate: TokenGate },
): Promise<Answer> {
  if (what === "sign-out") {
    const cookie = await cookies.close(request);
    return { status: 200, body: { signed_out: true }, headers: { "set-cookie": cookie } };
  }
  const asked = given.safeParse(body);
  if (!asked.success || !gate.isToken(asked.data.token)) return gate.fail();
  const cookie = cookies.open({ kind: "operator" }, request);
  return { status: 200, body: { signed_in: true }, headers: { "set-cookie": cookie } };
}
