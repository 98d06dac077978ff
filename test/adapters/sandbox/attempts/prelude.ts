/** Words that the attempts use, in shell. Each ends with 0 when it got through, and soon in any case. */
export const PRELUDE = String.raw`
tcp() { perl -MIO::Socket::INET -e 'exit(IO::Socket::INET->new(PeerAddr => $ARGV[0], PeerPort => $ARGV[1], Timeout => 2) ? 0 : 1)' "$1" "$2"; }
tcp6() { perl -MSocket=:all -e 'alarm 2; socket(S, AF_INET6, SOCK_STREAM, 0); exit(connect(S, pack_sockaddr_in6($ARGV[1], inet_pton(AF_INET6, $ARGV[0]))) ? 0 : 1)' "$1" "$2"; }
unix() { perl -MSocket -e '$p = $ARGV[0]; $p =~ s/^\\0/\0/; socket(S, AF_UNIX, SOCK_STREAM, 0); exit(connect(S, pack_sockaddr_un($p)) ? 0 : 1)' "$1"; }
through() { perl -MIO::Socket::INET -e 'alarm 5; $s = IO::Socket::INET->new("127.0.0.1:3128") or exit 1; $t = $ARGV[0]; $t =~ s/\\r/\r/g; $t =~ s/\\n/\n/g; print $s $t; $s->flush; while (<$s>) { exit 0 if m{^HTTP/1.1 200 } } exit 1' "$1"; }
`;
