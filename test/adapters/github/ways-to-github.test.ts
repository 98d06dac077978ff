import { describe, expect, it } from "vitest";
import type { Asking } from "../../../src/adapters/github/client/read-answer.ts";
import { operationsCalled, sources } from "./ways-to-github.ts";

/** Files that call `fetch`, and what checks the answer that they get. */
const FETCHES: Readonly<Record<string, string>> = {
  "adapters/github/client/guarded-fetch.ts":
    "Octokit's own way out: each call is damaged in answers-read.test.ts",
  "adapters/github/client/client.ts": "Octokit's own way out: each call is damaged in answers-read.test.ts",
  "adapters/github/client/log-store.ts": "a job's log, a text of any content",
  "adapters/github/client/picture-store.ts": "an attachment, of which only pixels are kept",
  "adapters/mcp/limited-fetch.ts": "an MCP server",
  "adapters/notices/create-notices.ts": "a receiver of notices, of whose answer only the status is read",
  "adapters/github/app/sign-in.ts": "damaged in sign-in.test.ts",
  "adapters/runtimes/acp/host-tools.ts": "no way out: it answers an agent",
  "adapters/runtimes/acp/inside/hook.ts": "Flotilla itself, asked by an agent",
  "adapters/runtimes/acp/inside/mcp-bridge.ts": "Flotilla itself, asked by an agent",
  "adapters/runtimes/gateway/model-calls.ts": "the model provider",
  "cli/mcp/api-client.ts": "a running Flotilla",
  "cli/doctor/check-provider.ts": "the model provider",
  "cli/doctor/check-collector.ts": "the collector of traces",
};

async function readUnchecked(asking: Asking): Promise<unknown> {
  const { data } = await asking.issues.get();
  // @ts-expect-error -- an unchecked answer is unknown, so this does not compile
  return data.title;
}

describe("every answer of GitHub's passes a check of its shape", () => {
  it("asks by the listed ways alone: whoever adds one says what checks its answers", () => {
    const found = [...sources()].filter(([, text]) => /\bfetch\(/.test(text)).map(([path]) => path);
    expect(found.toSorted()).toEqual(Object.keys(FETCHES).toSorted());
  });

  it("asks Octokit by its named operations alone, which the damaged answers are counted by", () => {
    const past =
      /\boctokit\b[^;]{0,40}\.(?:graphql|paginate)\b|\bcontext\.octokit\b|\boctokit\.request\(|\brequest\(["'`](?:GET|POST|PUT|PATCH|DELETE) /;
    const found = [...sources()].filter(([, text]) => past.test(text)).map(([path]) => path);
    // GraphQL has no named operations: `readGraph` checks each answer, and every-call.ts has each document.
    expect(found).toEqual(["adapters/github/client/client.ts"]);
    expect([...sources()].flatMap(([, text]) => text.match(/\boctokit\.request\(/g) ?? [])).toHaveLength(1);
    expect(past.test('octokit.request("GET /user")') && past.test("await context.octokit.issues.get()")).toBe(
      true,
    );
  });

  it("finds calls that are made and such that are handed on", () => {
    const text = "asking.issues\n  .get({}); pages(asking.pulls.list, {}); checks.map(x); repos.get_no()";
    expect([...operationsCalled([text])]).toEqual([
      "GET /repos/{owner}/{repo}/issues/{issue_number}",
      "GET /repos/{owner}/{repo}/pulls",
    ]);
  });

  it("has a type that lets nobody use an answer before it was checked", () => {
    expect(readUnchecked).toBeTypeOf("function");
  });
});
