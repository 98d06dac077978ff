import { z } from "zod";
import type { Store } from "../../domain/ports/store.ts";

/** A request to the engine, as the command line sends it. */
interface EngineRequest {
  readonly path: string;
  readonly body: object;
}

/** An act on one thing: who may act in its repository may do it. */
export interface Act {
  readonly path: `/api/${string}`;
  readonly name: string;
  readonly summary: string;
  readonly body: z.ZodType;
  readonly answer: z.ZodType;
  /** Returns the thing's repository; null for a thing without one, undefined if the thing does not exist. */
  readonly repositoryOf: (store: Store, id: string) => Promise<number | null | undefined>;
  /** Returns what the engine is asked in the name of `by`; `given` is the request's body. */
  readonly request: (id: string, given: unknown, by: string) => EngineRequest;
}

/** Builds an act from a schema and what it makes of a body that fits. */
export function actOf<Wish extends object>(
  body: z.ZodType<Wish>,
  act: Omit<Act, "body" | "request"> & {
    readonly request: (id: string, wish: Wish & { readonly by: string }) => EngineRequest;
  },
): Act {
  return { ...act, body, request: (id, given, by) => act.request(id, { ...body.parse(given), by }) };
}

/** Characters of a text that a person writes to an agent. */
export const MOST_WORDS = 20_000;

export const requestId = {
  id: z
    .string()
    .min(1)
    .max(100)
    // An id becomes part of a mark on GitHub, which half a character cannot.
    .refine((id) => id.isWellFormed(), "a character of it is incomplete")
    .describe(
      "The id that you give the request: while the process runs, a request with the same id and body acts once.",
    ),
};

/** Why somebody acts. */
export const reasoned = z.strictObject({
  ...requestId,
  reason: z.string().trim().max(500).default("").describe("Why; Flotilla records it."),
});

/** What somebody tells the agent with an act. */
export const withMessage = z.strictObject({
  ...requestId,
  reason: z.string().trim().max(MOST_WORDS).default("").describe("What the agent reads with it."),
});

/** Returns a row's number; -1, which no row has, for any other text. */
export function numberOf(id: string): number {
  return /^\d{1,15}$/.test(id) ? Number(id) : -1;
}

/** Returns the repository of an agent by its id. */
export async function repositoryOfAgent(
  { records }: Pick<Store, "records">,
  agentId: number | undefined,
): Promise<number | undefined> {
  return agentId === undefined ? undefined : (await records.get("agent", agentId))?.repositoryId;
}
