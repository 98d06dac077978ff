#!/usr/bin/env node
// JavaScript that every Node reads, so that one which is too old, or finds no packages, says so in a sentence.
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const at = (path) => new URL(path, import.meta.url);

const { engines } = JSON.parse(readFileSync(at("../package.json"), "utf8"));
const needed = engines.node.replace(">=", "");
const [major, minor] = needed.split(".").map(Number);
const [ownMajor, ownMinor] = process.versions.node.split(".").map(Number);
if (ownMajor < major || (ownMajor === major && ownMinor < minor))
  refuse(
    `Flotilla needs Node ${needed} or newer; this is ${process.versions.node}. Install that; in a checkout, npm start and npm run flotilla -- … bring their own after npm install.`,
  );

// A checkout runs its sources. An installed package has only what was compiled of them: Node strips no types there.
const source = at("main.ts");
try {
  await import((existsSync(source) ? source : at("../dist/main.js")).href);
} catch (error) {
  const missing = /^Cannot find package '([^']+)'/.exec(error?.message ?? "")?.[1];
  if (error?.code !== "ERR_MODULE_NOT_FOUND" || missing === undefined) throw error;
  refuse(`The package ${missing} is not installed: run npm install in ${fileURLToPath(at(".."))} first.`);
}

function refuse(why) {
  process.stderr.write(`${why}\n`);
  process.exit(2);
}
