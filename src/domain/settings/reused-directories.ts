import { z } from "zod";

const MOST = 8;
const LONGEST = 200;
/** Names without `..`, and without `.git` in any case. */
const PATH = /^(?!(?:.*\/)?\.[gG][iI][tT](?:\/|$))\.?[\w@+][\w.@+-]*(?:\/\.?[\w@+][\w.@+-]*)*$/;

/** Directories below the top of a repository, none of them inside another, and none of git's own. */
export const reusedDirectories = () =>
  z
    .array(
      z.string().max(LONGEST).regex(PATH, {
        error:
          "write a directory below the top of the repository, such as node_modules or web/node_modules: letters, digits, _ . @ + -, and neither .. nor .git",
      }),
    )
    .max(MOST, { error: `names more than ${MOST} directories; leave some out` })
    .refine(
      (paths) => paths.every((path, at) => !paths.toSpliced(at, 1).some((other) => holds(other, path))),
      {
        error: "names a directory twice, or one inside another; leave the inner one out",
      },
    );

const holds = (path: string, other: string) => path === other || other.startsWith(`${path}/`);
