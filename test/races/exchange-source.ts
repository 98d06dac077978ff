/**
 * Both programs take pairs of paths and exchange each pair until their stdin closes, or for an hour. After each exchange
 * they write the number of all so far to COUNTER, in eight bytes, and after the first one they print a line. Where a
 * partner is gone, they make it again, the directory of the link too: `-d` and `-f` say as what.
 */
const USAGE = "exchange COUNTER -d|-f FIRST LINK TARGET [-d|-f FIRST LINK TARGET]...";

/** `renameat2` has no wrapper in older C libraries. */
export const IN_C = String.raw`
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
int main(int count, char **words) {
  if (count < 6 || (count - 2) % 4) { fputs("${USAGE}\n", stderr); return 2; }
  struct pollfd input = { 0, POLLIN, 0 };
  long exchanged = 0;
  int counter = open(words[1], O_CREAT | O_WRONLY, 0600);
  alarm(3600);
  for (long round = 0; round % 512 || poll(&input, 1, 0) == 0; round++)
    for (int at = 2; at < count; at += 4) {
      char *first = words[at + 1], *link = words[at + 2], *target = words[at + 3];
      if (syscall(SYS_renameat2, AT_FDCWD, first, AT_FDCWD, link, 2) == 0) {
        exchanged++;
        (void)!pwrite(counter, &exchanged, sizeof exchanged, 0);
        if (exchanged == 1) { puts("running"); fflush(stdout); }
        continue;
      }
      struct stat found;
      if (lstat(first, &found)) {
        if (!strcmp(words[at], "-d")) mkdir(first, 0755);
        else close(open(first, O_CREAT | O_EXCL | O_WRONLY, 0644));
      }
      if (lstat(link, &found) == 0) continue;
      char parent[4096];
      snprintf(parent, sizeof parent, "%.*s", (int)(strrchr(link, '/') - link), link);
      mkdir(parent, 0755);
      (void)!symlink(target, link);
    }
  return 0;
}
`;

/** The numbers of `renameat2` are those of x86-64 and arm64. */
export const IN_PERL = String.raw`
use strict; use Config; use Fcntl;
die "${USAGE}\n" if @ARGV < 5 || @ARGV % 4 != 1;
sysopen(my $counter, shift @ARGV, O_CREAT | O_WRONLY, 0600) or die $!;
my $renameat2 = $Config{archname} =~ /x86_64/ ? 316 : 276;
my ($exchanged, $round, $input) = (0, 0, "");
vec($input, 0, 1) = 1;
$| = 1;
alarm 3600;
while ($round++ % 512 || !select(my $ready = $input, undef, undef, 0)) {
  for (my $at = 0; $at < @ARGV; $at += 4) {
    my ($kind, $first, $link, $target) = @ARGV[$at .. $at + 3];
    if (syscall($renameat2, -100, $first, -100, $link, 2) == 0) {
      $exchanged++;
      sysseek $counter, 0, 0;
      syswrite $counter, pack("q<", $exchanged);
      print "running\n" if $exchanged == 1;
      next;
    }
    unless (lstat $first) {
      if ($kind eq "-d") { mkdir $first, 0755 }
      else { sysopen(my $made, $first, O_CREAT | O_EXCL | O_WRONLY, 0644) }
    }
    next if lstat $link;
    mkdir $link =~ s{/[^/]*\z}{}r, 0755;
    symlink $target, $link;
  }
}
`;
