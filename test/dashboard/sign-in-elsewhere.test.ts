import { createHash } from "node:crypto";
import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { expect, it } from "vitest";
import { GitHubSignIns } from "../../src/dashboard/auth/github-sign-in.ts";
import { SignInCookies } from "../../src/dashboard/auth/sign-in-cookies.ts";
import { memoryStore } from "../factories/memory-store.ts";
import { createMemoryLog } from "../webhooks/memory-log.ts";

const TOKEN = "a token that both processes have";

const now = () => 1000;

function asked(cookie?: string): IncomingMessage {
  const request = new IncomingMessage(new Socket());
  request.headers = { host: "flotilla.example.com", ...(cookie === undefined ? {} : { cookie }) };
  return request;
}

/** A process of those behind one address; with what it proves to GitHub. */
function aProcess(token: string) {
  const proofs: string[] = [];
  const challenges: string[] = [];
  const signIns = new GitHubSignIns({
    signIn: {
      authorizeUrl: ({ state, challenge }) => {
        challenges.push(challenge);
        return state;
      },
      whoIs: async ({ verifier }) => {
        proofs.push(verifier);
        return { id: 3, login: "alice" };
      },
    },
    key: token,
    now,
    log: createMemoryLog(),
  });
  return { signIns, proofs, challenges, cookies: new SignInCookies(token, now, memoryStore().signOuts) };
}

it("a sign-in that one process began is ended by another with the same token, and by no other", async () => {
  const [one, two, other] = [aProcess(TOKEN), aProcess(TOKEN), aProcess("another token")];
  const { headers } = one.signIns.begin(asked());
  const [cookie = ""] = String(headers["set-cookie"]).split(";");
  const query = new URLSearchParams({ code: "c", state: String(headers["location"]) });
  expect((await other.signIns.end(asked(cookie), query, other.cookies)).status).toBe(400);
  const ended = await two.signIns.end(asked(cookie), query, two.cookies);
  expect([ended.status, two.proofs.length, other.proofs.length]).toEqual([200, 1, 0]);
  const proved = two.proofs.map((proof) => createHash("sha256").update(proof).digest("base64url"));
  expect(proved).toEqual(one.challenges);
  const [session = ""] = String(ended.headers["set-cookie"]).split(";");
  expect(await one.cookies.viewerOf(asked(session))).toMatchObject({ kind: "person", login: "alice" });
});
