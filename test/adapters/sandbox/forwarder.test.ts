import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { portOf } from "../../listening.ts";
import { temporaryDirectory } from "../store/temporary.ts";

const FORWARDER = join(import.meta.dirname, "../../../src/adapters/sandbox/inside/forwarder.ts");

/** Sends a line through the forwarder, reads the answer to its end, and prints how its own output is open. */
const COMMAND = `const { connect } = require("node:net");
const { readFileSync, writeSync } = require("node:fs");
const socket = connect(Number(process.argv[1]), "127.0.0.1");
let said = "";
socket.on("data", (data) => { said += data; });
socket.on("end", () => writeSync(1, said + readFileSync("/proc/self/fdinfo/1", "utf8")));
socket.end("asked");`;

test("a connection passes with its ends, and leaves the command's output blocking", async () => {
  const path = join(temporaryDirectory(), "host.sock");
  const host = createServer({ allowHalfOpen: true }, (socket) => {
    void text(socket).then((asked) => socket.end(`told ${asked}\n`));
  });
  await once(host.listen(path), "listening");
  onTestFinished(() => {
    host.close();
  });
  const free = createServer();
  const port = String(await portOf(free));
  free.close();
  await once(free, "close");

  const forwarder = spawn(
    process.execPath,
    [FORWARDER, `${port}=${path}`, process.execPath, "-e", COMMAND, port],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  const printed = await text(forwarder.stdout);
  expect(printed).toMatch(/^told asked$/m);
  const flags = Number.parseInt(/^flags:\s*(\d+)$/m.exec(printed)?.[1] ?? "", 8);
  // O_NONBLOCK of Linux.
  expect(flags & 0o4000).toBe(0);
});
