import { z } from "zod";
import { duration } from "./duration.ts";
import { environmentVariables } from "./environment-variables.ts";
import { setting } from "./keys.ts";

const LONGEST_WAIT_MS = 600_000;
const MOST_PAGES = 12;
const MOST_SIZES = 4;
/** Pictures of one commit: each page in each size. */
const MOST_PICTURES = 12;
const SIDES = { least: 200, most: 2560 };

const line = () => z.string().min(1).max(4096);

const page = z.strictObject({
  name: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9 _-]{0,39}$/, {
      error: "write a name, such as start: at most 40 letters, digits, spaces, _ and -",
    })
    .meta({ description: "What people call the page." }),
  path: z
    .string()
    .max(500)
    .regex(/^\/(?![/\\])[\x21-\x7e]*$/, {
      error: "write a path, such as /: it begins with one / and has no spaces",
    })
    .meta({ description: "Its path, such as `/` or `/orders?state=open`." }),
});

/** Written as 1280x800. */
const size = z.string().refine(
  (text) => {
    const [, width, height] = /^(\d{3,4})x(\d{3,4})$/.exec(text) ?? [];
    return [width, height].every((side) => Number(side) >= SIDES.least && Number(side) <= SIDES.most);
  },
  { error: `write a width and a height such as 1280x800, each from ${SIDES.least} to ${SIDES.most} pixels` },
);

const hasEachOnce = (names: readonly string[]) => new Set(names).size === names.length;

const app = z
  .strictObject({
    run: line().meta({
      description: "The shell command that is the app. It stays in the foreground.",
      example: "npm start",
    }),
    port: z
      .int()
      .min(1024)
      .max(65_535)
      .meta({ description: "The port at which it serves HTTP on this machine." }),
    ready: line().optional().meta({
      description:
        "A shell command that is tried four times a second until it exits with 0. Left out: until the port can be reached.",
    }),
    within: duration()
      .refine((ms) => ms <= LONGEST_WAIT_MS, { error: "is more than 10m; write less." })
      .meta({ description: "How long the app may take until it is ready, at most `10m`." })
      .prefault("1m"),
    env: environmentVariables()
      .meta({ description: "Environment variables of the app, by the rules of `setup.environment`." })
      .prefault({}),
    pages: z
      .array(page)
      .min(1)
      .max(MOST_PAGES)
      .refine((pages) => hasEachOnce(pages.map(({ name }) => name)), { error: "name each page differently" })
      .meta({ description: `The pages, at most ${MOST_PAGES}.` }),
    sizes: z
      .array(size)
      .min(1)
      .max(MOST_SIZES)
      .refine(hasEachOnce, { error: "write each size once" })
      .meta({ description: `Sizes of the window, such as \`390x844\`, at most ${MOST_SIZES}.` })
      .prefault(["1280x800"]),
  })
  .refine(({ pages, sizes }) => pages.length * sizes.length <= MOST_PICTURES, {
    error: `makes more than ${MOST_PICTURES} pictures, one of each page in each size; leave some out`,
  })
  .transform(({ within, ...rest }) => ({ ...rest, withinMs: within }));

/** The app of which pictures are taken, and what is shown of it. */
export const screens = setting("screens", app.nullable(), {
  description:
    "Pictures of the app, taken by Flotilla when an agent claims that its work is done: of the base commit and of the agent's, in clean checkouts, with the host's Chromium, in the sandbox and without network. People see them side by side, with the share of pixels that changed. `null`: none.",
  default: null,
  repository: "replace",
});

export type Screens = NonNullable<z.output<typeof app>>;
