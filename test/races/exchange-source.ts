/**
 * Both programs take pairs of paths and exchange each pair until their stdin closes, or for ten minutes. They
 * print one line after the first exchange. Where a partner is gone, they make it anew: `-d` and `-f` say as what.
 */
const USAGE = "exchange -d|-f FIRST LINK TARGET [-d|-f FIRST LINK TARGET]...";

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
  if (count < 5 || (count - 1) % 4) { fputs("${USAGE}\n", stderr); return 2; }
  struct pollfd input = { 0, POLLIN, 0 };
  long exchanged = 0;
  alarm(600);
  for (long round = 0; round % 512 || poll(&input, 1, 0) == 0; round++)
    for (int at = 1; at < count; at += 4) {
      char *first = words[at + 1], *link = words[at + 2], *target = words[at + 3];
      if (syscall(SYS_renameat2, AT_FDCWD, first, AT_FDCWD, link, 2) == 0) {
        if (exchanged++ == 0) { puts("running"); fflush(stdout); }
        continue;
      }
      struct stat found;
      if (lstat(first, &found)) {
        if (!strcmp(words[at], "-d")) mkdir(first, 0755);
        else close(open(first, O_CREAT | O_EXCL | O_WRONLY, 0644));
      }
      if (lstat(link, &found)) (void)!symlink(target, link);
    }
  printf("%ld\n", exchanged);
  return 0;
}
`;

/** The numbers of `renameat2` are those of x86-64 and arm64. */
export const IN_PERL = String.raw`
use strict; use Config; use Fcntl;
die "${USAGE}\n" if @ARGV < 4 || @ARGV % 4;
my $renameat2 = $Config{archname} =~ /x86_64/ ? 316 : 276;
my ($exchanged, $round, $input) = (0, 0, "");
vec($input, 0, 1) = 1;
$| = 1;
alarm 600;
while ($round++ % 512 || !select(my $ready = $input, undef, undef, 0)) {
  for (my $at = 0; $at < @ARGV; $at += 4) {
    my ($kind, $first, $link, $target) = @ARGV[$at .. $at + 3];
    if (syscall($renameat2, -100, $first, -100, $link, 2) == 0) {
      print "running\n" if $exchanged++ == 0;
      next;
    }
    unless (lstat $first) {
      if ($kind eq "-d") { mkdir $first, 0755 }
      else { sysopen(my $made, $first, O_CREAT | O_EXCL | O_WRONLY, 0644) }
    }
    symlink $target, $link unless lstat $link;
  }
}
print "$exchanged\n";
`;
