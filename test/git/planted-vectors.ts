import { appendFile, chmod, mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { plainGit } from "./plain-git.ts";

/** Where a vector is planted, and what it does when it fires: `fire` is a shell command that leaves a mark. */
export interface Ground {
  readonly directory: string;
  readonly mirror: string;
  readonly entry: string;
  /** Outside of repository and worktree, writable. */
  readonly outside: string;
  readonly url: string;
  readonly fire: string;
}

export interface Vector {
  readonly name: string;
  plant(ground: Ground): Promise<unknown>;
  /** Arguments of a plain git in the worktree that sets it off, for proof that it is real. */
  control(ground: Ground): readonly string[];
}

const COMMIT = ["commit", "--allow-empty", "-m", "x"];
const attributes = (ground: Ground, line: string) =>
  put(join(ground.directory, ".gitattributes"), `${line}\n`);

/** Adds settings (`section`, optionally with a quoted subsection, then `key = value`) to the configuration that all worktrees share. */
async function configure(ground: Ground, ...settings: [section: string, setting: string][]): Promise<void> {
  const text = settings.map(([section, setting]) => `[${section}]\n\t${setting}\n`).join("");
  await appendFile(join(ground.mirror, "config"), text);
}

async function put(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
  await chmod(path, 0o755);
}

/** A repository of the agent's own whose status runs a program. */
async function repositoryAt(directory: string, fire: string): Promise<void> {
  await mkdir(directory, { recursive: true });
  await plainGit(directory, ["init", "--quiet", "."]);
  await plainGit(directory, COMMIT);
  await plainGit(directory, ["config", "core.fsmonitor", `${fire} #`]);
}

export const VECTORS: readonly Vector[] = [
  {
    name: "hooks in the shared git directory",
    plant: async ({ mirror, fire }) => {
      for (const hook of [
        "pre-commit",
        "post-commit",
        "reference-transaction",
        "pre-push",
        "post-checkout",
      ]) {
        await put(join(mirror, "hooks", hook), `#!/bin/sh\n${fire}\n`);
      }
    },
    control: () => COMMIT,
  },
  {
    name: "core.hooksPath in the shared configuration",
    plant: async (ground) => {
      await put(join(ground.outside, "hooks", "reference-transaction"), `#!/bin/sh\n${ground.fire}\n`);
      await configure(ground, ["core", `hooksPath = ${join(ground.outside, "hooks")}`]);
    },
    control: () => COMMIT,
  },
  {
    name: "core.fsmonitor in the shared configuration",
    plant: (ground) => configure(ground, ["core", `fsmonitor = "${ground.fire} #"`]),
    control: () => ["status"],
  },
  {
    name: "core.fsmonitor in a file that the shared configuration includes",
    plant: async (ground) => {
      await put(join(ground.outside, "more"), `[core]\n\tfsmonitor = "${ground.fire} #"\n`);
      await configure(ground, ["include", `path = ${join(ground.outside, "more")}`]);
    },
    control: () => ["status"],
  },
  {
    name: "core.fsmonitor in the configuration of the one worktree",
    plant: async (ground) => {
      await configure(ground, ["extensions", "worktreeConfig = true"]);
      await put(
        join(ground.entry, "config.worktree"),
        `[core]\n\tbare = false\n\tfsmonitor = "${ground.fire} #"\n`,
      );
    },
    control: () => ["status"],
  },
  {
    name: "a common directory of the agent's own named in the git data",
    plant: async (ground) => {
      const common = join(ground.outside, "common");
      await plainGit(ground.directory, ["clone", "--quiet", "--bare", ground.mirror, common], false);
      await put(join(common, "config"), `[core]\n\tbare = true\n\tfsmonitor = "${ground.fire} #"\n`);
      await put(join(ground.entry, "commondir"), `${common}\n`);
    },
    control: () => ["status"],
  },
  {
    name: "a clean filter by attributes and configuration",
    plant: async (ground) => {
      await attributes(ground, "* filter=evil");
      await configure(ground, ['filter "evil"', `clean = "${ground.fire}; cat"`]);
    },
    control: () => ["add", "--renormalize", "."],
  },
  {
    name: "a smudge filter by attributes and configuration",
    plant: async (ground) => {
      await attributes(ground, "* filter=evil");
      await configure(ground, ['filter "evil"', `smudge = "${ground.fire}; cat"`]);
      await rm(join(ground.directory, "README.md"), { force: true });
    },
    control: () => ["checkout", "HEAD", "--", "README.md"],
  },
  {
    name: "a textconv by attributes and configuration",
    plant: async (ground) => {
      await attributes(ground, "* diff=evil");
      await configure(ground, ['diff "evil"', `textconv = "${ground.fire}; cat"`]);
      await put(join(ground.directory, "README.md"), "changed\n");
    },
    control: () => ["diff", "--", "README.md"],
  },
  {
    name: "diff.external in the shared configuration",
    plant: async (ground) => {
      await configure(ground, ["diff", `external = "${ground.fire} #"`]);
      await put(join(ground.directory, "README.md"), "changed\n");
    },
    control: () => ["diff", "--", "README.md"],
  },
  {
    name: "a repository in place of the worktree's .git file",
    plant: async (ground) => {
      await rm(join(ground.directory, ".git"), { recursive: true, force: true });
      await repositoryAt(ground.directory, ground.fire);
    },
    control: () => ["status"],
  },
  {
    name: "a nested repository in the index",
    plant: async (ground) => {
      await repositoryAt(join(ground.directory, "nested"), ground.fire);
      await plainGit(ground.directory, ["add", "nested"]);
      await put(join(ground.directory, "nested", "file"), "x");
    },
    control: () => ["status"],
  },
  {
    name: "an ext:: address put in place of the server's",
    plant: async (ground) => {
      await put(join(ground.outside, "transport"), `#!/bin/sh\n${ground.fire}\n`);
      await configure(
        ground,
        [`url "ext::${join(ground.outside, "transport")} "`, `insteadOf = ${ground.url}`],
        ['protocol "ext"', "allow = always"],
      );
    },
    control: ({ url }) => ["ls-remote", `${url}/octo/app.git`],
  },
  {
    name: "core.sshCommand with an ssh address put in place of the server's",
    plant: (ground) =>
      configure(
        ground,
        ['url "ssh://localhost"', `insteadOf = ${ground.url}`],
        ["core", `sshCommand = "${ground.fire} #"`],
        ['protocol "ssh"', "allow = always"],
      ),
    control: ({ url }) => ["ls-remote", `${url}/octo/app.git`],
  },
  {
    name: "a credential helper in the shared configuration",
    plant: (ground) => configure(ground, ["credential", `helper = "!${ground.fire} #"`]),
    control: ({ url }) => ["ls-remote", `${url}/octo/app.git`],
  },
  {
    name: "core.askPass in the shared configuration",
    plant: async (ground) => {
      await put(join(ground.outside, "askpass"), `#!/bin/sh\n${ground.fire}\n`);
      await configure(ground, ["core", `askPass = ${join(ground.outside, "askpass")}`]);
    },
    control: ({ url }) => ["ls-remote", `${url}/octo/app.git`],
  },
  {
    name: "gpg.program with signing demanded",
    plant: async (ground) => {
      await put(join(ground.outside, "gpg"), `#!/bin/sh\n${ground.fire}\n`);
      await configure(
        ground,
        ["gpg", `program = ${join(ground.outside, "gpg")}`],
        ["commit", "gpgSign = true"],
      );
    },
    control: () => COMMIT,
  },
];
