import * as drivers from "./drivers.ts";
import * as hooks from "./hooks-and-monitors.ts";
import * as programs from "./programs.ts";
import * as repositories from "./repositories.ts";
import * as transports from "./transports.ts";
import type { Vector } from "./vector.ts";

/** Every vector. Those of one group are planted together: none keeps another from firing, as their controls show. */
export const GROUPS: readonly (readonly Vector[])[] = [
  [
    hooks.hooks,
    hooks.fsmonitor,
    drivers.clean,
    drivers.smudge,
    drivers.textconv,
    drivers.mergeDriver,
    transports.credentialHelper,
    transports.askPass,
    transports.uploadPack,
    transports.receivePack,
    programs.gpg,
    programs.pager,
    programs.alias,
  ],
  [
    hooks.hooksPath,
    hooks.include,
    hooks.templates,
    drivers.filterProcess,
    drivers.external,
    transports.ext,
    programs.sshKey,
    programs.editor,
  ],
  [
    hooks.includeIf,
    drivers.attributesOfMirror,
    transports.ssh,
    transports.alternateRefs,
    transports.packObjectsHook,
    programs.trailer,
    programs.archiver,
  ],
  [hooks.ofWorktree, transports.proxy, repositories.nested],
  [hooks.commonDirectory, repositories.bareWithin],
  [repositories.inPlaceOfGitFile],
  [repositories.otherWorkTree],
];
