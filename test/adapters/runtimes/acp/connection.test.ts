import { PassThrough } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, it, onTestFinished, vi } from "vitest";
import {
  type Connection,
  ConnectionLost,
  connect,
  METHOD_NOT_FOUND,
  RpcError,
} from "../../../../src/adapters/runtimes/acp/connection.ts";
import { createManualClock } from "../copilot/manual-clock.ts";

function rig(asked: (method: string, params: unknown) => Promise<unknown> = async () => ({})) {
  const input = new PassThrough();
  const output = new PassThrough({ highWaterMark: 1024 });
  const clock = createManualClock();
  const told: [string, unknown][] = [];
  const connection: Connection = connect(
    { input, output },
    { asked, told: (method, params) => void told.push([method, params]) },
    clock,
  );
  return {
    input,
    output,
    clock,
    told,
    connection,
    say: (...lines: unknown[]) =>
      input.write(
        lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n") + "\n",
      ),
    /** What we have written and nobody has read yet, message by message. */
    sent: (): unknown[] =>
      String(output.read() ?? "")
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line)),
  };
}

const settled = async () => {
  for (let turn = 0; turn < 20; turn += 1) await nextTurn();
};

it("asks, and takes the answer by its id, however its bytes are cut", async () => {
  const { connection, input, sent } = rig();
  const [one, other] = [connection.ask("first", { a: 1 }), connection.ask("second", {})];
  expect(sent()).toEqual([
    { jsonrpc: "2.0", id: 1, method: "first", params: { a: 1 } },
    { jsonrpc: "2.0", id: 2, method: "second", params: {} },
  ]);
  const bytes = Buffer.from(
    '{"jsonrpc":"2.0","id":2,"result":{"said":"grün"}}\r\n{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"no"}}\n',
  );
  for (const byte of bytes) input.write(Buffer.from([byte]));
  expect(await other).toEqual({ said: "grün" });
  await expect(one).rejects.toMatchObject({ name: "RpcError", code: -32602, message: "no" });
});

it("answers what the agent asks, by code where there is no such method", async () => {
  const { say, sent } = rig(async (method) => {
    if (method === "known") return { fine: true };
    if (method === "broken") throw new Error("it broke");
    throw new RpcError(METHOD_NOT_FOUND, `there is no method ${method} here`);
  });
  say(
    { id: "a", method: "known", params: {} },
    { id: "b", method: "fs/read_text_file" },
    { id: 3, method: "broken" },
  );
  await settled();
  expect(sent()).toEqual([
    { jsonrpc: "2.0", id: "a", result: { fine: true } },
    {
      jsonrpc: "2.0",
      id: "b",
      error: { code: -32601, message: "there is no method fs/read_text_file here" },
    },
    { jsonrpc: "2.0", id: 3, error: { code: -32603, message: "it broke" } },
  ]);
});

it("passes over a little nonsense, and ends at more", async () => {
  const { connection, say, told } = rig();
  const pending = connection.ask("initialize", {});
  for (let line = 0; line < 67; line += 1) say("[info] starting up", "7", "null");
  await expect(connection.lost).resolves.toBe(
    "wrote 200 lines in a row to its output that are no messages of ACP",
  );
  await expect(pending).rejects.toBeInstanceOf(ConnectionLost);
  await expect(connection.ask("more", {})).rejects.toBeInstanceOf(ConnectionLost);
  expect(told).toEqual([]);
});

it("counts nonsense anew after each message", async () => {
  const { say, told } = rig();
  for (let round = 0; round < 3; round += 1) {
    for (let line = 0; line < 150; line += 1) say("noise");
    say({ method: "session/update", params: round });
  }
  await settled();
  expect(told.map(([, params]) => params)).toEqual([0, 1, 2]);
});

it("ends at a line without an end, and keeps nothing of it", async () => {
  const { connection, input, clock } = rig();
  const mebibyte = Buffer.alloc(1024 * 1024, 120);
  for (let count = 0; count < 17; count += 1) {
    input.write(mebibyte);
    await settled();
    clock.pass(1000);
  }
  await expect(connection.lost).resolves.toBe("wrote a line of more than 16 MiB");
  expect(input.destroyed).toBe(true);
});

