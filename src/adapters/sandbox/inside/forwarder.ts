import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { constants } from "node:os";

/**
 * Runs inside the sandbox, in front of the command: forwards connections from ports of the sandbox's loopback to sockets
 * of the host, runs the command, and exits with its exit code. Arguments: the ports with their sockets' paths, as
 * `port=path,port=path`, and the command. Imports none of our modules, because they cannot be read inside.
 */
const [ports = "", file = "", ...args] = process.argv.slice(2);

// To end the command, the whole group is signalled; the forwarder ends only with the command.
for (const name of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(name, () => undefined);

for (const pair of ports.split(",")) {
  const [port = "", path = ""] = pair.split("=");
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const upstream = connect({ path, allowHalfOpen: true });
    client.on("error", () => upstream.destroy());
    upstream.on("error", () => client.destroy());
    flow(client, upstream);
    flow(upstream, client);
  });
  await once(server.listen(Number(port), "127.0.0.1"), "listening");
}

/**
 * Passes everything on, the end too. `pipe` ends the other side itself only after it has looked at `process.stdout`, and
 * that makes our output nonblocking. The command has the same output, and one that fills it would fail with EAGAIN.
 */
function flow(from: Socket, to: Socket): void {
  from.pipe(to, { end: false });
  from.once("end", () => to.end());
}

const child = spawn(file, args, { stdio: "inherit" });
child.once("error", (error) => {
  process.stderr.write(`${error.message}\n`);
  process.exit(127);
});
child.once("exit", (code, signal) => {
  process.exit(code ?? 128 + (signal === null ? 0 : constants.signals[signal]));
});
