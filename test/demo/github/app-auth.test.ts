import { describe, expect, it } from "vitest";
import { makeAppKey } from "../../../src/demo/github/auth/app-key.ts";
import { appJwt, clientFor, installationToken } from "./client.ts";
import { useGitHub } from "./setup.ts";

let clock = Date.parse("2026-01-01T00:00:00Z");
const ground = useGitHub({
  repositories: [{ name: "app" }, { name: "lib" }, { name: "open", private: false }],
  now: () => clock,
  app: { permissions: { issues: "write", contents: "read", metadata: "read" } },
});
const jwt = (claims: Record<string, unknown> = {}): string => appJwt(ground.github.app, claims, clock);

async function mint(body?: object): Promise<string> {
  return await installationToken(ground.github, body, clock);
}

describe("the App", () => {
  it("authenticates with its JSON web token", async () => {
    const { status, json } = await clientFor(ground.github, jwt())("GET", "/app");
    expect([status, json["slug"], json["id"]]).toEqual([200, "flotilla", ground.github.app.id]);
    const bySelf = await clientFor(ground.github, jwt({ iss: ground.github.app.clientId }))("GET", "/app");
    expect(bySelf.status).toBe(200);
  });

  it("is refused with a token that has expired, lasts too long, or has another issuer or signing key", async () => {
    const seconds = clock / 1000;
    const other = appJwt({ id: ground.github.app.id, ...makeAppKey() }, {}, clock);
    const bad = [
      jwt({ exp: seconds - 1 }),
      jwt({ exp: seconds + 3600 }),
      jwt({ iss: 1 }),
      jwt({ iat: seconds + 300 }),
      other,
      "a.b.c",
    ];
    for (const token of bad) expect((await clientFor(ground.github, token)("GET", "/app")).status).toBe(401);
  });

  it("finds its installation by list, id, organization and repository", async () => {
    const call = clientFor(ground.github, jwt());
    const { id } = ground.github.installation;
    expect((await call("GET", "/app/installations")).list.map((entry) => entry["id"])).toEqual([id]);
    for (const path of [
      `/app/installations/${id}`,
      "/orgs/acme/installation",
      "/repos/acme/app/installation",
    ]) {
      expect((await call("GET", path)).json["id"]).toBe(id);
    }
    expect((await call("GET", "/repos/acme/none/installation")).status).toBe(404);
  });

  it("has a bot account of type Bot", async () => {
    const call = clientFor(ground.github, ground.github.as("octocat").token);
    const { json } = await call("GET", "/users/flotilla%5Bbot%5D");
    expect([json["login"], json["type"], json["id"]]).toEqual([
      "flotilla[bot]",
      "Bot",
      ground.github.app.bot.id,
    ]);
    expect((await call("GET", "/users/nobody")).status).toBe(404);
    expect((await call("GET", "/user")).json["login"]).toBe("octocat");
  });
});

describe("an installation token", () => {
  it("ends after one hour", async () => {
    const call = clientFor(ground.github, await mint());
    expect((await call("GET", "/repos/acme/app")).status).toBe(200);
    clock += 3600 * 1000;
    expect((await call("GET", "/repos/acme/app")).status).toBe(401);
  });

  it("narrowed to one repository cannot see another", async () => {
    const call = clientFor(ground.github, await mint({ repositories: ["lib"] }));
    expect((await call("GET", "/repos/acme/lib")).status).toBe(200);
    expect((await call("GET", "/repos/acme/app")).status).toBe(404);
    const seen = await call("GET", "/installation/repositories");
    expect(seen.json["total_count"]).toBe(1);
    const byId = clientFor(
      ground.github,
      await mint({ repository_ids: [ground.github.state("acme/app").repository.id] }),
    );
    expect((await byId("GET", "/repos/acme/lib")).status).toBe(404);
  });

  it("narrowed to one repository cannot write to another, public one", async () => {
    const call = clientFor(ground.github, await mint({ repositories: ["lib"] }));
    expect((await call("POST", "/repos/acme/open/issues", { title: "No" })).status).toBe(403);
    expect((await call("POST", "/repos/acme/lib/issues", { title: "Yes" })).status).toBe(201);
  });

  it("narrowed to reading issues cannot write them or do anything else", async () => {
    const call = clientFor(ground.github, await mint({ permissions: { issues: "read" } }));
    expect((await call("GET", "/repos/acme/app/issues")).status).toBe(200);
    const refused = await call("POST", "/repos/acme/app/issues", { title: "No" });
    expect([refused.status, refused.json["message"]]).toEqual([
      403,
      "Resource not accessible by integration",
    ]);
    expect((await call("GET", "/repos/acme/app/branches")).status).toBe(403);
  });

  it("cannot have more permissions than the App, or a repository outside the installation", async () => {
    const call = clientFor(ground.github, jwt());
    const path = `/app/installations/${ground.github.installation.id}/access_tokens`;
    expect((await call("POST", path, { permissions: { contents: "write" } })).status).toBe(422);
    expect((await call("POST", path, { repositories: ["elsewhere"] })).status).toBe(422);
  });

  it("can be revoked, one at a time or all at once", async () => {
    const own = clientFor(ground.github, await mint());
    expect((await own("DELETE", "/installation/token")).status).toBe(204);
    expect((await own("GET", "/repos/acme/app")).status).toBe(401);
    const other = clientFor(ground.github, await mint());
    ground.github.revokeInstallationTokens();
    expect((await other("GET", "/repos/acme/app")).status).toBe(401);
  });
});

describe("other callers", () => {
  it("are refused without a token or with an unknown one", async () => {
    expect((await clientFor(ground.github, undefined)("GET", "/repos/acme/app")).status).toBe(401);
    expect((await clientFor(ground.github, "ghs_garbage")("GET", "/repos/acme/app")).json["message"]).toBe(
      "Bad credentials",
    );
  });

  it("cannot use the App's routes with a person's token", async () => {
    const person = clientFor(ground.github, ground.github.as("octocat").token);
    expect((await person("GET", "/app")).status).toBe(401);
    expect((await person("GET", "/installation/repositories")).status).toBe(403);
  });

  it("without a role cannot see a private repository", async () => {
    const stranger = clientFor(ground.github, ground.github.as("stranger").token);
    expect((await stranger("GET", "/repos/acme/app")).status).toBe(404);
    const reader = clientFor(ground.github, ground.github.as("reader").token);
    expect((await reader("GET", "/repos/acme/app")).status).toBe(200);
  });

  it("get their role from the collaborators route, with the exact role in role_name", async () => {
    const call = clientFor(ground.github, await mint());
    const read = async (login: string): Promise<unknown[]> => {
      const { json } = await call("GET", `/repos/acme/app/collaborators/${login}/permission`);
      return [json["permission"], json["role_name"]];
    };
    ground.github.person("keeper", { permission: "maintain", repository: "acme/app" });
    expect(await read("boss")).toEqual(["admin", "admin"]);
    expect(await read("keeper")).toEqual(["write", "maintain"]);
    expect(await read("triager")).toEqual(["read", "triage"]);
    ground.github.person("stranger", { permission: "none" });
    expect(await read("stranger")).toEqual(["none", "none"]);
    expect((await call("GET", "/repos/acme/app/collaborators/nobody/permission")).status).toBe(404);
  });
});
