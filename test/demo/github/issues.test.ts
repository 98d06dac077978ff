import { describe, expect, it } from "vitest";
import { botClient, clientFor } from "./client.ts";
import { dig } from "./dig.ts";
import { useGitHub } from "./setup.ts";

const ground = useGitHub();
const repo = "/repos/acme/app";

describe("an issue", () => {
  it("opened with labels and assignees sends opened, labeled and assigned, in order", async () => {
    const octocat = ground.github.as("octocat");
    const number = await octocat.openIssue({ title: "One", labels: ["bug", "docs"], assignees: ["boss"] });
    expect(await ground.heard()).toEqual([
      "label.created",
      "label.created",
      "issues.opened",
      "issues.labeled",
      "issues.labeled",
      "issues.assigned",
    ]);
    const { payload } = ground.receiver.received.at(-1)!;
    expect(payload).toMatchObject({
      issue: { number, user: { login: "octocat" } },
      assignee: { login: "boss" },
      sender: { login: "octocat" },
    });
    expect(payload).toMatchObject({
      repository: { full_name: "acme/app" },
      organization: { login: "acme" },
      installation: { id: ground.github.installation.id },
    });
  });

  it("opened by a reader loses its labels", async () => {
    const number = await ground.github
      .as("reader")
      .openIssue({ title: "Mine", labels: ["agent"], assignees: ["boss"] });
    expect(ground.github.state().labels(number)).toEqual([]);
    expect(await ground.heard()).toEqual(["issues.opened"]);
  });

  it("sends the previous values with an edit, and no webhook if nothing changed", async () => {
    const boss = ground.github.as("boss");
    const number = await boss.openIssue({ title: "Old", body: "old" });
    await boss.edit(number, { title: "New", body: "new" });
    await boss.edit(number, { title: "New" });
    expect(await ground.heard()).toEqual(["issues.opened", "issues.edited"]);
    expect(ground.receiver.received.at(-1)?.payload["changes"]).toEqual({
      title: { from: "Old" },
      body: { from: "old" },
    });
  });

  it("is closed with its reason and reopened, once each", async () => {
    const octocat = ground.github.as("octocat");
    const number = await octocat.openIssue({ title: "Close me" });
    await octocat.close(number, "not_planned");
    await octocat.close(number);
    expect(ground.github.state().issue(number)).toMatchObject({
      state: "closed",
      stateReason: "not_planned",
      closedBy: { login: "octocat" },
    });
    await octocat.reopen(number);
    expect(ground.github.state().issue(number)).toMatchObject({
      state: "open",
      stateReason: "reopened",
      closedAt: null,
    });
    expect(await ground.heard()).toEqual(["issues.opened", "issues.closed", "issues.reopened"]);
  });

  it("may be closed and edited by its author, but not by another reader", async () => {
    const reader = ground.github.as("reader");
    const own = await reader.openIssue({ title: "Own" });
    await reader.edit(own, { title: "Own, better" });
    await reader.close(own);
    const other = await ground.github.as("boss").openIssue({ title: "Not theirs" });
    await expect(reader.close(other)).rejects.toMatchObject({ status: 403 });
    await expect(reader.label(other, "bug")).rejects.toMatchObject({ status: 403 });
    await ground.github.as("triager").label(other, "bug");
    expect(ground.github.state().labels(other)).toEqual(["bug"]);
  });

  it("can be locked, deleted and transferred", async () => {
    const boss = ground.github.as("boss");
    const number = await boss.openIssue({ title: "Moves" });
    await boss.lock(number);
    await expect(ground.github.as("reader").comment(number, "Hm")).rejects.toMatchObject({ status: 403 });
    const there = await boss.transfer(number, "acme/lib");
    expect(ground.github.state("acme/lib").issue(there).title).toBe("Moves");
    const gone = await boss.openIssue({ title: "Gone" });
    await boss.deleteIssue(gone);
    expect(await ground.heard()).toEqual([
      "issues.opened",
      "issues.locked",
      "issues.transferred",
      "issues.opened",
      "issues.opened",
      "issues.deleted",
    ]);
    expect((await clientFor(ground.github, boss.token)("GET", `${repo}/issues/${gone}`)).status).toBe(404);
  });

  it("created through the App says so", async () => {
    const bot = await botClient(ground.github);
    const { status, json } = await bot("POST", `${repo}/issues`, { title: "By the App" });
    expect(status).toBe(201);
    expect(json).toMatchObject({
      user: { login: "flotilla[bot]", type: "Bot" },
      performed_via_github_app: { slug: "flotilla" },
    });
    expect((await bot("POST", `${repo}/issues`, { title: "  " })).status).toBe(422);
    expect((await bot("POST", `${repo}/issues`, { title: 3 })).status).toBe(422);
  }, 10_000);

  it("is listed by state, label, creator, assignee and time", async () => {
    const boss = ground.github.as("boss");
    const bot = await botClient(ground.github);
    const first = await boss.openIssue({ title: "L1", labels: ["listed"], assignees: ["boss"] });
    const second = await boss.openIssue({ title: "L2", labels: ["listed"] });
    await boss.close(second);
    const numbers = async (query: string): Promise<unknown[]> =>
      (await bot("GET", `${repo}/issues?labels=listed&${query}`)).list.map((issue) => issue["number"]);
    expect(await numbers("state=open")).toEqual([first]);
    expect(await numbers("state=all")).toEqual([second, first]);
    expect(await numbers("state=all&direction=asc")).toEqual([first, second]);
    expect(await numbers("state=all&assignee=boss")).toEqual([first]);
    expect(await numbers("state=all&assignee=none")).toEqual([second]);
    expect(await numbers("creator=octocat")).toEqual([]);
    expect(await numbers("since=2999-01-01T00:00:00Z")).toEqual([]);
  });
});

