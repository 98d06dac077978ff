import type { Octokit } from "@octokit/rest";
import type { z } from "zod";
import type { GitHubError } from "../../../domain/kernel/errors.ts";
import { shapeFault } from "../../../domain/kernel/shape-fault.ts";
import type { Headers } from "./rate-limit.ts";

/** A successful answer whose content nobody has checked; `readAnswer` and `readNow` alone look into it. */
export interface Unread {
  readonly headers: Headers;
  readonly data: unknown;
  /** Ends the memory of earlier answers of this endpoint that could not be read. */
  readonly understood: () => void;
  /** Returns the error for an answer that is not as documented; `fault` says where, without the content. */
  readonly misread: (fault: string) => GitHubError;
}

type Rest = Octokit["rest"];

/** Octokit's calls, typed so that no answer can be used before it was checked. */
export type Asking = {
  readonly [Group in keyof Rest]: {
    readonly [Name in keyof Rest[Group]]: Rest[Group][Name] extends (given?: infer Given) => unknown
      ? (given?: Given) => Promise<Unread>
      : never;
  };
};

/** Waits for an answer and returns the fields of `shape`. Throws `GitHubError` where they are missing or of another type. */
export async function readAnswer<Shape extends z.ZodType>(
  asked: Promise<Unread>,
  shape: Shape,
): Promise<z.output<Shape>> {
  return readNow(await asked, shape);
}

/** `readAnswer` for an answer that has come. */
export function readNow<Shape extends z.ZodType>(answer: Unread, shape: Shape): z.output<Shape> {
  const read = shape.safeParse(answer.data);
  if (!read.success) throw answer.misread(shapeFault(read.error, "the answer"));
  answer.understood();
  return read.data;
}
