import { beforeAll, describe, expect, it } from "vitest";
import { botClient, type Client, clientFor } from "./client.ts";
import { dig } from "./dig.ts";
import { useGitHub } from "./setup.ts";

const ground = useGitHub();
const repo = "/repos/acme/app";
let bot: Client;
beforeAll(async () => {
  bot = await botClient(ground.github);
});

describe("a repository", () => {
  it("is shown with its default branch and visibility", async () => {
    const { json } = await bot("GET", repo);
    expect(json).toMatchObject({
      full_name: "acme/app",
      private: true,
      default_branch: "main",
      archived: false,
    });
  });

  it("is renamed and archived by its owners: the old name redirects, and writes are refused", async () => {
    ground.github.person("boss", { permission: "admin", repository: "acme/app" });
    const boss = ground.github.as("boss");
    await expect(ground.github.as("octocat").call("PATCH", "", { name: "other" })).rejects.toThrow("rights");
    await expect(boss.call("PATCH", "", { name: "lib" })).rejects.toMatchObject({ status: 422 });
    const renamed = await boss.call("PATCH", "", { name: "shop" });
    expect(renamed).toMatchObject({ full_name: "acme/shop", archived: false });
    expect((await bot("GET", repo)).json).toMatchObject({ full_name: "acme/shop" });
    const shop = ground.github.as("boss", "acme/shop");
    await shop.call("PATCH", "", { archived: true });
    await expect(shop.openIssue({ title: "Late" })).rejects.toMatchObject({ status: 403 });
    expect(await shop.call("GET", "")).toMatchObject({ archived: true });
    await shop.call("PATCH", "", { archived: false });
    await shop.call("PATCH", "", { name: "app" });
    expect(await ground.heard()).toEqual([
      "repository.renamed",
      "repository.archived",
      "repository.unarchived",
      "repository.renamed",
    ]);
  });

  it("shows files as JSON, raw and as a directory", async () => {
    const file = await bot("GET", `${repo}/contents/src/a.txt`);
    expect(Buffer.from(String(file.json["content"]), "base64").toString()).toBe("one\ntwo\nthree\n");
    const raw = await bot("GET", `${repo}/contents/README.md?ref=main`, undefined, {
      accept: "application/vnd.github.raw",
    });
    expect([raw.text, raw.headers.get("content-type")]).toEqual([
      "# app\n",
      "application/vnd.github.raw; charset=utf-8",
    ]);
    expect((await bot("GET", `${repo}/contents/src`)).list.map((entry) => entry["path"])).toEqual([
      "src/a.txt",
    ]);
    expect((await bot("GET", `${repo}/contents/none`)).status).toBe(404);
    expect((await bot("GET", `${repo}/contents/README.md?ref=none`)).status).toBe(404);
  });

  it("accepts a new file, and an existing one only with its blob id", async () => {
    const content = Buffer.from("new\n").toString("base64");
    const made = await bot("PUT", `${repo}/contents/docs/new.md`, { message: "Add", content });
    expect(made.status).toBe(201);
    expect(await ground.heard()).toEqual(["push"]);
    const change = { message: "Change", content: Buffer.from("newer\n").toString("base64") };
    expect((await bot("PUT", `${repo}/contents/docs/new.md`, change)).status).toBe(422);
    expect(
      (await bot("PUT", `${repo}/contents/docs/new.md`, { ...change, sha: "0".repeat(40) })).status,
    ).toBe(409);
    const sha = dig(made.json, "content", "sha");
    expect((await bot("PUT", `${repo}/contents/docs/new.md`, { ...change, sha })).status).toBe(200);
    expect((await bot("PUT", `${repo}/contents/x`, { message: "x", content, branch: "none" })).status).toBe(
      404,
    );
  });

  it("lists and shows branches, also those with slashes in the name", async () => {
    await ground.github.as("octocat").push("flotilla/docs-dev/issue-1", { "x.md": "x" }, "Work");
    const names = (await bot("GET", `${repo}/branches`)).list.map((branch) => branch["name"]);
    expect(names).toEqual(["flotilla/docs-dev/issue-1", "main"]);
    expect((await bot("GET", `${repo}/branches/flotilla%2Fdocs-dev%2Fissue-1`)).json["protected"]).toBe(
      false,
    );
    expect((await bot("GET", `${repo}/branches/flotilla/docs-dev/issue-1`)).status).toBe(200);
    expect((await bot("GET", `${repo}/branches/none`)).json["message"]).toBe("Branch not found");
  });

  it("shows commits, one commit with its files, and comparisons of two", async () => {
    const list = (await bot("GET", `${repo}/commits`)).list;
    expect(dig(list.at(-1), "commit", "message")).toBe("Initial commit");
    const root = await bot("GET", `${repo}/commits/${String(list.at(-1)?.["sha"])}`);
    expect(root.json["stats"]).toMatchObject({ additions: 4, deletions: 0 });
    const octocat = ground.github.as("octocat");
    await octocat.push("side", { "src/a.txt": null, "src/renamed.txt": "one\ntwo\nthree\n" }, "Rename");
    const side = await bot("GET", `${repo}/commits/side`);
    expect(side.json["files"]).toMatchObject([{ status: "renamed", previous_filename: "src/a.txt" }]);
    await octocat.push("main", { "ahead.md": "a" }, "Ahead");
    const compare = await bot("GET", `${repo}/compare/main...side`);
    expect(compare.json).toMatchObject({ status: "diverged", ahead_by: 1, behind_by: 1, total_commits: 1 });
    expect((await bot("GET", `${repo}/compare/acme:side...acme:side`)).json["status"]).toBe("identical");
    expect((await bot("GET", `${repo}/compare/main...none`)).status).toBe(404);
    expect((await bot("GET", `${repo}/commits/none`)).status).toBe(422);
    expect((await bot("GET", `${repo}/commits?sha=none`)).status).toBe(404);
  });
});

