import { z } from "zod";
import type { ApiRequest } from "./api-client.ts";

/** A tool for a person's own agent: one request to the API, whose rules hold. */
export interface FlotillaTool {
  readonly name: string;
  readonly description: string;
  /** Changes something. */
  readonly acts: boolean;
  readonly input: z.ZodObject;
  /** `id` is unique, and names the request. */
  readonly request: (given: unknown, id: string) => ApiRequest;
  /** Picks what of the answer a model is shown. */
  readonly shown?: (body: unknown) => unknown;
}

/** Of one answer: more would fill a model's memory. */
export const MOST_CHARACTERS = 60_000;

export function tool<Input extends z.ZodObject>(
  input: Input,
  {
    request,
    ...more
  }: Omit<FlotillaTool, "input" | "request" | "acts"> & {
    readonly acts?: true;
    readonly request: (given: z.output<Input>, id: string) => ApiRequest;
  },
): FlotillaTool {
  return { acts: false, ...more, input, request: (given, id) => request(input.parse(given), id) };
}

export const agentKey = z
  .string()
  .min(1)
  .max(300)
  .describe("The agent's key, such as acme/shop:feat-dev-issue-42.");

/** A path of the API, with its query. */
export const path = (
  parts: readonly (string | number)[],
  query: Readonly<Record<string, string | number | undefined>> = {},
): string => {
  const given = Object.entries(query).flatMap(([key, value]) =>
    value === undefined ? [] : [[key, String(value)]],
  );
  const asked = new URLSearchParams(given).toString();
  return `/api/${parts.map((part) => encodeURIComponent(part)).join("/")}${asked === "" ? "" : `?${asked}`}`;
};
