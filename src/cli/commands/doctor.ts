import { isUserRoot, ROOT_IS_UNSAFE } from "../../server/make-runner.ts";
import { sentence } from "../../server/start-checks/finding.ts";
import type { Command } from "../command.ts";
import { examine } from "../doctor/examine.ts";
import { working } from "../progress.ts";
import { ROLE, withRole } from "../role-option.ts";

export const doctor: Command = {
  name: "doctor",
  summary: "check the installation: this machine, configuration, database, GitHub, each repository",
  usage: "flotilla doctor [--role roles] [--run [owner/name …]]",
  details: [
    "Makes the checks that serve makes before it starts, and more: whether the database obeys the rules of the lifecycles, whether GitHub accepts the App, whether the App's permissions, events and webhook match app.yml, and for each known repository the faults of its own file and what agents cannot do there: Git LFS, submodules, and a rebase where commits must be signed.",
    "It also checks that the last webhooks arrived, that the model provider accepts the key and has the models, that the address to listen on is free, and that the database is intact. It compares each installed runtime with the version that Flotilla was tested with, and runs one turn of each, the built-in one too, against a scripted model, which costs nothing, in a repository that brings along programs that must not start. It lists what is in order with a ✓; each other line says what is wrong, why it matters and what to do. It changes nothing; the exit code is 1 when it finds something.",
    "With --role it checks only what these roles need, and names the secrets that they do not need.",
    "With --run it also runs the setup and acceptance commands once, in a clean checkout of the default branch of each known repository, or of those that you name (any where the App is installed). The commands come from the repository's own file if it has some, and run in the same sandbox as an agent. It says which fail, and which tool or host they lack.",
  ],
  options: {
    role: ROLE,
    run: { type: "boolean", says: "run setup and acceptance commands once in each repository" },
  },
  examples: [
    "flotilla doctor",
    "flotilla doctor --run acme/shop",
    "flotilla doctor --json | jq '.findings[].what'",
  ],
  async run(context) {
    const { print, options } = context;
    const env = withRole(context.env, options);
    const { findings, shown, limits, cannot, inOrder, whole } = await working(
      "this machine is looked at",
      (progress) => examine({ ...context, env }, progress),
    );
    if (options["json"] === true)
      print(
        JSON.stringify({ ok: findings.length === 0, findings, in_order: inOrder, shown, limits, cannot }),
      );
    else for (const what of inOrder) print(`✓ ${what}`);
    if (options["json"] !== true && findings.length === 0) print("No problems found.");
    if (options["json"] !== true)
      for (const finding of findings)
        print(sentence(finding), { style: "yellow", length: finding.about.length });
    if (options["json"] !== true && !whole) print(NOT_WHOLE);
    if (options["json"] !== true && shown.length > 0)
      print(`Beside the system's own files, agents can read on this machine: ${shown.join(", ")}.`);
    if (options["json"] !== true)
      for (const { runtime, says } of cannot) print(`${runtime}: ${says.join(" ")}`);
    if (options["json"] !== true && limits !== null) print(limits.says);
    if (options["json"] !== true && isUserRoot())
      print(`You run this as root. If Flotilla serves as root too: ${ROOT_IS_UNSAFE}.`);
    return findings.length === 0 ? 0 : 1;
  },
};

const NOT_WHOLE =
  "The database, GitHub and the repositories were not looked at: run `flotilla doctor` again once the configuration is right.";
