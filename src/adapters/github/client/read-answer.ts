import type { Octokit } from "@octokit/rest";
import type { z } from "zod";
import type { GitHubError } from "../../../domain/kernel/errors.ts";
import { shapeFault } from "../../../domain/kernel/shape-fault.ts";
import type { Headers } from "./rate-limit.ts";

/** A successful answer with unchecked content. Only `readAnswer` and `readNow` look into it. */
export interface Unread {
  readonly headers: Headers;
  readonly data: unknown;
  /** Forgets earlier answers of this endpoint that could not be read. */
  readonly understood: () => void;
  /** Returns the error for an answer that does not match its documentation; `fault` says where, without the content. */
  readonly misread: (fault: string) => GitHubError;
}

type Rest = Octokit["rest"];

/** Octokit's calls, typed so that an answer cannot be used before it was checked. */
export type Asking = {
  readonly [Group in keyof Rest]: {
    readonly [Name in keyof Rest[Group]]: Rest[Group][Name] extends (given?: infer Given) => unknown
      ? (given?: Given) => Promise<Unread>
      : never;
  };
} & {
  /** Sends one named operation of GraphQL; `readGraph` reads the answer. */
  readonly graphql: (document: string, variables: Readonly<Record<string, unknown>>) => Promise<Unread>;
};

/**
 * Waits for an answer and returns the fields of `shape`. Throws `GitHubError` if they are missing or of another type.
 */
export async function readAnswer<Shape extends z.ZodType>(
  asked: Promise<Unread>,
  shape: Shape,
): Promise<z.output<Shape>> {
  return readNow(await asked, shape);
}

/** Reads an answer that has already arrived; otherwise the same as `readAnswer`. */
export function readNow<Shape extends z.ZodType>(answer: Unread, shape: Shape): z.output<Shape> {
  const read = shape.safeParse(answer.data);
  if (!read.success) throw answer.misread(shapeFault(read.error, "the answer"));
  answer.understood();
  return read.data;
}