describe("git refs", () => {
  it("are read, created, moved and deleted", async () => {
    const main = String((await bot("GET", `${repo}/commits/main`)).json["sha"]);
    const initial = String((await bot("GET", `${repo}/commits?per_page=100`)).list.at(-1)?.["sha"]);
    await ground.heard();
    expect((await bot("POST", `${repo}/git/refs`, { ref: "refs/heads/by-api", sha: initial })).status).toBe(
      201,
    );
    expect((await bot("GET", `${repo}/git/ref/heads/by-api`)).json["object"]).toMatchObject({
      sha: initial,
      type: "commit",
    });
    expect((await bot("PATCH", `${repo}/git/refs/heads/by-api`, { sha: main })).status).toBe(200);
    expect((await bot("PATCH", `${repo}/git/refs/heads/by-api`, { sha: initial })).json["message"]).toBe(
      "Update is not a fast forward",
    );
    expect((await bot("GET", `${repo}/git/matching-refs/heads/by`)).list).toHaveLength(1);
    expect((await bot("DELETE", `${repo}/git/refs/heads/by-api`)).status).toBe(204);
    expect(await ground.heard()).toEqual(["create", "push", "push", "delete", "push"]);
  });

  it("are refused if they are invalid, exist already, or are missing", async () => {
    const sha = String((await bot("GET", `${repo}/commits/main`)).json["sha"]);
    const make = async (ref: string, at = sha): Promise<unknown[]> => {
      const { status, json } = await bot("POST", `${repo}/git/refs`, { ref, sha: at });
      return [status, json["message"]];
    };
    expect(await make("refs/heads/main")).toEqual([422, "Reference already exists"]);
    expect(await make("main")).toEqual([
      422,
      "Reference name must start with 'refs/' and have at least two slashes.",
    ]);
    expect(await make("refs/heads/a..b")).toEqual([422, "refs/heads/a..b is not a valid ref name."]);
    expect(await make("refs/heads/x", "1".repeat(40))).toEqual([422, "Object does not exist"]);
    expect((await bot("DELETE", `${repo}/git/refs/heads/none`)).json["message"]).toBe(
      "Reference does not exist",
    );
    expect((await bot("GET", `${repo}/git/ref/heads/none`)).status).toBe(404);
    const reader = clientFor(ground.github, ground.github.as("reader").token);
    expect((await reader("POST", `${repo}/git/refs`, { ref: "refs/heads/r", sha })).status).toBe(403);
  });
});

