import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { commandsOf, flotillaArguments, npmFault, type Typed } from "./command-lines.ts";
import { flotillaFault, spokenFault } from "./flotilla-fault.ts";
import { GUIDES, readPage } from "./pages.ts";
import { TYPED } from "./typed.ts";

/** Programs that no test here runs, with the reason. What is neither ours nor named here is a fault of the page. */
const NOT_RUN: Readonly<Record<string, string>> = {
  cd: "of the shell",
  curl: "needs a serving Flotilla; its path is looked for in names.test.ts",
  createdb: "of PostgreSQL; test/postgres/ makes databases",
  createuser: "of PostgreSQL; test/postgres/ makes databases",
  docker: "there is no container engine on the project's machines",
  git: "test/adapters/git/archive.test.ts runs the fetch of an archive; a clone needs an address",
  helm: "there is no cluster on the project's machines; test/deploy/chart renders the chart",
  install: "writes to directories of the system",
  jq: "reads what our --json prints; not on every machine",
  kubectl: "there is no cluster on the project's machines",
  mkdir: "of every system",
  source: "of the shell; what it reads is the output of a command of ours",
  sudo: "changes the machine",
  systemctl: "changes the machine",
  "systemd-run": "needs a running systemd",
  useradd: "changes the machine",
};

function faultOf(words: readonly string[]): string | null {
  const [program = "", first = "", second = ""] = words;
  const args = flotillaArguments(words);
  if (args !== null) return flotillaFault(args);
  if (program === "npm") return npmFault(words);
  if (program === "npx") return existsSync(`node_modules/.bin/${first}`) ? null : `${first} is not installed`;
  if (program === "node") return existsSync(first) ? null : `${first} is not there`;
  if (program === "cp" && second !== "") {
    const ours = first.replace(/^.*\/node_modules\/flotilla\//, "");
    return existsSync(ours) ? null : `${first} is not there`;
  }
  if (program.startsWith("./")) return existsSync(program) ? null : `${program} is not there`;
  return Object.hasOwn(NOT_RUN, program) ? null : `${program} is neither ours nor on the list`;
}

function faults(typed: readonly Typed[]): readonly string[] {
  return typed.flatMap(({ where, words }) => {
    const fault = faultOf(words);
    return fault === null ? [] : [`${where}: ${words.join(" ")}: ${fault}`];
  });
}

describe("the commands in the pages", () => {
  test("are ones that our command line and package.json take, or stand on a short list", () => {
    expect(faults(TYPED)).toEqual([]);
    expect(TYPED.length).toBeGreaterThan(20);
  });

  test("stand on that list only as long as a page has them", () => {
    const programs = new Set(TYPED.map(({ words }) => words[0]));
    expect(Object.keys(NOT_RUN).filter((program) => !programs.has(program))).toEqual([]);
  });

  test("in sentences are known with their verbs and options", () => {
    const said = GUIDES.flatMap(({ path, spans }) =>
      spans.map(({ line, text }) => ({ where: `${path}:${line}`, text, fault: spokenFault(text) })),
    );
    expect(said.filter(({ fault }) => fault !== null)).toEqual([]);
    expect(said.filter(({ text }) => text.includes("flotilla ")).length).toBeGreaterThan(30);
  });

  test.each([
    ["npm run flotilla -- agnets list", "there is no command agnets"],
    ["flotilla agents lits", "flotilla agents has no verb lits"],
    ["KEY=1 npx flotilla check --jsno", "Unknown option '--jsno'"],
    ["npm start && npm run dmeo -- --once", "package.json has no script dmeo"],
    ["npm run demo -- --twice", "Unknown option '--twice'"],
    ["cp config.exmaple.yaml config.yaml", "config.exmaple.yaml is not there"],
    ["node bench/gone.ts", "bench/gone.ts is not there"],
    ["npx vitets run", "vitets is not installed"],
    ["source <(flotilla completoin bash)", "there is no command completoin"],
    ["rm -rf \\\n  everything", "rm is neither ours nor on the list"],
  ])("that are wrong are found: %s", (line, fault) => {
    const page = readPage("docs/page.md", `\`\`\`sh\n${line}\n\`\`\`\n`);
    expect(faults(page.blocks.flatMap(commandsOf)).join()).toContain(fault);
  });

  test.each([
    ["flotilla agents lits", "flotilla agents has no verb lits"],
    ["npm run flotilla -- agents send|intrrupt …", "flotilla agents has no verb intrrupt"],
    ["flotilla backup [--too directory]", "flotilla backup has no option --too"],
    ["flotilla bakcup", "there is no command bakcup"],
  ])("that are wrong in a sentence are found: %s", (span, fault) => {
    expect(spokenFault(span)).toBe(fault);
  });
});

test("README's first screen names the command that shows the main job and the one that runs the tests", () => {
  const screen = readFileSync("README.md", "utf8").split("\n").slice(0, 20).join("\n");
  for (const command of ["npm install && npm run demo", "npm install && npm test"])
    expect(screen).toContain(command);
});
