import { ApiError } from "../http/answer.ts";
import type { Actor, World } from "../world/world.ts";
import { refuseJwt } from "./app-key.ts";
import type { Tokens } from "./tokens.ts";

/**
 * Returns who sent an `authorization` header. Accepts bearer and token schemes, and basic with the token as password
 * (git). Throws 401 without a valid token, like GitHub Enterprise Server in private mode.
 */
export function authenticate(
  world: World,
  tokens: Tokens,
  header: string | undefined,
): { actor: Actor; token: string } {
  const token = readToken(header);
  if (token === undefined) throw new ApiError(401, "Requires authentication");
  if (token.split(".").length === 3) {
    const refusal = refuseJwt(token, world.app, world.nowMs());
    if (refusal !== undefined) throw new ApiError(401, refusal);
    return { actor: { kind: "app", account: world.app.bot }, token };
  }
  const grant = tokens.find(token, world.nowMs());
  if (grant === undefined) throw new ApiError(401, "Bad credentials");
  if (grant.kind !== "installation") return { actor: { kind: "person", account: grant.account }, token };
  return {
    actor: {
      kind: "installation",
      account: world.app.bot,
      repositories: grant.repositories,
      permissions: grant.permissions,
    },
    token,
  };
}

function readToken(header: string | undefined): string | undefined {
  const match = /^(bearer|token|basic) +(\S+)$/i.exec(header ?? "");
  if (match?.[2] === undefined) return undefined;
  if (match[1]?.toLowerCase() !== "basic") return match[2];
  const decoded = Buffer.from(match[2], "base64").toString();
  return decoded.slice(decoded.indexOf(":") + 1);
}
