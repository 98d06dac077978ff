import { describe, expect, onTestFinished, test } from "vitest";
import type { Clock } from "../../src/domain/ports/clock.ts";
import type { McpConnection, McpServers } from "../../src/domain/ports/mcp-servers.ts";
import { realClock } from "../adapters/runtimes/real-harness.ts";
import { AT } from "../factories/moment.ts";
import { createFakeClock } from "../fakes/clock.ts";

const NOTHING_ENDS_IT = new AbortController().signal;

const call = (connection: McpConnection, tool: string, args = {}, signal = NOTHING_ENDS_IT) =>
  connection.call(tool, args, signal);

/** What every way to reach a server must keep; the server is `test/fixtures/mcp/make-server.ts`, named desk. */
export function describeMcpServers(name: string, make: (clock: Clock) => Promise<McpServers>): void {
  async function opened(clock: Clock = realClock): Promise<McpConnection> {
    const connection = await (await make(clock)).open("desk", `mcp-contract-${Math.random()}`);
    onTestFinished(() => connection.close());
    return connection;
  }

  describe(`MCP server contract: ${name}`, { timeout: 60_000 }, () => {
    test("lists the tools with their descriptions and schemas", async () => {
      const { tools } = await opened();
      expect(tools.find((tool) => tool.name === "echo")).toMatchObject({
        description: "Says it again.",
        inputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
      });
    });

    test("makes calls, also several at once", async () => {
      const connection = await opened();
      const answers = await Promise.all(["one", "two"].map((text) => call(connection, "echo", { text })));
      expect(answers).toEqual(["one", "two"].map((text) => ({ ok: true, parts: [{ text }] })));
    });

    test("names parts of an answer that are no text", async () => {
      expect(await call(await opened(), "picture")).toEqual({
        ok: true,
        parts: [{ text: "Look:" }, { other: "image" }, { text: "of a resource" }],
      });
    });

    test.each([
      ["fails", {}, /No such desk\./],
      ["throws", {}, /It broke\./],
      ["echo", { text: 7 }, /text/],
      ["unknown", {}, /unknown/],
    ])(
      "a call of %s with %j is an answer about a failure, and the next call works",
      async (tool, args, says) => {
        const connection = await opened();
        const { ok, parts } = await call(connection, tool, args);
        expect({ ok, said: JSON.stringify(parts) }).toEqual({ ok: false, said: expect.stringMatching(says) });
        expect(await call(connection, "echo", { text: "still there" })).toMatchObject({ ok: true });
      },
    );

    test("a flood ends the connection", async () => {
      const connection = await opened();
      await expect(call(connection, "floods")).rejects.toMatchObject({
        message: "The MCP server desk sent more than an answer may have, and was ended",
        uncertain: true,
      });
      await expect(call(connection, "echo", { text: "a" })).rejects.toThrow("The MCP server desk is gone");
    });

    test("a call without an answer is given up after two minutes", async () => {
      const clock = createFakeClock(AT);
      const connection = await opened(clock);
      const answer = call(connection, "hangs");
      clock.advance(120_000);
      await expect(answer).rejects.toMatchObject({
        message: "The MCP server desk did not answer within 120 s",
        uncertain: true,
      });
    });

    test("a call that is ended from outside leaves the server there", async () => {
      const connection = await opened();
      const ended = new AbortController();
      const answer = call(connection, "hangs", {}, ended.signal);
      ended.abort();
      await expect(answer).rejects.toThrow("was not waited for");
      expect(await call(connection, "echo", { text: "a" })).toMatchObject({ ok: true });
    });

    test("closing twice is fine", async () => {
      const connection = await opened();
      await connection.close();
      await connection.close();
      await expect(call(connection, "echo")).rejects.toThrow("is gone");
    });
  });
}
