import { existsSync } from "node:fs";
import { join } from "node:path";
import { plainGit } from "../plain-git.ts";
import { COMMIT, configure, program, put, type Vector } from "./vector.ts";

const monitor = (fire: string) => `[core]\n\tfsmonitor = "${fire} #"\n`;

export const hooks: Vector = {
  name: "hooks in the shared git directory",
  plant: async ({ mirror, fire }) => {
    for (const hook of ["pre-commit", "post-commit", "reference-transaction", "pre-push", "post-checkout"])
      await put(join(mirror, "hooks", hook), `#!/bin/sh\n${fire}\n`);
  },
  control: () => COMMIT,
};

export const hooksPath: Vector = {
  name: "core.hooksPath",
  plant: async (ground) => {
    for (const hook of ["pre-commit", "reference-transaction"]) await program(ground, `hooks/${hook}`);
    await configure(ground, ["core", `hooksPath = ${join(ground.outside, "hooks")}`]);
  },
  control: () => COMMIT,
};

export const fsmonitor: Vector = {
  name: "core.fsmonitor",
  plant: (ground) => configure(ground, ["core", `fsmonitor = "${ground.fire} #"`]),
  control: () => ["status"],
};

export const include: Vector = {
  name: "core.fsmonitor by include.path",
  plant: async (ground) => {
    await put(join(ground.outside, "more"), monitor(ground.fire));
    await configure(ground, ["include", `path = ${join(ground.outside, "more")}`]);
  },
  control: () => ["status"],
};

export const includeIf: Vector = {
  name: "core.fsmonitor by includeIf",
  plant: async (ground) => {
    await put(join(ground.outside, "more"), monitor(ground.fire));
    await configure(ground, ['includeIf "gitdir:/"', `path = ${join(ground.outside, "more")}`]);
  },
  control: () => ["status"],
};

export const ofWorktree: Vector = {
  name: "core.fsmonitor in the configuration of the one worktree",
  plant: async (ground) => {
    await configure(ground, ["extensions", "worktreeConfig = true"]);
    await put(join(ground.entry, "config.worktree"), `[core]\n\tbare = false\n${monitor(ground.fire)}`);
  },
  control: () => ["status"],
};

export const commonDirectory: Vector = {
  name: "a common directory of the agent's own named in the git data",
  plant: async (ground) => {
    const common = join(ground.outside, "common");
    if (!existsSync(common))
      await plainGit(ground.directory, ["clone", "--quiet", "--bare", ground.mirror, common], false);
    await put(join(common, "config"), `[core]\n\tbare = true\n${monitor(ground.fire)}`);
    await put(join(ground.entry, "commondir"), `${common}\n`);
  },
  control: () => ["status"],
};

export const templates: Vector = {
  name: "a template with a hook by init.templateDir",
  plant: async (ground) => {
    await program(ground, "templates/hooks/post-checkout");
    await configure(ground, ["init", `templateDir = ${join(ground.outside, "templates")}`]);
  },
  control: ({ mirror, outside }) => ["clone", "--quiet", mirror, join(outside, "clone")],
  refused: "git reads it before it knows a repository",
};
