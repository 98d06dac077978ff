import { createPrivateKey } from "node:crypto";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { z } from "zod";
import { ALL_ROLES, NODE_ROLES, type NodeRoles, readRoles } from "../domain/recovery/node-roles.ts";

/** The settings of the environment, without its secrets. Paths are absolute. */
export interface Environment {
  readonly appId: number;
  /** Host of a GitHub Enterprise Server, with its port if it has one; undefined for github.com. */
  readonly gheHost: string | undefined;
  readonly gheProtocol: "http" | "https";
  /** Address to listen on. */
  readonly host: string;
  /** Host names under which people open the dashboard, in addition to loopback names and IP addresses. */
  readonly hosts: readonly string[];
  /** Origin under which people open the dashboard, such as `https://flotilla.example.com`; null where texts link to none. */
  readonly publicUrl: string | null;
  /** Port to listen on; 0 chooses a free one. */
  readonly port: number;
  readonly configPath: string;
  readonly dataDir: string;
  /** The name of this machine among those that use one database; undefined for its host name. */
  readonly node: string | undefined;
  /** The parts of the work that this process has. */
  readonly roles: NodeRoles;
  readonly logLevel: (typeof LOG_LEVELS)[number];
  /** Undefined: text on a terminal, else JSON. */
  readonly logFormat: (typeof LOG_FORMATS)[number] | undefined;
}

/** Secrets of the environment. No fault quotes them. */
export interface EnvironmentSecrets {
  /** PEM. Undefined only where no role of this process needs it. */
  readonly privateKey: string | undefined;
  /** Undefined only where no role of this process needs it. */
  readonly webhookSecret: string | undefined;
  /** Accepted as well while the secret is being changed. */
  readonly webhookSecretPrevious: string | undefined;
  /** Undefined: serve generates one. */
  readonly dashboardToken: string | undefined;
  /** Signs the markers in our comments; undefined: serve generates one. */
  readonly markerSecret: string | undefined;
  /** The App's credentials for signing in people; undefined where people do not sign in with GitHub. */
  readonly signIn: { readonly clientId: string; readonly clientSecret: string } | undefined;
}

export type Variables = Readonly<Record<string, string | undefined>>;

const LOG_LEVELS = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;
const LOG_FORMATS = ["text", "json"] as const;
const SECRET_BYTES = 32;
/** Length from which a random token cannot be guessed, however many attempts are made. */
export const TOKEN_CHARACTERS = 24;
/** "development" has eleven characters. */
const LONGEST_WORD = 15;
const MAKE_SECRET = "make one with `openssl rand -hex 32` and set it in the App's settings too";

const secret = (name: string) =>
  z
    .string({ error: `${name} is not set: ${MAKE_SECRET}.` })
    .refine((text) => Buffer.byteLength(text) >= SECRET_BYTES, {
      error: `${name} is shorter than ${SECRET_BYTES} bytes: ${MAKE_SECRET}.`,
    })
    .refine((text) => Buffer.byteLength(text) < SECRET_BYTES || !isRepeated(text), {
      error: `${name} is a short word repeated, which can be guessed: ${MAKE_SECRET}.`,
    });

const MAKE_TOKEN = "make one with `openssl rand -hex 32`, or leave it out and Flotilla makes one";

const token = (name: string) =>
  z
    .string()
    .refine((text) => text.length >= TOKEN_CHARACTERS, {
      error: `${name} is shorter than ${TOKEN_CHARACTERS} characters: ${MAKE_TOKEN}.`,
    })
    .refine((text) => text.length < TOKEN_CHARACTERS || !isRepeated(text), {
      error: `${name} is a short word repeated, which can be guessed: ${MAKE_TOKEN}.`,
    });

/** Rejects `localhost:3000` and URLs, which are likely mistakes. */
const hostNames = z
  .string()
  .transform(splitNames)
  .refine((names) => names.every((name) => /^[a-z\d]([a-z\d._-]*[a-z\d])?$/.test(name)), {
    error:
      "FLOTILLA_HOSTS: write host names alone, without https://, port and path, with commas between them, such as flotilla.example.com.",
  })
  .default([]);

