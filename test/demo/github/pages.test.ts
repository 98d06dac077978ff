import { describe, expect, it } from "vitest";
import { checkWebhook } from "../../github-descriptions/check-webhook.ts";
import { clientFor } from "./client.ts";
import { useGitHub } from "./setup.ts";

const ground = useGitHub();
const get = async (path: string): Promise<{ status: number; text: string }> => {
  const response = await fetch(`${ground.github.origin}${path}`);
  return { status: response.status, text: await response.text() };
};
const post = async (path: string, form: Record<string, string>): Promise<Response> =>
  await fetch(`${ground.github.origin}${path}`, {
    method: "POST",
    body: new URLSearchParams(form),
    redirect: "manual",
  });

describe("pages", () => {
  it("show an issue with its comments and rendered Markdown, but without embedded HTML", async () => {
    const octocat = ground.github.as("octocat");
    const number = await octocat.openIssue({
      title: "<b>Bold</b>",
      body: "<script>alert(1)</script>",
      labels: ["bug"],
    });
    await octocat.comment(number, "A & B, **now**, <img src=x onerror=alert(1)>\n<!-- for machines -->");
    const { status, text } = await get(`/acme/app/issues/${number}`);
    expect(status).toBe(200);
    expect(text).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
    expect(text).toContain("A &amp; B, <strong>now</strong>");
    expect(text).not.toMatch(/<script|<img|<b>|for machines/);
    expect((await get("/acme/app")).text).toContain(`/acme/app/issues/${number}`);
    expect((await get("/")).text).toContain('href="/acme/app"');
    expect([(await get("/acme/app/issues/99")).status, (await get("/acme/none")).status]).toEqual([404, 404]);
  });

  it("let the person comment, label, close, reopen and merge", async () => {
    const octocat = ground.github.as("octocat");
    const number = await octocat.openIssue({ title: "By form" });
    const path = `/acme/app/issues/${number}`;
    expect((await post(path, { act: "comment", body: "Hello" })).headers.get("location")).toBe(path);
    await post(path, { act: "label", label: "bug" });
    await post(path, { act: "close" });
    expect(ground.github.state().issue(number).state).toBe("closed");
    await post(path, { act: "reopen" });
    expect(ground.github.state().labels(number)).toEqual(["bug"]);
    expect(
      ground.github
        .state()
        .comments(number)
        .map(({ body, author }) => [author.login, body]),
    ).toEqual([["octocat", "Hello"]]);
    await octocat.push("topic", { "p.txt": "page" }, "P");
    const pull = await octocat.openPull({ title: "P", head: "topic" });
    expect((await get(`/acme/app/pull/${pull}`)).text).toContain("+page");
    await post(`/acme/app/pull/${pull}`, { act: "merge" });
    expect(ground.github.state().pull(pull).pull.mergedAt).not.toBeNull();
    const refused = await post(`/acme/app/pull/${pull}`, { act: "merge" });
    expect([refused.status, await refused.text()]).toEqual([405, expect.stringContaining("not mergeable")]);
  });
});

describe("registering an App from a manifest", () => {
  it("redirects the browser with a code that can be used once", async () => {
    const manifest = {
      name: "Flotilla",
      redirect_url: "http://127.0.0.1:3000/probot/setup",
      hook_attributes: { url: "http://127.0.0.1:3000/api/github/webhooks" },
    };
    expect((await get("/settings/apps/new")).text).toContain("manifest");
    const sent = await post("/settings/apps/new?state=s1", { manifest: JSON.stringify(manifest) });
    const location = new URL(sent.headers.get("location") ?? "");
    expect([sent.status, location.origin + location.pathname, location.searchParams.get("state")]).toEqual([
      302,
      manifest.redirect_url,
      "s1",
    ]);
    const call = clientFor(ground.github, undefined);
    const path = `/app-manifests/${location.searchParams.get("code") ?? ""}/conversions`;
    const { status, json } = await call("POST", path);
    expect([status, json["id"], json["pem"], json["slug"]]).toEqual([
      201,
      ground.github.app.id,
      ground.github.app.privateKey,
      "flotilla",
    ]);
    expect(ground.github.app.hook).toMatchObject({
      url: manifest.hook_attributes.url,
      secret: json["webhook_secret"],
    });
    expect((await call("POST", path)).status).toBe(404);
    await ground.github.webhooks.idle();
    const [ping] = ground.github.webhooks.deliveries();
    expect(ping).toMatchObject({ event: "ping", url: manifest.hook_attributes.url });
    expect(checkWebhook("ping", JSON.parse(ping?.body ?? ""))).toEqual([]);
    expect((await get("/apps/flotilla/installations/new")).status).toBe(200);
  });

  it("says what is wrong with a manifest", async () => {
    for (const manifest of ["{", "{}"]) {
      const refused = await post("/settings/apps/new", { manifest });
      expect([refused.status, await refused.text()]).toEqual([
        400,
        expect.stringContaining("cannot be used"),
      ]);
    }
  });
});
