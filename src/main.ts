#!/usr/bin/env node
import { existsSync } from "node:fs";
import { parseArgs } from "node:util";

/** The oldest Node that runs TypeScript as it is and has what we use. */
const NEEDED: readonly [number, number] = [22, 20];

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < NEEDED[0] || (major === NEEDED[0] && minor < NEEDED[1])) {
  process.stderr.write(
    `Flotilla needs Node ${NEEDED.join(".")} or newer; this is ${process.versions.node}. Run it with npm (npm start, npm run flotilla -- …): the package brings its own Node.\n`,
  );
  process.exit(2);
}

// Loaded after the check, since older versions cannot even read them.
const { commands } = await import("./commands/commands.ts");
const { helpOf, overview } = await import("./commands/help.ts");
const { explained } = await import("./commands/explained.ts");
const { spoken } = await import("./commands/spoken.ts");

const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

/** Errors may quote anything. What is printed otherwise comes from walls of its own, and as JSON from rows. */
const complain = (text: string): void => {
  process.stderr.write(`${spoken(process.env, process.cwd())(text)}\n`);
};

async function main(argv: readonly string[]): Promise<number> {
  const [name, ...rest] = argv;
  if (name === undefined || name === "help" || name === "--help" || name === "-h") {
    print(overview(commands));
    return name === undefined ? 1 : 0;
  }
  const command = commands.find((known) => known.name === name);
  if (command === undefined) {
    complain(`There is no command "${name}".\n\n${overview(commands)}`);
    return 1;
  }
  if (rest.includes("--help") || rest.includes("-h")) {
    print(helpOf(command));
    return 0;
  }
  const { values, positionals } = parseArgs({ args: rest, options: command.options, allowPositionals: true });
  const options = Object.fromEntries(
    Object.entries(values).map(([key, value]) => [key, Array.isArray(value) ? String(value.at(-1)) : value]),
  );
  if (existsSync(".env")) process.loadEnvFile(".env");
  return command.run({ env: process.env, cwd: process.cwd(), print, options, args: positionals });
}

const code = await main(process.argv.slice(2)).catch((error: unknown) => {
  complain(explained(error));
  return 2;
});
// Idle connections of the HTTP client would keep the process for seconds after all is let go.
process.exit(code);
