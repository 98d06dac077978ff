import { join } from "node:path";
import { bareAt, configure, type Ground, program, put, type Vector } from "./vector.ts";

const ASK = ({ url }: Ground) => ["ls-remote", `${url}/octo/app.git`];

export const ext: Vector = {
  name: "an ext:: address put in place of the server's",
  plant: async (ground) =>
    configure(
      ground,
      [`url "ext::${await program(ground)} "`, `insteadOf = ${ground.url}`],
      ['protocol "ext"', "allow = always"],
    ),
  control: ASK,
};

export const ssh: Vector = {
  name: "core.sshCommand with an ssh address put in place of the server's",
  plant: (ground) =>
    configure(
      ground,
      ['url "ssh://localhost"', `insteadOf = ${ground.url}`],
      ["core", `sshCommand = "${ground.fire} #"`],
      ['protocol "ssh"', "allow = always"],
    ),
  control: ASK,
};

export const proxy: Vector = {
  name: "core.gitProxy with a git address put in place of the server's",
  plant: async (ground) =>
    configure(
      ground,
      ['url "git://localhost"', `insteadOf = ${ground.url}`],
      ["core", `gitProxy = ${await program(ground)}`],
      ['protocol "git"', "allow = always"],
    ),
  control: ASK,
};

export const credentialHelper: Vector = {
  name: "a credential helper",
  plant: (ground) => configure(ground, ["credential", `helper = "!${ground.fire} #"`]),
  control: ASK,
};

export const askPass: Vector = {
  name: "core.askPass",
  plant: async (ground) => configure(ground, ["core", `askPass = ${await program(ground)}`]),
  control: ASK,
};

const remoteProgram = (key: string, control: Vector["control"]): Vector => ({
  name: `remote.origin.${key}`,
  plant: async (ground) =>
    configure(
      ground,
      ['remote "origin"', `url = ${ground.mirror}`],
      ['remote "origin"', `${key} = ${await program(ground)}`],
    ),
  control,
});

export const uploadPack = remoteProgram("uploadpack", () => ["ls-remote", "origin"]);
export const receivePack = remoteProgram("receivepack", () => ["push", "origin", "HEAD:refs/evil/a"]);

export const alternateRefs: Vector = {
  name: "core.alternateRefsCommand with alternates",
  plant: async (ground) => {
    const other = join(ground.outside, "other.git");
    await bareAt(other);
    await put(join(ground.mirror, "objects", "info", "alternates"), `${join(other, "objects")}\n`);
    await configure(ground, ["core", `alternateRefsCommand = ${await program(ground)}`]);
  },
  control: ({ mirror }) => ["push", mirror, "HEAD:refs/evil/b"],
};

export const packObjectsHook: Vector = {
  name: "uploadpack.packObjectsHook",
  plant: async (ground) => configure(ground, ["uploadpack", `packObjectsHook = ${await program(ground)}`]),
  control: ({ mirror, outside }) => ["clone", "--quiet", "--no-local", mirror, join(outside, "clone")],
  refused: "git takes it from the user's and the system's configuration alone",
};
