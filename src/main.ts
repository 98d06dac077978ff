#!/usr/bin/env node
import { existsSync } from "node:fs";
// Not by name: older versions lack the function, and then would fail before they are told what they lack.
import module from "node:module";
import { join } from "node:path";

/** The oldest Node that runs TypeScript as it is and has what we use. */
const NEEDED: readonly [number, number] = [22, 20];

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < NEEDED[0] || (major === NEEDED[0] && minor < NEEDED[1])) {
  process.stderr.write(
    `Flotilla needs Node ${NEEDED.join(".")} or newer; this is ${process.versions.node}. Install that; in a checkout, npm start and npm run flotilla -- … bring their own.\n`,
  );
  process.exit(2);
}

// Compiling takes about half of the time to start. The cache belongs to this installation, because anyone on the machine
// can write to Node's default place, the temporary directory. If we may not write here, Node starts without a cache.
module.enableCompileCache(join(import.meta.dirname, "../node_modules/.cache/flotilla"));

// Loaded after the check, since older versions cannot even read them.
const { commandsNamed } = await import("./cli/commands.ts");
const { commandLine } = await import("./cli/command-line.ts");
const { standardStreams } = await import("./cli/standard-streams.ts");

const { print, complain, drained, end } = standardStreams(process.stdout, process.stderr);

const argv = process.argv.slice(2);
const code = await commandLine(argv, await commandsNamed(argv[0]), {
  cwd: process.cwd(),
  env: process.env,
  load: () => {
    if (existsSync(".env")) process.loadEnvFile(".env");
  },
  print,
  complain,
  drained,
});
// Idle connections of the HTTP client would keep the process for seconds after all is let go.
process.exit(await end(code));