it("reads a flood slowly, and all of it", async () => {
  const { clock, say, told, input } = rig();
  for (let each = 0; each < 12_000; each += 1) say({ method: "session/update", params: each });
  await settled();
  expect(input.isPaused()).toBe(true);
  const first = told.length;
  expect(first).toBeGreaterThanOrEqual(5000);
  expect(first).toBeLessThan(7000);
  clock.pass(1000);
  await settled();
  expect(told.length).toBeLessThan(14_000);
  clock.pass(1000);
  await settled();
  expect(told.map(([, params]) => params)).toEqual(Array.from({ length: 12_000 }, (_, at) => at));
});

it("reads a flood of empty lines slowly", async () => {
  const { clock, input, say, told } = rig();
  for (let each = 0; each < 12; each += 1) input.write("\n".repeat(1000));
  await settled();
  expect(input.isPaused()).toBe(true);
  say({ method: "session/update", params: 1 });
  await settled();
  expect(told).toEqual([]);
  clock.pass(1000);
  await settled();
  clock.pass(1000);
  await settled();
  expect(told).toEqual([["session/update", 1]]);
});

it("keeps a line that comes byte by byte in a few pieces", async () => {
  const concat = vi.spyOn(Buffer, "concat");
  onTestFinished(() => concat.mockRestore());
  const { input, told } = rig();
  const text = `{"method":"session/update","params":"${"x".repeat(5000)}"}\n`;
  for (const byte of Buffer.from(text)) input.write(Buffer.from([byte]));
  await settled();
  expect(told).toEqual([["session/update", "x".repeat(5000)]]);
  expect(Math.max(...concat.mock.calls.map(([pieces]) => pieces.length))).toBeLessThan(20);
});

it("keeps the beginning of a long error, in one line that can be shown", async () => {
  const { connection, say } = rig();
  const asked = connection.ask("initialize", {});
  say({ id: 1, error: { code: -32603, message: `bad\n\u001b[31m${"x".repeat(1024 * 1024)}` } });
  await expect(asked).rejects.toMatchObject({ message: expect.stringMatching(/^bad[ -~]{900,1100}$/) });
});

it("stops reading an agent that asks and does not read the answers", async () => {
  const { input, output, say } = rig(async () => ({ text: "x".repeat(100_000) }));
  for (let each = 0; each < 50; each += 1) say({ id: each, method: "more" });
  await settled();
  expect(input.isPaused()).toBe(true);
  output.resume();
  await settled();
  expect(input.isPaused()).toBe(false);
});

it("lets only so many requests of the agent wait", async () => {
  const { say, sent } = rig(() => new Promise<never>(() => {}));
  for (let each = 0; each < 101; each += 1) say({ id: each, method: "session/request_permission" });
  await settled();
  expect(sent()).toEqual([
    { jsonrpc: "2.0", id: 100, error: { code: -32000, message: "too many requests at once" } },
  ]);
});

it("gives up an answer that is late, and does not mind when it comes", async () => {
  const { connection, clock, say } = rig();
  const late = connection.ask("initialize", {}, 5000);
  clock.pass(5000);
  await expect(late).rejects.toThrow("did not answer initialize within 5 s");
  say({ id: 1, result: {} }, { id: 99, result: {} });
  const next = connection.ask("again", {}, 5000);
  say({ id: 2, result: "yes" });
  expect(await next).toBe("yes");
});

it("is lost with its streams, and says the first reason only", async () => {
  const { connection, input } = rig();
  const pending = connection.ask("session/prompt", {});
  connection.lose("ended with code 3");
  input.end();
  await expect(pending).rejects.toThrow("ended with code 3");
  expect(await connection.lost).toBe("ended with code 3");

  const other = rig();
  other.input.destroy(new Error("broken"));
  expect(await other.connection.lost).toBe("closed its output");
});