const PUBLIC_URL_FAULT =
  "PUBLIC_URL: write the address under which people open the dashboard, without a path, such as https://flotilla.example.com.";

/** Becomes an origin. The dashboard's own links begin at the root of its host. */
const publicUrl = z.string().transform((text, issues) => {
  const url = URL.parse(text);
  const isOrigin = url !== null && (text === url.origin || text === `${url.origin}/`);
  if (isOrigin && ["http:", "https:"].includes(url.protocol)) return url.origin;
  issues.addIssue({ code: "custom", message: PUBLIC_URL_FAULT });
  return z.NEVER;
});

export const environmentSchema = z.object({
  APP_ID: z
    .string({ error: "APP_ID is not set: write the App's number, which stands in its settings." })
    .regex(/^[1-9]\d{0,14}$/, {
      error: "APP_ID is not a number: write the App's number, which stands in its settings.",
    })
    .transform(Number),
  WEBHOOK_SECRET: secret("WEBHOOK_SECRET"),
  WEBHOOK_SECRET_PREVIOUS: secret("WEBHOOK_SECRET_PREVIOUS").optional(),
  GHE_HOST: z
    .string()
    .regex(/^[A-Za-z0-9.-]+(:\d{1,5})?$/, {
      error:
        "GHE_HOST is not a host: write only its name, such as github.example.com, without https:// and path.",
    })
    .optional(),
  GHE_PROTOCOL: z.enum(["http", "https"], { error: "GHE_PROTOCOL: write http or https." }).default("https"),
  HOST: z.string().default("127.0.0.1"),
  PORT: z
    .string()
    .refine((text) => /^\d{1,5}$/.test(text) && Number(text) <= 65_535, {
      error: "PORT: write a number from 0 to 65535.",
    })
    .transform(Number)
    .default(3000),
  FLOTILLA_CONFIG: z.string().default("config.yaml"),
  FLOTILLA_DATA_DIR: z.string().optional(),
  FLOTILLA_HOSTS: hostNames,
  PUBLIC_URL: publicUrl.optional(),
  FLOTILLA_NODE: z
    .string()
    .regex(/^[A-Za-z\d]([A-Za-z\d._-]{0,62}[A-Za-z\d])?$/, {
      error: "FLOTILLA_NODE: write a name of at most 64 letters, digits, dots and dashes, such as node-1.",
    })
    .optional(),
  FLOTILLA_ROLE: z
    .string()
    .transform((text, issues) => {
      const { roles, unknown } = readRoles(text);
      if (roles !== undefined) return roles;
      const message = `FLOTILLA_ROLE (--role): ${unknown.map((word) => `"${word}"`).join(" and ")} cannot be a role: write those of ${NODE_ROLES.join(", ")} that this process has, with commas between them.`;
      issues.addIssue({ code: "custom", message });
      return z.NEVER;
    })
    .default(ALL_ROLES),
  FLOTILLA_MARKER_SECRET: token("FLOTILLA_MARKER_SECRET").optional(),
  DASHBOARD_TOKEN: token("DASHBOARD_TOKEN").optional(),
  GITHUB_CLIENT_ID: z.string().optional(),
  GITHUB_CLIENT_SECRET: z.string().optional(),
  LOG_LEVEL: z.enum(LOG_LEVELS, { error: `LOG_LEVEL: write ${LOG_LEVELS.join(", ")}.` }).default("info"),
  LOG_FORMAT: z.enum(LOG_FORMATS, { error: `LOG_FORMAT: write ${LOG_FORMATS.join(" or ")}.` }).optional(),
});

/** A process needs the secrets of its roles alone. */
const schemaFor = (roles: NodeRoles) =>
  environmentSchema.extend({
    WEBHOOK_SECRET: roles.has("intake")
      ? environmentSchema.shape.WEBHOOK_SECRET
      : environmentSchema.shape.WEBHOOK_SECRET.optional(),
  });

