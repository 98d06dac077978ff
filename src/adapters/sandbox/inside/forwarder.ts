import { spawn } from "node:child_process";
import { connect, createServer } from "node:net";
import { constants } from "node:os";

/**
 * Runs inside the sandbox, in front of the command: forwards connections from the sandbox's loopback to the proxy's
 * socket, runs the command, and exits with its exit code. Arguments: the socket's path, the port, the command. Imports
 * none of our modules, because they cannot be read inside.
 */
const [socket = "", port = "", file = "", ...args] = process.argv.slice(2);

// To end the command, the whole group is signalled; the forwarder ends only with the command.
for (const name of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(name, () => undefined);

const server = createServer({ allowHalfOpen: true }, (client) => {
  const upstream = connect({ path: socket, allowHalfOpen: true });
  client.on("error", () => upstream.destroy());
  upstream.on("error", () => client.destroy());
  client.pipe(upstream).pipe(client);
});
server.listen(Number(port), "127.0.0.1", () => {
  const child = spawn(file, args, { stdio: "inherit" });
  child.once("error", (error) => {
    process.stderr.write(`${error.message}\n`);
    process.exit(127);
  });
  child.once("exit", (code, signal) => {
    process.exit(code ?? 128 + (signal === null ? 0 : constants.signals[signal]));
  });
});
