import { rm } from "node:fs/promises";
import { join } from "node:path";
import { attributes, configure, put, type Vector } from "./vector.ts";

export const clean: Vector = {
  name: "a clean filter",
  plant: async (ground) => {
    await attributes(ground);
    await configure(ground, ['filter "evil"', `clean = "${ground.fire}; cat"`]);
  },
  control: () => ["add", "--renormalize", "."],
};

export const smudge: Vector = {
  name: "a smudge filter",
  plant: async (ground) => {
    await attributes(ground);
    await configure(ground, ['filter "evil"', `smudge = "${ground.fire}; cat"`]);
    await rm(join(ground.directory, "src", "a.txt"), { force: true });
  },
  control: () => ["checkout", "HEAD", "--", "src/a.txt"],
};

export const filterProcess: Vector = {
  name: "a filter that continues running",
  plant: async (ground) => {
    await attributes(ground);
    await configure(ground, ['filter "evil"', `process = "${ground.fire}; cat"`]);
  },
  control: () => ["add", "--renormalize", "."],
};

export const attributesOfMirror: Vector = {
  name: "a clean filter by info/attributes",
  plant: async (ground) => {
    await put(join(ground.mirror, "info", "attributes"), "* filter=hidden\n");
    await configure(ground, ['filter "hidden"', `clean = "${ground.fire}; cat"`]);
  },
  control: () => ["add", "--renormalize", "."],
};

export const textconv: Vector = {
  name: "a textconv",
  plant: async (ground) => {
    await attributes(ground);
    await configure(ground, ['diff "evil"', `textconv = "${ground.fire}; cat"`]);
  },
  control: () => ["diff", "HEAD~", "HEAD"],
};

export const external: Vector = {
  name: "diff.external",
  plant: (ground) => configure(ground, ["diff", `external = "${ground.fire} #"`]),
  control: () => ["diff", "HEAD~", "HEAD"],
};

export const mergeDriver: Vector = {
  name: "a merge driver",
  plant: async (ground) => {
    await attributes(ground);
    await put(join(ground.mirror, "info", "attributes"), "* filter=evil diff=evil merge=evil\n");
    await configure(ground, ['merge "evil"', `driver = "${ground.fire}; false"`]);
  },
  control: () => ["merge-tree", "--write-tree", "HEAD", "refs/remotes/origin/main"],
};
