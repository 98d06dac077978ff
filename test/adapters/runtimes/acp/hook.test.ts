import { spawn } from "node:child_process";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { expect, it, onTestFinished } from "vitest";
import { HOOK } from "../../../../src/adapters/runtimes/acp/host-side.ts";
import { portOf } from "../../../listening.ts";

/** Runs the hook as an agent does, against a host that answers so. */
async function asked(answer: string, status = 200) {
  const got: unknown[] = [];
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    got.push([request.method, request.headers.authorization, await text(request)]);
    response.writeHead(status, { "content-type": "application/json" }).end(answer);
  };
  const host = createServer((request, response) => void serve(request, response));
  const port = await portOf(host);
  onTestFinished(() => void host.close());
  const child = spawn(process.execPath, [HOOK, `http://127.0.0.1:${port}/gate`, "the-key"], {
    env: {},
    stdio: "pipe",
  });
  child.stdin.end('{"tool_name":"bash"}');
  const exited = new Promise((resolve) => void child.once("close", resolve));
  return { said: await text(child.stderr), code: await exited, got };
}

it("asks the host with the call and the key, and lets an allowed call pass", async () => {
  expect(await asked('{"allow":true,"reason":""}')).toEqual({
    said: "",
    code: 0,
    got: [["POST", "Bearer the-key", '{"tool_name":"bash"}']],
  });
});

it("exits with 2 and the reason of a denial, also where the host cannot say", async () => {
  expect(await asked('{"allow":false,"reason":"not on a Sunday"}')).toMatchObject({
    said: "not on a Sunday\n",
    code: 2,
  });
  expect(await asked("oops", 500)).toMatchObject({
    said: "The call could not be checked, so it was not made.\n",
    code: 2,
  });
});
