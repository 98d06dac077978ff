import { expect, it } from "vitest";
import { withoutSecretArguments } from "../../../src/domain/access/secret-arguments.ts";

it.each([
  ["deploy --token=hunter2 --fast", "deploy --token=[redacted] --fast"],
  ["deploy --token hunter2 x", "deploy --token [redacted] x"],
  ["deploy --api-key='hunter2 hunter2'", "deploy --api-key=[redacted]"],
  ['deploy --db.password "hunter2 \\" hunter2" x', "deploy --db.password [redacted] x"],
  ["java -Dapi.token=hunter2 -jar a.jar", "java -Dapi.token=[redacted] -jar a.jar"],
  ["./seed -p hunter2", "./seed -p [redacted]"],
  ["mysql -uroot -phunter2 shop", "mysql -uroot -p[redacted] shop"],
  ["mysqladmin -p hunter2 ping", "mysqladmin -p [redacted] ping"],
  ["redis-cli -a hunter2 ping", "redis-cli -a [redacted] ping"],
  ['TOKEN=hunter2 API_KEY="hunter2" npm test', "TOKEN=[redacted] API_KEY=[redacted] npm test"],
  ["export DB_PASS=hunter2; npm test", "export DB_PASS=[redacted]; npm test"],
  ["docker run -e 'PGPASSWORD=hunter2' x", "docker run -e 'PGPASSWORD=[redacted]' x"],
  [
    "kubectl create secret --from-literal=token=hunter2",
    "kubectl create secret --from-literal=token=[redacted]",
  ],
  ['curl -H "Authorization: Bearer hunter2" x', 'curl -H "Authorization: [redacted] [redacted]" x'],
  ["curl -H 'X-Api-Key:hunter2' x", "curl -H 'X-Api-Key:[redacted]' x"],
  ["curl -H Authorization:hunter2", "curl -H Authorization:[redacted]"],
  ["curl -u me:hunter2 x", "curl -u me:[redacted] x"],
  ["curl --user 'me:hunter2' x", "curl --user 'me:[redacted]' x"],
  ["psql me:hunter2@db/shop", "psql me:[redacted]@db/shop"],
  [
    "sh -c 'curl -u me:hunter2 x && TOKEN=hunter2 y'",
    "sh -c 'curl -u me:[redacted] x && TOKEN=[redacted] y'",
  ],
  ["curl -ume:hunter2 --proxy-user=me:hunter2 x", "curl -ume:[redacted] --proxy-user=me:[redacted] x"],
  ["curl x?a=1&access_token=hunter2", null],
  ["npm config set //r.example/:_authToken=hunter2", "npm config set //r.example/:_authToken=[redacted]"],
  ["echo '//r.example/:_authToken=hunter2' > .npmrc", null],
  ["msbuild /p:Password=hunter2 x", "msbuild /p:Password=[redacted] x"],
  ["$env:TOKEN='hunter2'", "$env:TOKEN='[redacted]'"],
  [": ${TOKEN:=hunter2} ${TOKEN:-hunter2}", ": ${TOKEN:=[redacted]} ${TOKEN:-[redacted]}"],
  ["TOKEN+=hunter2 x", "TOKEN+=[redacted] x"],
  ["deploy --token \\\n  hunter2 x", "deploy --token \\\n  [redacted] x"],
  [`curl -d '{"password":"hunter2","a":1}' x`, `curl -d '{"password":"[redacted]","a":1}' x`],
  [`curl -d '{"a": 1, "password": "hunter2"}' x`, null],
])("takes the secret out of %s", (line, expected) => {
  const once = withoutSecretArguments(line);
  expect(once).not.toContain("hunter2");
  expect(expected ?? once).toBe(once);
  expect(withoutSecretArguments(once)).toBe(once);
});

it.each([
  "npm ci && npm run build --if-present",
  "tsc -p tsconfig.json --noEmit",
  "mkdir -p build/out",
  "next dev -p 3000",
  "docker run -p 80:80 nginx",
  "cargo test -p shop",
  "PORT=3000 NODE_ENV=test npm start",
  "run --max-tokens 4096 --token-file /run/token --no-auth x",
  'TOKEN=$TOKEN run --token "${TOKEN}" --password $PW',
  "psql -h db -p 5432 -U shop",
  "echo 'it''s fine'; git log --author=me@example.com",
  "postgres -D /tmp/db -c listen_addresses='*'",
  "scp me@host:/a b",
  "an unclosed ' quote \\",
  "a: 1, b: 2",
  "",
])("leaves %s as it is", (line) => {
  expect(withoutSecretArguments(line)).toBe(line);
});
