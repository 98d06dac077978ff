import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod";

const service = z.strictObject({
  build: z.literal(".").optional(),
  image: z.string(),
  profiles: z.array(z.string()).optional(),
  user: z.string().optional(),
  restart: z.literal("unless-stopped"),
  stop_grace_period: z.string().optional(),
  env_file: z.literal(".env").optional(),
  ports: z.array(z.string()).optional(),
  volumes: z.array(z.string()).optional(),
  read_only: z.boolean().optional(),
  tmpfs: z.array(z.string()).optional(),
  command: z.union([z.string(), z.array(z.string())]).optional(),
  environment: z.record(z.string(), z.string()).optional(),
  cap_drop: z.array(z.string()),
  cap_add: z.array(z.string()).optional(),
  shm_size: z.string().optional(),
  security_opt: z.array(z.string()),
  pids_limit: z.int().optional(),
  mem_limit: z.string().optional(),
});
const compose = z
  .strictObject({ services: z.record(z.string(), service), volumes: z.record(z.string(), z.null()) })
  .parse(parse(readFileSync("compose.yaml", "utf8")));
const { flotilla, database, ...others } = compose.services;
/** The `docker run` of the guide. */
const RUN =
  /^docker run -d --name flotilla[^]*? flotilla\ndocker exec/m.exec(
    readFileSync("docs/deploy.md", "utf8"),
  )?.[0] ?? "";
const MAIN_JS = readFileSync("src/cli/commands/serve.ts", "utf8");

/** A JSON file of what forwards from smee.io. */
const ofSmee = (name: string): unknown => JSON.parse(readFileSync(`config/deploy/smee/${name}`, "utf8"));

describe("compose.yaml", () => {
  it("gives Flotilla no capability and no other right than those that bubblewrap needs", () => {
    expect(flotilla).toMatchObject({ read_only: true, cap_drop: ["ALL"] });
    expect(flotilla?.security_opt).toEqual([
      "no-new-privileges:true",
      "seccomp=config/deploy/seccomp.json",
      "apparmor=unconfined",
      "systempaths=unconfined",
    ]);
    expect(existsSync("config/deploy/seccomp.json")).toBe(true);
  });

  it("opens it to this machine alone, and mounts its volume and two files that it can only read", () => {
    expect(flotilla?.ports).toEqual(["127.0.0.1:3000:3000"]);
    expect(flotilla?.volumes).toEqual([
      "data:/data",
      "./config.yaml:/etc/flotilla/config.yaml:ro",
      "./private-key.pem:/etc/flotilla/private-key.pem:ro",
    ]);
    expect(Object.keys(compose.volumes)).toEqual(["data", "database"]);
  });

  it("starts a database only when it is asked for, on a volume of its own, open to no machine", () => {
    expect(database).toMatchObject({
      profiles: ["postgres"],
      image: expect.stringMatching(/^postgres:\d+\.\d+-/),
      volumes: ["database:/var/lib/postgresql/data"],
      cap_drop: ["ALL"],
    });
    expect(database?.ports).toBeUndefined();
  });

  it("waits longer for its end than it may take", () => {
    const limit = Number(/STOP_LIMIT_MS = ([\d_]+)/.exec(MAIN_JS)?.[1]?.replaceAll("_", ""));
    expect(Number.parseInt(flotilla?.stop_grace_period ?? "", 10) * 1000).toBeGreaterThan(limit);
  });

  it("starts the ways in from outside only when they are asked for, each for one version and without rights", () => {
    expect(Object.keys(others)).toEqual(["smee", "tunnel"]);
    for (const [name, { profiles, image, cap_drop, volumes }] of Object.entries(others)) {
      expect(profiles).toEqual([name]);
      expect(image).toMatch(/:\d+\.\d+\.\d+/);
      const lock = name === "smee" ? ["./config/deploy/smee:/smee:ro"] : undefined;
      expect([cap_drop, volumes]).toEqual([["ALL"], lock]);
    }
  });

  it("forwards from smee.io by packages whose digests are in a lock file, and installs no others", () => {
    const { dependencies } = z
      .object({ dependencies: z.record(z.string(), z.string()) })
      .parse(ofSmee("package.json"));
    const { packages } = z
      .object({ packages: z.record(z.string(), z.looseObject({ integrity: z.string().optional() })) })
      .parse(ofSmee("package-lock.json"));
    const { "": root, ...installed } = packages;
    expect(root).toMatchObject({ dependencies });
    for (const [name, version] of Object.entries(dependencies))
      expect(installed[`node_modules/${name}`]).toMatchObject({ version });
    for (const one of Object.values(installed)) {
      expect(one.integrity).toMatch(/^sha512-/);
      expect(one).not.toHaveProperty("resolved");
    }
    const command = others["smee"]?.command?.toString() ?? "";
    expect(command).toContain("npm ci --ignore-scripts");
    expect(command).not.toContain("npx");
  });

  it("says the same as the `docker run` of the guide", () => {
    const options = [...RUN.matchAll(/--security-opt (\S+)/g)].map(([, option]) => option);
    const asRun = flotilla?.security_opt.map((option) => option.replace(":true", ""));
    expect(options).toEqual(asRun);
    const mounts = [...RUN.matchAll(/-v "?([^\s"]+)"?/g)].map(([, mount]) =>
      mount?.replace("$PWD", ".").replace("flotilla-data", "data"),
    );
    expect(mounts).toEqual(flotilla?.volumes);
    expect(RUN).toContain(`-p ${flotilla?.ports?.[0]} `);
    expect(RUN).toContain(`--tmpfs ${flotilla?.tmpfs?.[0]} `);
    expect(RUN).toContain(`--pids-limit ${flotilla?.pids_limit} --memory ${flotilla?.mem_limit} `);
    for (const option of ["--read-only", "--cap-drop ALL", "--env-file .env", "--restart unless-stopped"])
      expect(RUN).toContain(option);
  });
});
