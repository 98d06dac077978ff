import type { KeptSetup } from "../../src/domain/ports/kept-setups.ts";
import type {
  RebaseResult,
  ServerSigning,
  WorktreeRef,
  WorktreeStatus,
  Worktrees,
} from "../../src/domain/ports/worktrees.ts";
import { mergedChange } from "../../src/domain/tasks/backport.ts";
import { createFakeArchives } from "./fake-archives.ts";
import { changedBetween, changedFile, createFakeCommits, forkOf, patchBetween } from "./fake-commits.ts";
import { createFakeIntegration } from "./fake-integration.ts";
import { newsOf } from "./fake-news.ts";
import { pendingBetween, treeIdOf } from "./fake-pending.ts";
import { createFakeTreeFiles } from "./fake-tree-files.ts";
import type { FakeWorktrees } from "./fake-worktrees.ts";
import { putOnTop } from "./put-on-top.ts";
import { assertNames, branchOf, fail, insidePath, restorePath } from "./worktree-names.ts";

export type { FakeWorktrees } from "./fake-worktrees.ts";

interface Directory {
  /** Differs for each worktree that was created. */
  readonly made: number;
  head: string;
  readonly files: Map<string, string>;
}

/** Creates the fake. `files` are those of the default branch `main`. */
export function createFakeWorktrees(files: Readonly<Record<string, string>>): FakeWorktrees {
  return createFakeWorktreesOf(createFakeRemote(files));
}

/** The server that worktrees of several machines push to. */
interface FakeRemote {
  readonly commits: ReturnType<typeof createFakeCommits>;
  /** The tip of each branch. */
  readonly server: Map<string, string>;
  /** Checkpoints. */
  readonly sent: Set<string>;
}

export function createFakeRemote(files: Readonly<Record<string, string>>): FakeRemote {
  const commits = createFakeCommits();
  const server = new Map([["main", commits.add(new Map(Object.entries(files)), [])]]);
  return { commits, server, sent: new Set() };
}