/** Returns the roles that the variables name; all where they name none, or not properly. */
export function rolesIn(variables: Variables): NodeRoles {
  const text = variables["FLOTILLA_ROLE"] || undefined;
  return (text === undefined ? undefined : readRoles(text).roles) ?? ALL_ROLES;
}

/**
 * Parses the environment; relative paths are resolved against `cwd`. An empty variable counts as unset. With
 * faults it returns nothing else; each fault names its variable and the remedy.
 */
export function readEnvironment(
  variables: Variables,
  cwd: string,
):
  | { readonly environment: Environment; readonly secrets: EnvironmentSecrets; readonly faults: readonly [] }
  | { readonly environment?: never; readonly secrets?: never; readonly faults: readonly string[] } {
  const set = withoutEmpty(variables);
  const roles = rolesIn(set);
  const parsed = schemaFor(roles).safeParse(set);
  const isUnneeded =
    !roles.has("controller") && set["PRIVATE_KEY"] === undefined && set["PRIVATE_KEY_PATH"] === undefined;
  const key = isUnneeded ? { pem: undefined, fault: undefined } : readPrivateKey(set, cwd);
  const faults = [
    ...quotedFaults(set),
    ...(parsed.success
      ? []
      : parsed.error.issues.filter((issue) => !isQuoted(set, issue)).map(({ message }) => message)),
    ...signInFaults(set),
    ...(key.fault === undefined ? [] : [key.fault]),
  ];
  if (!parsed.success || key.fault !== undefined || faults.length > 0) return { faults };
  const { data } = parsed;
  return {
    environment: {
      appId: data.APP_ID,
      gheHost: data.GHE_HOST,
      gheProtocol: data.GHE_PROTOCOL,
      host: data.HOST,
      hosts: [...new Set([...data.FLOTILLA_HOSTS, ...hostOf(data.PUBLIC_URL)])],
      publicUrl: data.PUBLIC_URL ?? null,
      port: data.PORT,
      configPath: resolve(cwd, data.FLOTILLA_CONFIG),
      dataDir: dataDirectoryIn(set, cwd),
      node: data.FLOTILLA_NODE,
      roles: data.FLOTILLA_ROLE,
      logLevel: data.LOG_LEVEL,
      logFormat: data.LOG_FORMAT,
    },
    secrets: {
      privateKey: key.pem,
      webhookSecret: data.WEBHOOK_SECRET,
      webhookSecretPrevious: data.WEBHOOK_SECRET_PREVIOUS,
      dashboardToken: data.DASHBOARD_TOKEN,
      markerSecret: data.FLOTILLA_MARKER_SECRET,
      signIn: signInOf(data.GITHUB_CLIENT_ID, data.GITHUB_CLIENT_SECRET),
    },
    faults: [],
  };
}

/** Returns the faults of variables that are set. A missing one is no fault where nothing is started. */
export function faultsOfSet(variables: Variables): readonly string[] {
  const set = withoutEmpty(variables);
  const issues = environmentSchema.safeParse(set).error?.issues ?? [];
  return [
    ...quotedFaults(set),
    ...issues
      .filter((issue) => set[nameIn(issue)] !== undefined && !isQuoted(set, issue))
      .map(({ message }) => message),
    ...signInFaults(set),
  ];
}

/** Returns the variables without which `flotilla serve` does not start, as far as they are not set. */
export function unsetForServe(variables: Variables): readonly string[] {
  const { PRIVATE_KEY, ...set } = withoutEmpty(variables);
  const roles = rolesIn(set);
  return [
    "APP_ID",
    ...(roles.has("intake") ? ["WEBHOOK_SECRET"] : []),
    ...(roles.has("controller") && PRIVATE_KEY === undefined ? ["PRIVATE_KEY_PATH"] : []),
  ].filter((name) => set[name] === undefined);
}

