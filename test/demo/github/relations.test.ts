import { beforeAll, describe, expect, it } from "vitest";
import { botClient, type Client } from "./client.ts";
import { useGitHub } from "./setup.ts";

const ground = useGitHub();
const repo = "/repos/acme/app";
let bot: Client;
beforeAll(async () => {
  bot = await botClient(ground.github);
});

async function twoIssues(): Promise<[number, number]> {
  const octocat = ground.github.as("octocat");
  const pair: [number, number] = [
    await octocat.openIssue({ title: "A" }),
    await octocat.openIssue({ title: "B" }),
  ];
  await ground.heard();
  return pair;
}
const idOf = (number: number): number => ground.github.state().issue(number).id;

async function add(blocked: number, id: number): Promise<number> {
  return (await bot("POST", `${repo}/issues/${blocked}/dependencies/blocked_by`, { issue_id: id })).status;
}

describe("dependencies between issues", () => {
  it("are added by the blocker's database id, listed both ways, and removed", async () => {
    const [blocked, blocker] = await twoIssues();
    const path = `${repo}/issues/${blocked}/dependencies/blocked_by`;
    expect((await bot("POST", path, { issue_id: idOf(blocker) })).status).toBe(201);
    expect((await bot("GET", path)).list.map((issue) => issue["number"])).toEqual([blocker]);
    expect((await bot("GET", `${repo}/issues/${blocker}/dependencies/blocking`)).list[0]?.["number"]).toBe(
      blocked,
    );
    expect((await bot("GET", `${repo}/issues/${blocked}`)).json["issue_dependencies_summary"]).toMatchObject({
      blocked_by: 1,
    });
    expect((await bot("DELETE", `${path}/${idOf(blocker)}`)).status).toBe(200);
    expect((await bot("GET", path)).list).toEqual([]);
    expect(await ground.heard()).toEqual([
      "issue_dependencies.blocked_by_added",
      "issue_dependencies.blocking_added",
      "issue_dependencies.blocked_by_removed",
      "issue_dependencies.blocking_removed",
    ]);
  });

  it("are refused twice, in a circle, on itself and on what does not exist", async () => {
    const [a, b] = await twoIssues();
    expect(await add(a, idOf(b))).toBe(201);
    expect([await add(a, idOf(b)), await add(b, idOf(a)), await add(a, idOf(a)), await add(a, 1)]).toEqual([
      422, 422, 422, 404,
    ]);
  });
});

describe("sub-issues", () => {
  it("are added, listed by their parent, and removed", async () => {
    const [parent, child] = await twoIssues();
    const path = `${repo}/issues/${parent}/sub_issues`;
    expect((await bot("POST", path, { sub_issue_id: idOf(child) })).status).toBe(201);
    expect((await bot("GET", path)).list.map((issue) => issue["number"])).toEqual([child]);
    expect((await bot("GET", `${repo}/issues/${child}/parent`)).json["number"]).toBe(parent);
    expect(
      (await bot("DELETE", `${repo}/issues/${parent}/sub_issue`, { sub_issue_id: idOf(child) })).status,
    ).toBe(200);
    expect((await bot("GET", `${repo}/issues/${child}/parent`)).status).toBe(404);
    expect(await ground.heard()).toEqual([
      "sub_issues.parent_issue_added",
      "sub_issues.sub_issue_added",
      "sub_issues.parent_issue_removed",
      "sub_issues.sub_issue_removed",
    ]);
  });

  it("have one parent, which is only replaced on request", async () => {
    const [parent, child] = await twoIssues();
    const other = await ground.github.as("octocat").openIssue({ title: "Other" });
    await bot("POST", `${repo}/issues/${parent}/sub_issues`, { sub_issue_id: idOf(child) });
    const body = { sub_issue_id: idOf(child) };
    expect((await bot("POST", `${repo}/issues/${other}/sub_issues`, body)).status).toBe(422);
    expect(
      (await bot("POST", `${repo}/issues/${other}/sub_issues`, { ...body, replace_parent: true })).status,
    ).toBe(201);
    expect(ground.github.state().issue(parent).subIssues).toEqual([]);
  });
});
