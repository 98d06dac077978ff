import { expect, it } from "vitest";
import { PLACES } from "../../src/dashboard/page/places.ts";
import { readPageFiles } from "../../src/dashboard/page-files.ts";
import { asOperator, serve } from "./served.ts";

it.each(["/queues", ...PLACES.map(([path]) => path), "/agents/acme%2Fshop%3Afeat-dev-issue-41"])(
  "%s shows the page with a policy that lets in nothing of others, and needs no token for it",
  async (path) => {
    const served = await serve();
    const { status, headers, body } = await served.get(path);
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
    const policy = headers.get("content-security-policy") ?? "";
    for (const rule of [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "frame-ancestors 'none'",
    ])
      expect(policy).toContain(rule);
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    expect(body).not.toMatch(/<script(?![^>]* src=)|style=|https?:\/\//);
  },
);

it("serves each file that the page names, under a path that changes with what is in it", async () => {
  const served = await serve();
  const { body } = await served.get("/");
  const paths = [...String(body).matchAll(/(?:src|href)="(\/page\/[^"]+)"/g)].map(([, path = ""]) => path);
  expect(paths.length).toBeGreaterThan(20);
  for (const path of paths) {
    const { status, headers } = await served.get(path);
    expect({ path, status }).toEqual({ path, status: 200 });
    expect(headers.get("content-type")).toMatch(/^text\/(?:javascript|css); charset=utf-8$/);
    expect(headers.get("cache-control")).toContain("immutable");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
  }
});

it("imports nothing by a name that a browser does not know", () => {
  const { files } = readPageFiles();
  const named = [...files].flatMap(([name, { type, body }]) =>
    type.startsWith("text/javascript")
      ? [...body.matchAll(/(?:\bfrom|\bimport)\s*"([^"]+)"/g)].map(([, from = ""]) => `${name}: ${from}`)
      : [],
  );
  expect(named.length).toBeGreaterThan(30);
  expect(named.filter((each) => !/: (?:\.\/|\/page\/)/.test(each))).toEqual([]);
});

it.each([
  "/page/",
  "/page/0000000000000000/main.ts",
  "/page/../api/agents",
  "/agents/",
  "/agents/a/b",
  "/package.json",
  "/src/main.ts",
])("gives nothing for %s", async (path) => {
  const served = await serve();
  expect((await served.get(path)).status).not.toBe(200);
});

it("shows a person who follows a wrong link the page, as not found; a program gets a line of text", async () => {
  const served = await serve();
  const shown = await served.get("/nonsense", { accept: "text/html,*/*;q=0.8" });
  expect([shown.status, shown.headers.get("content-type")]).toEqual([404, "text/html; charset=utf-8"]);
  expect(shown.headers.get("content-security-policy")).toContain("default-src 'none'");
  for (const [path, accept] of [
    ["/nonsense", "*/*"],
    ["/api/nonsense", "text/html"],
    ["/page/nonsense", "text/html"],
  ] as const) {
    const { status, headers } = await served.get(path, { accept });
    expect({ path, status, type: headers.get("content-type") }).not.toEqual({
      path,
      status,
      type: "text/html; charset=utf-8",
    });
    expect(status).not.toBe(200);
  }
});

it("is only looked at", async () => {
  const served = await serve();
  expect((await served.post("/", {}, asOperator)).status).toBe(405);
});
