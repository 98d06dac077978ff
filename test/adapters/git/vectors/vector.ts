import { existsSync } from "node:fs";
import { appendFile, chmod, cp, mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { plainGit } from "../plain-git.ts";

/** Where a vector is planted, and what it does when it fires: `fire` is a shell command that leaves a mark. */
export interface Ground {
  readonly directory: string;
  readonly mirror: string;
  readonly entry: string;
  /** Outside of repository and worktree, writable, this vector's own. */
  readonly outside: string;
  readonly url: string;
  readonly fire: string;
}

/** A way by which a repository that somebody can write makes git run a program. */
export interface Vector {
  readonly name: string;
  plant(ground: Ground): Promise<unknown>;
  /** Arguments of a plain git in the worktree that sets it off, for proof that it is real. */
  control(ground: Ground): readonly string[];
  /** Why plain git does not let it: then the control must not set it off. */
  readonly refused?: string;
}

export const COMMIT = ["commit", "--allow-empty", "-m", "x"];

/** Adds settings (`section`, optionally with a quoted subsection, then `key = value`) to the configuration that all worktrees share. */
export async function configure(
  ground: Ground,
  ...settings: [section: string, setting: string][]
): Promise<void> {
  const text = settings.map(([section, setting]) => `[${section}]\n\t${setting}\n`).join("");
  await appendFile(join(ground.mirror, "config"), text);
}

export async function put(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
  await chmod(path, 0o755);
}

/** A program outside that leaves the mark; returns its path. */
export async function program(ground: Ground, name = "program"): Promise<string> {
  const path = join(ground.outside, name);
  await put(path, `#!/bin/sh\n${ground.fire}\n`);
  return path;
}

/** All files are given to drivers called `evil`. */
export function attributes(ground: Ground): Promise<void> {
  return put(join(ground.directory, ".gitattributes"), "* filter=evil diff=evil merge=evil\n");
}

/** A repository of the agent's own whose status runs a program; made once, and copied from then on. */
export async function repositoryAt(directory: string, { outside, fire }: Ground): Promise<void> {
  const made = join(outside, "made");
  if (!existsSync(made)) {
    await mkdir(made);
    await plainGit(made, ["init", "--quiet", "--template=", "."]);
    await plainGit(made, COMMIT);
    await plainGit(made, ["config", "core.fsmonitor", `${fire} #`]);
  }
  // What git made there is read-only, and so is not written over.
  await rm(join(directory, ".git"), { recursive: true, force: true });
  await cp(made, directory, { recursive: true });
}

/** A bare repository, made there unless there is one. */
export async function bareAt(directory: string): Promise<void> {
  if (!existsSync(join(directory, "HEAD")))
    await plainGit(dirname(directory), ["init", "--quiet", "--bare", directory]);
}
