import { createPrivateKey, type KeyObject, sign } from "node:crypto";
import { messageOf, StartupRefused } from "../../../domain/kernel/errors.ts";
import type { Clock } from "../../../domain/ports/clock.ts";

/** GitHub refuses more than ten minutes. The token's start is in the past, because clocks differ. */
const LIFE_S = 540;
const SKEW_S = 60;

/** Creates the token with which the App authenticates: a JWT signed with its key. Throws `StartupRefused`. */
export function createAppToken(options: { appId: number; privateKey: string; clock: Clock }): () => string {
  const key = readKey(options.privateKey);
  return () => {
    const now = Math.floor(options.clock.now() / 1000);
    const claims = { iat: now - SKEW_S, exp: now + LIFE_S, iss: String(options.appId) };
    const signed = `${encode({ alg: "RS256", typ: "JWT" })}.${encode(claims)}`;
    return `${signed}.${sign("RSA-SHA256", Buffer.from(signed), key).toString("base64url")}`;
  };
}

function readKey(privateKey: string): KeyObject {
  try {
    return createPrivateKey(privateKey);
  } catch (error) {
    throw new StartupRefused([
      `The App's private key cannot be read (${messageOf(error)}): give the PEM file that GitHub made, whole, by PRIVATE_KEY_PATH or PRIVATE_KEY.`,
    ]);
  }
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}
