import { z } from "zod";
import { setting } from "./keys.ts";

const headerSchema = z.strictObject({
  name: z
    .string()
    .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, {
      error: "write the name of an HTTP header, such as authorization",
    })
    .describe("Its name.")
    .meta({ example: "authorization" }),
  value_env: z
    .string()
    .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, {
      error: "write the name of an environment variable, never the value itself",
    })
    .describe("Name of the environment variable that holds its whole value, never the value.")
    .meta({ example: "COLLECTOR_AUTHORIZATION" }),
});

const endpoint = z
  .string()
  .refine((text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol), {
    error: "write the collector's whole address with its scheme, such as http://127.0.0.1:4318",
    abort: true,
  })
  .refine((text) => new URL(text).username === "" && new URL(text).password === "", {
    error: "holds a user name or password; take them out and put them into the variable of header.value_env",
    abort: true,
  })
  .refine((text) => new URL(text).search === "" && new URL(text).hash === "", {
    error: "holds a query or a fragment; write only scheme, host and path",
  });

/** Kept as written: the engine does not use where traces go. */
export const telemetry = setting(
  "telemetry",
  z
    .strictObject({
      endpoint: endpoint
        .optional()
        .describe(
          "Address of a collector that takes OTLP over HTTP; traces go to `/v1/traces` below it. If you leave it out, nothing is sent.",
        )
        .meta({ example: "http://127.0.0.1:4318" }),
      header: headerSchema
        .optional()
        .describe("A header that the collector requires, such as one with a key."),
    })
    .refine((values) => values.header === undefined || values.endpoint !== undefined, {
      path: ["header"],
      error: "goes nowhere: set telemetry.endpoint too, or take it out",
    }),
  { description: "Where Flotilla sends traces.", default: {} },
);
