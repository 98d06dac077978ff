import { COMMIT, configure, program, type Vector } from "./vector.ts";

export const gpg: Vector = {
  name: "gpg.program with signing demanded",
  plant: async (ground) =>
    configure(ground, ["gpg", `program = ${await program(ground)}`], ["commit", "gpgSign = true"]),
  control: () => COMMIT,
};

export const sshKey: Vector = {
  name: "gpg.ssh.defaultKeyCommand with signing demanded",
  plant: async (ground) =>
    configure(
      ground,
      ["gpg", "format = ssh"],
      ['gpg "ssh"', `defaultKeyCommand = ${await program(ground)}`],
      ["commit", "gpgSign = true"],
    ),
  control: () => COMMIT,
};

export const pager: Vector = {
  name: "core.pager",
  plant: (ground) => configure(ground, ["core", `pager = "${ground.fire} #"`]),
  // By this, git starts it without a terminal, too.
  control: () => ["grep", "-O", "two"],
};

export const editor: Vector = {
  name: "core.editor",
  plant: (ground) => configure(ground, ["core", `editor = "${ground.fire} #"`]),
  control: () => ["commit", "--allow-empty"],
};

export const alias: Vector = {
  name: "an alias",
  plant: (ground) => configure(ground, ["alias", `lg = "!${ground.fire} #"`]),
  control: () => ["lg"],
};

export const trailer: Vector = {
  name: "a trailer's command",
  plant: (ground) => configure(ground, ['trailer "evil"', `command = "${ground.fire} #"`]),
  control: () => ["interpret-trailers", "--trailer", "evil=1", "README.md"],
};

export const archiver: Vector = {
  name: "an archive format's command",
  plant: (ground) => configure(ground, ['tar "evil"', `command = "${ground.fire}; cat"`]),
  control: () => ["archive", "--format=evil", "HEAD"],
};
