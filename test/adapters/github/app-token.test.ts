import { verify } from "node:crypto";
import { expect, it } from "vitest";
import { createAppToken } from "../../../src/adapters/github/app/app-token.ts";
import { StartupRefused } from "../../../src/domain/kernel/errors.ts";
import { NOON, PRIVATE_KEY, PUBLIC_KEY, stoppedClock } from "./mocked-github.ts";

it("is a JWT of the App, signed with its key, good for less than ten minutes, begun a minute ago", () => {
  const token = createAppToken({ appId: 12, privateKey: PRIVATE_KEY, clock: stoppedClock() })();
  const [header = "", claims = "", signature = ""] = token.split(".");
  expect(read(header)).toEqual({ alg: "RS256", typ: "JWT" });
  expect(read(claims)).toEqual({ iat: NOON / 1000 - 60, exp: NOON / 1000 + 540, iss: "12" });
  const signed = Buffer.from(`${header}.${claims}`);
  expect(verify("RSA-SHA256", signed, PUBLIC_KEY, Buffer.from(signature, "base64url"))).toBe(true);
});

it("is refused at start-up with a key that cannot be read, naming the cure", () => {
  expect(withoutKey).toThrow(StartupRefused);
  expect(withoutKey).toThrow(/PRIVATE_KEY_PATH/);
});

function read(part: string): unknown {
  return JSON.parse(Buffer.from(part, "base64url").toString());
}

function withoutKey(): void {
  createAppToken({ appId: 12, privateKey: "not a key", clock: stoppedClock() });
}
