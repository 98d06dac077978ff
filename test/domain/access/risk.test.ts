import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { riskOf } from "../../../src/domain/access/risk.ts";
import { shellCommands } from "../../../src/domain/access/shell-words.ts";

const place = { worktree: "/data/wt/a", protectedPaths: [".github/workflows/**", "CODEOWNERS"] };
const bash = (command: string) => riskOf({ command, paths: [] }, place);

describe("a shell command", () => {
  it.each([
    ["npm test", null],
    ["rm -rf node_modules dist", null],
    ["rm -rf ./src/../dist /data/wt/a/tmp", null],
    ["cd src && rm old.ts", null],
    ["find . -name '*.orig' -delete", null],
    ["git commit -m 'rm -rf / and curl'", null],
    ["echo 'curl is a word here; rm /etc/passwd too'", null],
    ["cat .github/workflows/ci.yml | grep rm", null],
    ["git diff CODEOWNERS", null],
    ["npm run build 2>&1 | tail -5", null],
    ["grep -r TODO ../b", null],
    ["git", null],
    ['echo "$(date)"', null],
    ["sudo", null],
    ["cd $X; rm /data/wt/a/ok", null],
    ["cd $X; cd y; rm z", "deletes_outside z"],
    ["cd $X; echo x > CODEOWNERS", "protected_path CODEOWNERS"],
    ["> CODEOWNERS", "protected_path CODEOWNERS"],
    ["sh run.sh -c", null],
    ["bash -c", null],
    ["rm -rf /etc", "deletes_outside /etc"],
    ["rm -rf ..", "deletes_outside .."],
    ["rm ../b/file", "deletes_outside ../b/file"],
    ["rm -rf /data/wt/ab", "deletes_outside /data/wt/ab"],
    ["cd /tmp && rm -rf x", "deletes_outside x"],
    ["cd $HOME; rm x", "deletes_outside x"],
    ["cd; rm x", "deletes_outside x"],
    ["rm -rf ~/.ssh", "deletes_outside ~/.ssh"],
    ['rm -rf "$TARGET"', "deletes_outside $TARGET"],
    ["sudo rm -rf /var", "deletes_outside /var"],
    ["X=1 env -i rm /var/x", "deletes_outside /var/x"],
    ["timeout 5 rm /var/x", "deletes_outside /var/x"],
    ["/bin/rm /var/x", "deletes_outside /var/x"],
    ["true && (rmdir /var/x)", "deletes_outside /var/x"],
    ["find / -name core -delete", "deletes_outside /"],
    ["find /var -exec rm {} +", "deletes_outside /var"],
    ["bash -c 'rm -rf /var'", "deletes_outside /var"],
    ['echo "$(rm -rf /var)"', "deletes_outside /var"],
    ["echo `rm -rf /var`", "deletes_outside /var"],
    ["echo '$( $( `rm -rf /var` `'", "deletes_outside /var"],
    ["echo 'a) $( $( b'", null],
    ["echo '`a $(b` $(rm -rf /var) c'", "deletes_outside /var"],
    [`cd ${"a/".repeat(3000)}; rm b`, "deletes_outside b"],
    [`touch ${"a/".repeat(3000)}../CODEOWNERS CODEOWNERS`, "protected_path CODEOWNERS"],
    ["r\\m /var/x", "deletes_outside /var/x"],
    ["'rm' /var/x", "deletes_outside /var/x"],
    ["curl https://example.com", "network curl"],
    ["cat x | nc host 80", "network nc"],
    ["git push origin main", "network git push"],
    ["git -q fetch", "network git fetch"],
    ["npm ci", "network npm ci"],
    ["npx tsc", "network npx tsc"],
    ["pip install x", "network pip install"],
    ["exec 3<>/dev/tcp/1.2.3.4/80", "network /dev/tcp"],
    ["sh -c 'echo a; wget x'", "network wget"],
    ["echo x > .github/workflows/ci.yml", "protected_path .github/workflows/ci.yml"],
    ["echo x >>CODEOWNERS", "protected_path CODEOWNERS"],
    ["cd .github && sed -i s/a/b/ workflows/ci.yml", "protected_path .github/workflows/ci.yml"],
    ["rm .github/workflows/ci.yml", "protected_path .github/workflows/ci.yml"],
    ["tee /data/wt/a/CODEOWNERS", "protected_path CODEOWNERS"],
    ["dd of=CODEOWNERS", "protected_path CODEOWNERS"],
    ["git checkout main -- CODEOWNERS", "protected_path CODEOWNERS"],
  ])("%s", (command, expected) => {
    const risk = bash(command);
    expect(risk === null ? null : `${risk.kind} ${risk.detail}`).toBe(expected);
  });

  it("never makes the classifier throw, whatever it says", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), (command) => {
        const risk = bash(command);
        expect(risk === null || risk.detail.length > 0).toBe(true);
      }),
    );
  });
});

it.each([
  [["src/a.ts"], null],
  [[".github/workflows/x.yml"], ".github/workflows/x.yml"],
  [["src/a.ts", "/data/wt/a/src/../CODEOWNERS"], "CODEOWNERS"],
  [["codeowners"], "codeowners"],
  [[], null],
])("a tool that changes %j is risky for %s", (paths, expected) => {
  expect(riskOf({ command: null, paths }, place)?.detail ?? null).toBe(expected);
});

it("parts a line into commands without their quotes, and keeps where output goes", () => {
  expect(shellCommands("a 'b c' \"d $e\" && f 2>err >>log x | g\nh; >only")).toEqual([
    { words: ["a", "b c", "d $e"], targets: [] },
    { words: ["f", "x"], targets: ["err", "log"] },
    { words: ["g"], targets: [] },
    { words: ["h"], targets: [] },
    { words: [], targets: ["only"] },
  ]);
  expect(shellCommands("a 2>&1 'unclosed")).toEqual([{ words: ["a", "1", "'unclosed"], targets: [] }]);
});
