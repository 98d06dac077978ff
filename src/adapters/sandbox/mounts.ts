import { realpath } from "node:fs/promises";
import { messageOf, OutsideError } from "../../domain/kernel/errors.ts";
import type { Command, Reach } from "../../domain/ports/runner.ts";
import { isInside } from "./is-inside.ts";
import { toolchains } from "./toolchains.ts";

/** git's data of one worktree: the mirror is readable, but of its entries only the worktree's own. */
export interface GitView {
  readonly mirror: string;
  readonly entries: string;
  readonly entry: string;
}

/**
 * Returns what one command sees of the host in addition to the system, each path at the same place as on the host.
 * Throws `unsafe_path`.
 */
export async function mounts(
  command: Command,
  reach: Reach,
  host: { readonly hidden: readonly string[]; readonly git: GitView | null },
): Promise<readonly string[]> {
  const outermost = reach.writable.filter(
    (path) => !reach.writable.some((other) => other !== path && isInside(path, other)),
  );
  await Promise.all(outermost.map(assertOwnPlace));
  const { git } = host;
  return [
    ...toolchains(command.env, host.hidden).flatMap(({ from, to }) => ["--ro-bind", from, to]),
    ...reach.readable.flatMap((path) => ["--ro-bind", path, path]),
    ...(git === null ? [] : ["--ro-bind", git.mirror, git.mirror, "--tmpfs", git.entries]),
    ...(git === null ? [] : ["--ro-bind", git.entry, git.entry, "--remount-ro", git.entries]),
    ...[...new Set(outermost)].flatMap((path) => ["--bind", path, path]),
  ];
}

/**
 * Throws if the path leads through a link. bwrap follows links: if an agent replaced a directory with a link, bwrap
 * would mount its target. Paths within another writable directory are not mounted separately, so agents cannot do that
 * to them.
 */
export async function assertOwnPlace(path: string): Promise<void> {
  const real = await realpath(path).catch((error: unknown) => messageOf(error));
  if (real === path) return;
  throw new OutsideError("unsafe_path", `${path} is not a directory of its own: ${real}`, {
    consequence: "stop",
    advice: "A link was put in its place, or it is gone. Look who did that, then remove the link.",
  });
}
