import { z } from "zod";
import { genericVariable, REGISTRY_KINDS, type Registry } from "../access/registry.ts";
import { object, setting } from "./keys.ts";

const MOST = 20;

const url = z
  .string()
  .refine((text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol), {
    error:
      "write the registry's whole address with its scheme, such as https://npm.example.com/repository/npm/",
    abort: true,
  })
  .refine((text) => new URL(text).username === "" && new URL(text).password === "", {
    error: "holds a user name or password; take them out and put them into the variable of token_env",
    abort: true,
  })
  .refine((text) => new URL(text).search === "" && new URL(text).hash === "", {
    error: "holds a query or a fragment; write only scheme, host and path",
    abort: true,
  })
  .transform((text) => new URL(text).href.replace(/\/*$/, "/"));

const registry = object({
  kind: setting("kind", z.enum(REGISTRY_KINDS), {
    description:
      "Its protocol. Tools find it by their own variables or files. For `generic`, the variable `FLOTILLA_REGISTRY_` followed by the host's name in capitals holds the address.",
  }),
  url: setting("url", url, {
    description:
      "Its base address, as a tool would be given it. `http` only for a host of `sandbox.private_hosts`.",
  }),
  tokenEnv: setting(
    "token_env",
    z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, {
      error: "write the name of an environment variable, never the token itself",
    }),
    {
      description:
        "Name of the environment variable that holds its token, or `user:password`; never the token.",
    },
  ),
});

export const registries = setting(
  "registries",
  z
    .array(registry)
    .max(MOST, { error: `names more than ${MOST} registries; leave some out` })
    .superRefine((written, context) => {
      for (const [at, one] of written.entries()) {
        const message = twiceFault(one, written.slice(0, at));
        if (message !== undefined) context.addIssue({ code: "custom", path: [at, "kind"], message });
      }
    }),
  {
    description:
      "Package registries that ask for a token. Setup commands see each at a loopback address, and the host adds the token, which never goes inside; docs/registries.md has a table of languages.",
    default: [],
  },
);

function twiceFault(one: Registry, before: readonly Registry[]): string | undefined {
  const same = before.filter(({ kind }) => kind === one.kind);
  if (one.kind !== "generic")
    return same.length === 0
      ? undefined
      : `is a second registry for ${one.kind}, and tools use only one; name one that serves the packages of both`;
  const variable = genericVariable(one.url);
  return same.some((other) => genericVariable(other.url) === variable)
    ? `is a second generic registry with the variable ${variable}; name one address that both paths are below`
    : undefined;
}