describe("labels", () => {
  it("are created, changed and deleted, with a webhook each", async () => {
    const bot = await botClient(ground.github);
    expect(
      (await bot("POST", `${repo}/labels`, { name: "agent:dev", color: "ff0000", description: "d" })).status,
    ).toBe(201);
    expect((await bot("POST", `${repo}/labels`, { name: "Agent:Dev" })).json).toMatchObject({
      errors: [{ code: "already_exists" }],
    });
    expect(
      (await bot("PATCH", `${repo}/labels/agent:dev`, { new_name: "agent:doc", color: "00ff00" })).json[
        "name"
      ],
    ).toBe("agent:doc");
    expect((await bot("GET", `${repo}/labels/agent:doc`)).json["color"]).toBe("00ff00");
    expect((await bot("DELETE", `${repo}/labels/agent:doc`)).status).toBe(204);
    expect((await bot("GET", `${repo}/labels/agent:doc`)).status).toBe(404);
    expect(await ground.heard()).toEqual(["label.created", "label.edited", "label.deleted"]);
  });

  it("on an issue are added once, replaced and removed, with 404 for a missing one", async () => {
    const bot = await botClient(ground.github);
    const number = await ground.github.as("octocat").openIssue({ title: "Labels" });
    const path = `${repo}/issues/${number}/labels`;
    await bot("POST", path, { labels: ["x-one", "x-two"] });
    await bot("POST", path, { labels: ["X-One"] });
    await ground.heard();
    expect(
      (await bot("PUT", path, { labels: ["x-two", "x-three"] })).list.map((label) => label["name"]),
    ).toEqual(["x-two", "x-three"]);
    expect((await bot("DELETE", `${path}/x-two`)).list.map((label) => label["name"])).toEqual(["x-three"]);
    expect((await bot("DELETE", `${path}/x-two`)).status).toBe(404);
    expect((await bot("DELETE", path)).status).toBe(204);
    expect((await bot("GET", path)).list).toEqual([]);
    expect(await ground.heard()).toEqual([
      "issues.unlabeled",
      "label.created",
      "issues.labeled",
      "issues.unlabeled",
      "issues.unlabeled",
    ]);
  });
});

describe("milestones and assignees", () => {
  it("can be set on an issue and removed again", async () => {
    const bot = await botClient(ground.github);
    const made = await bot("POST", `${repo}/milestones`, { title: "One" });
    expect(made.json).toMatchObject({ number: 1, state: "open" });
    const number = await ground.github.as("octocat").openIssue({ title: "M" });
    await bot("PATCH", `${repo}/issues/${number}`, { milestone: 1, assignees: ["octocat"] });
    expect((await bot("GET", `${repo}/milestones/1`)).json["open_issues"]).toBe(1);
    await bot("PATCH", `${repo}/issues/${number}`, { milestone: null, assignees: [] });
    await bot("PATCH", `${repo}/milestones/1`, { state: "closed" });
    expect((await bot("GET", `${repo}/milestones`)).list).toEqual([]);
    expect((await bot("GET", `${repo}/assignees`)).list.map((account) => account["login"])).toEqual([
      "octocat",
      "boss",
    ]);
    expect(await ground.heard()).toEqual([
      "milestone.created",
      "issues.opened",
      "issues.assigned",
      "issues.milestoned",
      "issues.unassigned",
      "issues.demilestoned",
      "milestone.closed",
    ]);
  });

  it("ignore a person who cannot be assigned", async () => {
    const bot = await botClient(ground.github);
    const number = await ground.github.as("octocat").openIssue({ title: "A" });
    const reply = await bot("POST", `${repo}/issues/${number}/assignees`, {
      assignees: ["reader", "octocat"],
    });
    expect([
      reply.status,
      ground.github
        .state()
        .issue(number)
        .assignees.map(({ login }) => login),
    ]).toEqual([201, ["octocat"]]);
    await bot("DELETE", `${repo}/issues/${number}/assignees`, { assignees: ["octocat"] });
    expect(ground.github.state().issue(number).assignees).toEqual([]);
  });
});

async function asked(query: string) {
  const bot = await botClient(ground.github);
  return bot("GET", `/search/issues?q=${encodeURIComponent(query)}`);
}

async function found(query: string) {
  const { items } = (await asked(`repo:acme/app ${query}`)).json;
  return Array.isArray(items) ? items.map((item: unknown) => dig(item, "number")) : [];
}

describe("the search", () => {
  it("finds issues and pull requests of the repository that it names, by words and qualifiers", async () => {
    const octocat = ground.github.as("octocat");
    const first = await octocat.openIssue({ title: "Zebra crossing", labels: ["bug"] });
    const second = await octocat.openIssue({ title: "Another", body: "a zebra" });
    await octocat.close(second);
    expect(await found("zebra")).toEqual([second, first]);
    expect(await found('"zebra crossing" is:open')).toEqual([first]);
    expect(await found("zebra label:bug is:issue")).toEqual([first]);
    expect(await found("zebra is:pr")).toEqual([]);
  });

  it("refuses a query without a repository that it may see", async () => {
    expect((await asked("zebra")).status).toBe(422);
    expect((await asked("repo:acme/unknown zebra")).status).toBe(422);
  });
});