/** Returns the host's name without its port, in a list; nothing for no address. */
function hostOf(address: string | undefined): readonly string[] {
  const name = address === undefined ? undefined : URL.parse(address)?.hostname;
  return name === undefined ? [] : [name];
}

/** Splits a comma-separated list into lower-case names. */
export function splitNames(text: string): readonly string[] {
  return text.split(",").map((name) => name.trim().toLowerCase());
}

/**
 * Returns a fault for each value in quotation marks. Shells, Node and Compose take them off a line of .env; `docker run
 * --env-file` and Podman do not, and then a secret is another than the one in the App's settings.
 */
function quotedFaults(set: Variables): readonly string[] {
  return Object.keys(environmentSchema.shape)
    .filter((name) => QUOTED.test(set[name] ?? ""))
    .map(
      (name) =>
        `${name} is in quotation marks, which \`--env-file\` of Docker and Podman makes part of the value: write the value alone.`,
    );
}

const QUOTED = /^(["']).*\1$/s;
const nameIn = ({ path }: z.core.$ZodIssue): string => String(path[0]);
const isQuoted = (set: Variables, issue: z.core.$ZodIssue): boolean => QUOTED.test(set[nameIn(issue)] ?? "");

/** Returns a fault where only one of the two sign-in credentials is set. */
function signInFaults(set: Variables): readonly string[] {
  const names = ["GITHUB_CLIENT_ID", "GITHUB_CLIENT_SECRET"];
  const [unset, other] = names.filter((name) => set[name] === undefined);
  return unset === undefined || other !== undefined
    ? []
    : [
        `${unset} is not set, without which nobody can sign in with GitHub: set both ${names.join(" and ")}, or neither.`,
      ];
}

/** Returns the sign-in credentials if both are set. */
function signInOf(
  clientId: string | undefined,
  clientSecret: string | undefined,
): EnvironmentSecrets["signIn"] {
  return clientId === undefined || clientSecret === undefined ? undefined : { clientId, clientSecret };
}

/** Returns the absolute path of the data directory, whatever is wrong with other variables. */
export function dataDirectoryIn(variables: Variables, cwd: string): string {
  return resolve(cwd, variables["FLOTILLA_DATA_DIR"] || "./data");
}

/** Returns the variables without empty ones. */
export function withoutEmpty(variables: Variables): Variables {
  return Object.fromEntries(
    Object.entries(variables).filter(([, value]) => value !== undefined && value !== ""),
  );
}

/** Returns whether the text repeats its first few characters, so that only these have to be guessed. */
function isRepeated(text: string): boolean {
  return Array.from({ length: LONGEST_WORD }, (_, index) => index + 1).some((period) =>
    text.endsWith(text.slice(0, -period)),
  );
}

function readPrivateKey(
  variables: Variables,
  cwd: string,
): { readonly pem: string; readonly fault?: never } | { readonly pem?: never; readonly fault: string } {
  const inline = variables["PRIVATE_KEY"];
  const path = variables["PRIVATE_KEY_PATH"];
  const from = inline === undefined ? "PRIVATE_KEY_PATH" : "PRIVATE_KEY";
  if (inline === undefined && path === undefined) {
    return {
      fault:
        "PRIVATE_KEY or PRIVATE_KEY_PATH is not set: make a private key in the App's settings and set the path of the .pem file.",
    };
  }
  let pem: string;
  try {
    pem =
      inline === undefined ? readFileSync(resolve(cwd, path ?? ""), "utf8") : inline.replaceAll("\\n", "\n");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown error";
    return {
      fault: `PRIVATE_KEY_PATH: ${path} cannot be read (${code}): correct the path or its permissions.`,
    };
  }
  try {
    if (createPrivateKey(pem).asymmetricKeyType === "rsa") return { pem };
  } catch {
    // Falls through, because the error's own text may quote the key.
  }
  return { fault: `${from} is not an RSA private key in PEM: take the .pem file as GitHub gave it.` };
}
