import { ANYWHERE, type Attempt, NOT_EVERYWHERE, ROOT } from "./attempt.ts";

/** At files of the host, of other agents, and of git. */
export const FILES: readonly Attempt[] = [
  { what: "a key in the host's home", line: "cat $HOST_HOME/.ssh/id", outside: ANYWHERE },
  { what: "the list of the host's home", line: "ls $HOST_HOME", outside: ANYWHERE },
  { what: "the database", line: "cat $DATA/flotilla.db", outside: ANYWHERE },
  { what: "a secret of the data directory", line: "cat $DATA/marker-secret", outside: ANYWHERE },
  {
    what: "the list of the data directory",
    line: "find $DATA -maxdepth 1 -type f | grep -q .",
    outside: ANYWHERE,
  },
  { what: "the session of another agent", line: "ls $DATA/sessions/2", outside: ANYWHERE },
  {
    what: "the transcript of another agent",
    line: "cat $DATA/sessions/2/session-state/x/events.jsonl",
    outside: ANYWHERE,
  },
  { what: "the worktree of another agent", line: "cat $OTHER/file", outside: ANYWHERE },
  { what: "the other worktree, by way of one's own", line: "cat $OWN/../other/file", outside: ANYWHERE },
  { what: "a change in the other worktree", line: "echo x > $OTHER/planted", outside: ANYWHERE },
  { what: "a branch moved in the mirror", line: "echo x > $MIRROR/refs/heads/main", outside: ANYWHERE },
  { what: "a hook in the mirror", line: "echo x > $MIRROR/hooks/pre-commit", outside: ANYWHERE },
  { what: "the mirror's configuration", line: "echo x >> $MIRROR/config", outside: ANYWHERE },
  {
    what: "git's data of one's own worktree",
    line: "echo x > $MIRROR/worktrees/own/HEAD",
    outside: ANYWHERE,
  },
  { what: "git's data of another worktree", line: "cat $MIRROR/worktrees/other/HEAD", outside: ANYWHERE },
  {
    what: "a symbolic link out of the worktree",
    line: "ln -sfn $HOST_HOME/.ssh/id $OWN/s; cat $OWN/s",
    outside: ANYWHERE,
  },
  { what: "a hard link to a file outside", line: "ln -f $HOST_HOME/.ssh/id $OWN/h", outside: ANYWHERE },
  {
    what: "what stands beside the worktree",
    line: "ls -d $OWN/../other",
    outside: ANYWHERE,
  },
  { what: "the host's passwords", line: "cat /etc/shadow", outside: ROOT },
  { what: "the host's users", line: "grep -q ^daemon: /etc/passwd", outside: ANYWHERE },
  { what: "the home of root", line: "ls /root", outside: ROOT },
  { what: "the system's state", line: "ls /var/lib", outside: ANYWHERE },
  { what: "the host's temporary files", line: "[ -e $ROOT ] && ls $ROOT/host-only", outside: ANYWHERE },
  { what: "the host's shared memory", line: "[ -e /dev/shm/$NAME ]", outside: ANYWHERE },
  { what: "the system's programs", line: "[ -w /usr/bin ]", outside: ROOT },
  {
    what: "the host, by the root of a process",
    line: "cat /proc/self/root$HOST_HOME/.ssh/id",
    outside: ANYWHERE,
  },
  {
    what: "the host, by the root of its first process",
    line: "cat /proc/1/root$DATA/marker-secret",
    outside: NOT_EVERYWHERE,
  },
];
