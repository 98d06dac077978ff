import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { type KubernetesObject, rendered, valuesGiven } from "./rendered.ts";

const HERE =
  (spawnSync("go", ["version"]).status === 0 &&
    existsSync("/usr/share/gocode/src/github.com/Masterminds/sprig")) ||
  process.env["FLOTILLA_TESTS_NEED_GO"] === "1";
const REASON = HERE
  ? ""
  : " (skipped: Go and Debian's golang-github-masterminds-sprig-dev are not installed)";

/** The published types of each kind. */
const TYPES: Readonly<Record<string, string>> = {
  "v1/ConfigMap": "v1/ConfigMap",
  "v1/Service": "v1/Service",
  "apps/v1/Deployment": "apps/v1/Deployment",
  "apps/v1/StatefulSet": "apps/v1/StatefulSet",
  "policy/v1/PodDisruptionBudget": "policy/v1/PodDisruptionBudget",
  "networking.k8s.io/v1/NetworkPolicy": "networking.k8s.io/v1/NetworkPolicy",
};

const workload = z.looseObject({
  spec: z.looseObject({
    template: z.looseObject({
      spec: z.looseObject({
        automountServiceAccountToken: z.boolean(),
        securityContext: z.looseObject({ runAsNonRoot: z.boolean() }),
        containers: z.tuple([
          z.looseObject({
            args: z.array(z.string()),
            envFrom: z.array(z.object({ secretRef: z.object({ name: z.string() }) })),
            ports: z.array(z.unknown()).optional(),
            securityContext: z.looseObject({ seccompProfile: z.looseObject({ type: z.string() }) }),
          }),
        ]),
      }),
    }),
  }),
});

const kindOf = ({ apiVersion, kind }: KubernetesObject): string => `${apiVersion}/${kind}`;

/** The complaints of the TypeScript compiler about objects that are not as Kubernetes' API describes them. */
function misfits(objects: readonly KubernetesObject[]): string {
  const directory = mkdtempSync(join(tmpdir(), "flotilla-manifests-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  symlinkSync(resolve("node_modules"), join(directory, "node_modules"));
  const lines = objects.map((object, at) => {
    const { kind } = object;
    const type = `import("kubernetes-models/${TYPES[kindOf(object)] ?? ""}").I${kind}`;
    return `export const object${at}: ${type} = ${JSON.stringify(object, null, 1)};`;
  });
  const file = join(directory, "manifests.ts");
  writeFileSync(file, lines.join("\n"));
  const options = ["--noEmit", "--strict", "--skipLibCheck", "--module", "nodenext", "--ignoreConfig"];
  return spawnSync("node_modules/.bin/tsc", [...options, file], { encoding: "utf8" }).stdout;
}

const files = (...options: readonly string[]): string =>
  spawnSync("git", ["ls-files", ...options, "config/deploy/chart"], { encoding: "utf8" }).stdout;

const find = (objects: readonly KubernetesObject[], kind: string, name: string): KubernetesObject => {
  const found = objects.find((one) => one.kind === kind && one.metadata.name === name);
  if (found === undefined) throw new Error(`there is no ${kind} ${name}`);
  return found;
};

describe.skipIf(!HERE)(`the Helm chart${REASON}`, () => {
  const objects = HERE ? rendered(valuesGiven()) : [];
  const podOf = (role: string) =>
    workload.parse(find(objects, role === "runner" ? "StatefulSet" : "Deployment", `team-${role}`)).spec
      .template.spec;

  const profileOf = (role: string) => podOf(role).containers[0].securityContext.seccompProfile;

  it("makes objects as Kubernetes' API describes them", () => {
    expect(objects.map(kindOf).filter((kind) => TYPES[kind] === undefined)).toEqual([]);
    expect(misfits(objects)).toBe("");
    const [first] = objects;
    expect(
      misfits([{ ...(first ?? { apiVersion: "", kind: "", metadata: { name: "" } }), dta: {} }]),
    ).toContain("dta");
  });

  it("has each of its files in git", () => {
    expect(files("--others")).toBe("");
    expect(files("--cached")).toContain("Chart.yaml");
  });

  it.each([
    ["intake", ["flotilla-database", "flotilla-webhook"]],
    ["controller", ["flotilla-database", "flotilla-app"]],
    ["web", ["flotilla-database", "flotilla-web"]],
    ["runner", ["flotilla-database", "flotilla-model"]],
  ])("gives %s its role and no secret that it does not need", (role, secrets) => {
    const [container] = podOf(role).containers;
    expect(container.args).toEqual(["serve", "--role", role]);
    expect(container.envFrom.map(({ secretRef }) => secretRef.name)).toEqual(secrets);
    expect(podOf(role)).toMatchObject({
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true },
    });
  });

  it("lets nothing connect to a runner or a controller, and intake to the database alone", () => {
    for (const role of ["runner", "controller"]) {
      expect(podOf(role).containers[0].ports).toBeUndefined();
      expect(find(objects, "NetworkPolicy", `team-${role}`)).toMatchObject({
        spec: { ingress: [], policyTypes: ["Ingress", "Egress"] },
      });
    }
    expect(find(objects, "NetworkPolicy", "team-intake")).toMatchObject({
      spec: { egress: [{ ports: [{ port: 53 }, { port: 53 }] }, { ports: [{ port: 5432 }] }] },
    });
  });

  it("confines agents where they run, and nowhere else gives rights for it", () => {
    expect(profileOf("runner")).toEqual({ type: "Localhost", localhostProfile: "flotilla/seccomp.json" });
    for (const role of ["intake", "controller", "web"])
      expect(profileOf(role)).toEqual({ type: "RuntimeDefault" });
  });

  it("drains a runner for no longer than Kubernetes waits", () => {
    const pod = podOf("runner");
    expect(pod).toMatchObject({
      terminationGracePeriodSeconds: 990,
      containers: [
        {
          lifecycle: {
            preStop: { exec: { command: ["flotilla", "drain", "--after-turn", "--within", "900s"] } },
          },
        },
      ],
    });
  });

  it("follows each value", () => {
    const before = JSON.stringify(objects);
    const values = valuesGiven();
    const deaf = leaves(values).filter((path) => JSON.stringify(rendered(changed(values, path))) === before);
    expect(deaf).toEqual([]);
  }, 120_000);
});

/** The paths of all values that are no objects, or empty. */
function leaves(
  value: Record<string, unknown>,
  above: readonly string[] = [],
): readonly (readonly string[])[] {
  return Object.entries(value).flatMap(([key, inner]) =>
    isFilled(inner) ? leaves(inner, [...above, key]) : [[...above, key]],
  );
}

function isFilled(value: unknown): value is Record<string, unknown> {
  return (
    typeof value === "object" && value !== null && !Array.isArray(value) && Object.keys(value).length > 0
  );
}

/** The values with another one at this path. */
function changed(
  values: Record<string, unknown>,
  [key = "", ...below]: readonly string[],
): Record<string, unknown> {
  const old = values[key];
  if (isFilled(old)) return { ...values, [key]: changed(old, below) };
  return { ...values, [key]: otherThan(old) };
}

function otherThan(value: unknown): unknown {
  if (typeof value === "number") return value + 1;
  if (typeof value === "string") return `${value}x`;
  return Array.isArray(value) ? ["other"] : { other: "x" };
}