/** Creates the worktrees of one machine. */
export function createFakeWorktreesOf({ commits, server, sent }: FakeRemote): FakeWorktrees {
  const directories = new Map<string, Directory>();
  const local = new Map<string, string>();
  const checkpoints = new Map<string, { head: string; commit: string }>();
  const bases = new Map<string, string>();
  const lastPushed = new Map<string, string>();
  const checkouts = new Map<string, string>();
  const setups = new Map<string, KeptSetup>();
  const checkpointed: { name: string; pushed: boolean }[] = [];
  let refusesCheckpoints: Error | null = null;
  const archives = createFakeArchives();
  const { merges, ...integration } = createFakeIntegration({ commits, server, directories });
  let made = 0;

  const dirOf = (ref: WorktreeRef): Directory => {
    assertNames(ref);
    return directories.get(ref.name) ?? fail("missing_worktree", "stop");
  };
  const changes = (directory: Directory) => changedBetween(commits.tree(directory.head), directory.files);
  const isSafe = (head: string) => [...server.values()].some((tip) => commits.history(tip).has(head));
  const open = (name: string) => directories.get(name) ?? fail("missing_worktree", "stop");

  /** Has the server make the commits that none of its branches has, and returns the last. */
  const signedBy = async (signing: ServerSigning, head: string): Promise<string> => {
    if (isSafe(head)) return head;
    const parents: string[] = [];
    for (const parent of commits.parents(head)) parents.push(await signedBy(signing, parent));
    const files = commits.tree(head);
    const signed = await signing.commit({ tree: treeIdOf(files), parents, message: "Work" });
    return commits.add(files, parents, signed);
  };

  const status = (ref: WorktreeRef): WorktreeStatus => {
    assertNames(ref);
    const directory = directories.get(ref.name);
    if (directory === undefined) {
      const head = (ref.branch === null ? undefined : local.get(ref.branch)) ?? null;
      return { exists: false, clean: true, pushed: head === null || isSafe(head), head, changed: [] };
    }
    const changed = changes(directory);
    return {
      exists: true,
      clean: changed.length === 0,
      pushed: isSafe(directory.head),
      head: directory.head,
      changed: changed.slice(0, 100),
    };
  };

  const chooseStart = (ref: WorktreeRef, tip: string, reusePushed: boolean) => {
    const kept = ref.branch === null ? undefined : local.get(ref.branch);
    const pushed = ref.branch === null ? undefined : server.get(ref.branch);
    const saved = checkpoints.get(ref.name);
    if (saved && (kept === undefined || kept === saved.head)) {
      const { head, commit } = saved;
      return { head, tree: commits.tree(commit), origin: "checkpoint" as const, checkpoint: commit };
    }
    const from = (head: string, origin: "fresh" | "pushed" | "checkpoint") => ({
      head,
      tree: commits.tree(head),
      origin,
      checkpoint: null,
    });
    if (kept !== undefined && !commits.history(tip).has(kept)) {
      return from(kept, kept === pushed ? "pushed" : "checkpoint");
    }
    return reusePushed && pushed !== undefined ? from(pushed, "pushed") : from(tip, "fresh");
  };

  /** Puts the work of the directory on top of what somebody else pushed to its branch. */
  const takeUp = (ref: WorktreeRef): { takenUp?: RebaseResult } => {
    const directory = dirOf(ref);
    const theirs = ref.branch === null ? undefined : server.get(ref.branch);
    if (ref.branch === null || theirs === undefined || commits.history(directory.head).has(theirs)) return {};
    const known = commits.history(theirs);
    const base =
      lastPushed.get(ref.name) ?? [...commits.history(directory.head)].find((one) => known.has(one));
    const conflicts = putOnTop(
      directory.files,
      base === undefined ? new Map() : commits.tree(base),
      commits.tree(theirs),
    );
    directory.head = theirs;
    local.set(ref.branch, theirs);
    return { takenUp: { head: theirs, conflicts } };
  };

  const stand: Worktrees["prepare"] = async (ref, options) => {
    const { base, reusePushed, commit: wanted, changeOf, saved = [] } = options;
    const path = `/fake/worktrees/${ref.repository.id}/${ref.name}`;
    const existing = directories.get(ref.name);
    if (existing) {
      const baseCommit = bases.get(ref.name) ?? existing.head;
      return { path, baseCommit, head: existing.head, origin: "existing", checkpoint: null };
    }
    const tip = server.get(base ?? "main") ?? fail("base_not_found", "tell");
    const kept = saved.find((one) => sent.has(one));
    if (!checkpoints.has(ref.name) && kept !== undefined)
      checkpoints.set(ref.name, { head: commits.parents(kept)[0] ?? tip, commit: kept });
    if (wanted !== undefined && !commits.has(wanted)) fail("commit_missing", "stop");
    const { head, tree, origin, checkpoint } =
      wanted === undefined
        ? chooseStart(ref, tip, reusePushed)
        : { head: wanted, tree: commits.tree(wanted), origin: "fresh" as const, checkpoint: null };
    const ofBase = commits.history(tip);
    const baseCommit = [...commits.history(head)].find((commit) => ofBase.has(commit)) ?? tip;
    made += 1;
    const begun = new Map(tree);
    if (changeOf !== undefined && origin === "fresh") {
      const { onto, commit } = mergedChange(changeOf);
      const [parent = fail("commit_missing", "stop")] = commits.has(commit) ? commits.parents(commit) : [];
      putOnTop(begun, commits.tree(onto ?? parent), commits.tree(commit));
    }
    directories.set(ref.name, { made, head, files: begun });
    if (ref.branch !== null) local.set(ref.branch, head);
    bases.set(ref.name, baseCommit);
    return { path, baseCommit, head, origin, checkpoint };
  };

  return {
    ...integration,
    ...createFakeTreeFiles(commits),
    checkpointed,
    async prepare(ref, options) {
      assertNames(ref);
      const prepared = await stand(ref, options);
      const { takenUp } = options.reusePushed ? takeUp(ref) : {};
      return takenUp === undefined ? prepared : { ...prepared, head: takenUp.head, takenUp };
    },
    status: async (ref) => status(ref),
    async commit(ref) {
      const directory = dirOf(ref);
      const branch = branchOf(ref);
      const theirs = merges(ref.name);
      if (changes(directory).length === 0 && theirs === undefined) return null;
      const parents = theirs === undefined ? [directory.head] : [directory.head, theirs];
      directory.head = commits.add(directory.files, parents);
      local.set(branch, directory.head);
      return { commit: directory.head };
    },
    async push(ref, { signing } = {}) {
      const there = server.get(branchOf(ref));
      if (there !== undefined && !commits.history(dirOf(ref).head).has(there))
        fail("foreign_commits", "tell");
      if (signing !== undefined) {
        dirOf(ref).head = await signedBy(signing, dirOf(ref).head);
        if (!(await signing.moveBranch(branchOf(ref), dirOf(ref).head))) fail("foreign_commits", "tell");
        local.set(branchOf(ref), dirOf(ref).head);
      }
      const { head } = dirOf(ref);
      server.set(branchOf(ref), head);
      lastPushed.set(ref.name, head);
      return { commit: head };
    },
    async pending(ref, limit) {
      const directory = dirOf(ref);
      const there = ref.branch === null ? undefined : server.get(ref.branch);
      const before = commits.tree(there ?? bases.get(ref.name) ?? directory.head);
      return pendingBetween(before, directory.files, limit);
    },
    async checkpoint(ref, { push = true, tree } = {}) {
      const directory = dirOf(ref);
      if (tree !== undefined && tree !== treeIdOf(directory.files)) fail("tree_moved", "stop");
      const base = bases.get(ref.name) ?? directory.head;
      if (changes(directory).length === 0 && commits.history(base).has(directory.head)) return null;
      const before = checkpoints.get(ref.name);
      const same =
        before?.head === directory.head &&
        changedBetween(commits.tree(before.commit), directory.files).length === 0;
      const commit = same ? before.commit : commits.add(directory.files, [directory.head]);
      checkpoints.set(ref.name, { head: directory.head, commit });
      if (push) sent.add(commit);
      if (!same) checkpointed.push({ name: ref.name, pushed: push });
      return { commit, pushed: push };
    },
    async pushCheckpoint(ref, commit) {
      assertNames(ref);
      if (refusesCheckpoints !== null) throw refusesCheckpoints;
      sent.add(commit);
      checkpointed.push({ name: ref.name, pushed: true });
    },
    async restore(ref, paths) {
      const directory = dirOf(ref);
      for (const path of paths.map(insidePath)) restorePath(directory, commits.tree(directory.head), path);
    },
    tree: async (ref) => treeIdOf(dirOf(ref).files),
    async diff(ref, baseCommit, limit) {
      const kept = ref.branch === null ? undefined : local.get(ref.branch);
      const [one, other] = [commits.tree(baseCommit), commits.tree(kept ?? dirOf(ref).head)];
      return { files: changedBetween(one, other), patch: patchBetween(one, other).slice(0, limit) };
    },
    async inspect(ref, { commit, base }) {
      const there = (ref.branch === null ? undefined : server.get(ref.branch)) ?? null;
      const tip = server.get(base) ?? fail("base_not_found", "tell");
      const history = commits.history(commit);
      const from = forkOf(commits, commit, tip) ?? fail("base_not_found", "tell");
      return {
        server: there,
        serverBehind: there !== null && there !== commit && history.has(there),
        files: changedBetween(commits.tree(from), commits.tree(commit)),
      };
    },
    async changedFiles(_ref, { commit, base, wanted }) {
      const tip = server.get(base) ?? fail("base_not_found", "tell");
      const from = commits.tree(forkOf(commits, commit, tip) ?? fail("base_not_found", "tell"));
      const to = commits.tree(commit);
      return changedBetween(from, to)
        .filter(wanted)
        .map((path) => changedFile(path, from, to));
    },
    async behind(ref, base) {
      const tip = server.get(base) ?? fail("base_not_found", "tell");
      const head = ref.branch === null ? undefined : local.get(ref.branch);
      if (head === undefined) return { commits: 0, touching: [], conflicts: [] };
      const saved = checkpoints.get(ref.name);
      return newsOf(commits, { tip, work: saved?.head === head ? saved.commit : head });
    },
    async digest(ref, names) {
      const directory = dirOf(ref);
      return JSON.stringify([directory.made, ...names.map((name) => directory.files.get(name) ?? null)]);
    },
    async checkout(ref, commit) {
      assertNames(ref);
      if (!commits.has(commit)) fail("commit_missing", "stop");
      checkouts.set(ref.name, commit);
      const path = `/fake/worktrees/${ref.repository.id}/${ref.name}.checkout`;
      return { path, home: `${path}-home` };
    },
    async removeCheckout(ref) {
      checkouts.delete(ref.name);
    },
    async remove(ref, { base }) {
      const head =
        directories.get(ref.name)?.head ?? (ref.branch === null ? undefined : local.get(ref.branch));
      const at = (commit = head) => (commit === undefined ? new Map<string, string>() : commits.tree(commit));
      const work = directories.get(ref.name)?.files ?? at();
      const pushed = ref.branch === null || head === undefined || isSafe(head);
      const sides = { pushed, committed: at(), from: at(bases.get(ref.name)), tip: at(server.get(base)) };
      const archive = archives.of(
        ref,
        ref.branch === null || archives.isElsewhere(work, sides) ? null : work,
      );
      if (archive === null) checkpoints.delete(ref.name);
      directories.delete(ref.name);
      return { archive };
    },
    async forget(ref) {
      archives.files.delete(ref.name);
      checkpoints.delete(ref.name);
    },
    tidy: () => Promise.resolve(),
    async keepSetup(_ref, { key, commit, at, room }) {
      if (room < 0) return "the disk has no room for them";
      if (!setups.has(key)) setups.set(key, { commit, at });
      return null;
    },
    restoreSetup: async (_ref, { key }) => setups.get(key) ?? null,
    dropSetups: async () => setups.clear(),
    archived: (name, path) => archives.files.get(name)?.get(path) ?? null,
    write(name, path, content) {
      if (content === null) open(name).files.delete(path);
      else open(name).files.set(path, content);
    },
    checkouts,
    serverMove(branch, commit) {
      if (commit === null) server.delete(branch);
      else server.set(branch, commit);
    },
    read: (name, path) => directories.get(name)?.files.get(path) ?? null,
    serverCommit(branch, changed) {
      const parent = server.get(branch) ?? server.get("main") ?? fail("base_not_found", "tell");
      const tip = commits.add(new Map([...commits.tree(parent), ...Object.entries(changed)]), [parent]);
      server.set(branch, tip);
      return tip;
    },
    serverHead: (branch) => server.get(branch) ?? null,
    loseDirectory: (name) => void directories.delete(name),
    loseMirror: () => {
      for (const all of [directories, checkpoints, local, bases]) all.clear();
    },
    refuseCheckpoints(error) {
      refusesCheckpoints = error;
    },
  };
}
