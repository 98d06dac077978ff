import { z } from "zod";
import { duration } from "./duration.ts";
import { environmentVariables } from "./environment-variables.ts";
import { setting } from "./keys.ts";

const MOST = 8;
const LONGEST_WAIT_MS = 600_000;

const line = () => z.string().min(1).max(4096);

const service = z
  .strictObject({
    run: line().meta({
      description:
        "The shell command that is the service. It stays in the foreground. `$FLOTILLA_SERVICE_DIR` is a directory of its own, empty at each start.",
      example: 'redis-server --port 6390 --dir "$FLOTILLA_SERVICE_DIR"',
    }),
    ready: line().meta({
      description:
        "A shell command that is tried four times a second until it exits with 0: the service can be used from then on.",
      example: "redis-cli -p 6390 ping",
    }),
    within: duration()
      .refine((ms) => ms <= LONGEST_WAIT_MS, { error: "is more than 10m; write less." })
      .meta({ description: "How long the service may take until it is ready, at most `10m`." })
      .prefault("30s"),
    env: environmentVariables()
      .meta({
        description:
          "Environment variables of agents and acceptance commands, by the rules of `setup.environment`.",
      })
      .prefault({}),
  })
  .transform(({ within, ...rest }) => ({ ...rest, withinMs: within }));

export const services = setting(
  "services",
  z
    .record(
      z.string().regex(/^[a-z][a-z0-9-]{0,29}$/, {
        error: "write a name, such as redis: small letters, digits and -, at most 30, with a letter first",
      }),
      service,
    )
    .refine((named) => Object.keys(named).length <= MOST, { error: `write at most ${MOST} services.` })
    .meta({ maxProperties: MOST }),
  {
    description:
      "Programs that run beside an agent with a shell, and beside each acceptance command, such as a database for the tests. They run in the same sandbox, at 127.0.0.1, without secrets.",
    default: {},
    repository: "replace_each",
  },
);