describe("the routes that emulate answers", () => {
  it("include topics, meta and zen, without the emulator's address", async () => {
    expect((await bot("GET", `${repo}/topics`)).json).toEqual({ names: [] });
    expect((await bot("GET", "/meta")).json["hooks"]).toEqual(["127.0.0.1/32"]);
    expect((await bot("GET", "/zen")).text.length).toBeGreaterThan(0);
  });

  it("include branch protection: absent, set and removed", async () => {
    const path = `${repo}/branches/main/protection`;
    expect((await bot("GET", path)).status).toBe(404);
    const rules = {
      required_status_checks: null,
      enforce_admins: true,
      required_pull_request_reviews: null,
      restrictions: null,
    };
    expect((await bot("PUT", path, rules)).status).toBe(200);
    const set = await bot("GET", path);
    expect(set.json["enforce_admins"]).toMatchObject({ enabled: true });
    expect(String(set.json["url"])).toBe(`${ground.github.api}${path}`);
    expect((await bot("DELETE", path)).status).toBe(204);
    const narrow = await botClient(ground.github, { permissions: { contents: "write" } });
    expect((await narrow("GET", path)).status).toBe(403);
  });
});

const tree = (body: object) => bot("POST", `${repo}/git/trees`, body);

describe("git objects", () => {
  const entry = { path: "a/b/new.txt", mode: "100644", type: "blob", content: "Größe\n" };

  it("are created as a tree based on another and a commit, and reachable only once a ref names the commit", async () => {
    const { json: main } = await bot("GET", `${repo}/commits/main`);
    await ground.heard();
    const base = String(dig(main, "commit", "tree", "sha"));
    const made = await tree({ base_tree: base, tree: [entry] });
    expect(made.status).toBe(201);
    expect((await tree({ base_tree: base, tree: [entry] })).json["sha"]).toBe(made.json["sha"]);
    const commit = await bot("POST", `${repo}/git/commits`, {
      message: "Add it",
      tree: made.json["sha"],
      parents: [main["sha"]],
    });
    expect(commit.json).toMatchObject({ message: "Add it", tree: { sha: made.json["sha"] } });
    expect(await ground.heard()).toEqual([]);
    const ref = { ref: "refs/heads/objects", sha: commit.json["sha"] };
    expect((await bot("POST", `${repo}/git/refs`, ref)).status).toBe(201);
    expect((await bot("GET", `${repo}/commits/objects`)).json).toMatchObject({
      author: { login: ground.github.app.bot.login },
      files: [{ filename: entry.path, status: "added" }],
    });
  });

  it("may refer to existing objects, or start from nothing", async () => {
    const { json: file } = await bot("GET", `${repo}/contents/README.md`);
    const { path, mode, type } = entry;
    const made = await tree({ tree: [{ path, mode, type, sha: file["sha"] }] });
    expect(made.json).toMatchObject({ truncated: false, tree: [{ path: "a", type: "tree" }] });
    const root = await bot("POST", `${repo}/git/commits`, { message: "Root", tree: made.json["sha"] });
    expect(root.json["parents"]).toEqual([]);
  });

  it("are refused if an object that they refer to is missing", async () => {
    const none = "1".repeat(40);
    const { json: main } = await bot("GET", `${repo}/commits/main`);
    const there = dig(main, "commit", "tree", "sha");
    const { path, mode, type } = entry;
    const answers = [
      await tree({ base_tree: none, tree: [entry] }),
      await tree({ tree: [{ path, mode, type, sha: none }] }),
      await bot("POST", `${repo}/git/commits`, { message: "x", tree: none }),
      await bot("POST", `${repo}/git/commits`, { message: "x", tree: there, parents: [none] }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 422, 422, 422]);
  });
});
