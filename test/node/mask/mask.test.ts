import assert from "node:assert/strict";
import test from "node:test";
import * as fc from "fast-check";
import { createMask, maskThoroughly } from "../../../src/node/mask/mask.ts";

const mask = createMask();

/** Joined here, so that no scanner takes this file for a leak. */
const LETTERS = "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dF3gH5jK7m";
const AWS = ["AKIA", "Q3EGSIZNP2VLX7TB"].join("");
const PEM_BODY = ["MIIEvQIBADANBgkqhkiG9w0BAQEFAASC", "BKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj"];
const PEM = ["-----BEGIN ", "PRIVATE KEY-----\n", PEM_BODY.join("\n"), "\n-----END ", "PRIVATE KEY-----"].join("");

const SECRETS: readonly (readonly [what: string, type: string, text: string, secret: string])[] = [
  ["an AWS access key", "aws-access-key", `id = ${AWS}`, AWS],
  ["a GitHub token", "github-token", `git clone with ghp_${LETTERS.slice(0, 36)} now`, `ghp_${LETTERS.slice(0, 36)}`],
  ["a fine-grained GitHub token", "github-token", `x github_pat_${LETTERS}`, `github_pat_${LETTERS}`],
  ["a GitLab token", "gitlab-token", `glpat-${LETTERS.slice(0, 20)}`, LETTERS.slice(0, 20)],
  ["a Slack token", "slack-token", `xoxb-123456789012-${LETTERS.slice(0, 24)}`, LETTERS.slice(0, 24)],
  [
    "a Slack webhook",
    "slack-webhook",
    `https://hooks.slack.com/services/T00000000/B00000000/${LETTERS.slice(0, 24)}`,
    LETTERS.slice(0, 24),
  ],
  ["an npm token", "npm-token", `//registry/:_authToken=npm_${LETTERS.slice(0, 36)}`, `npm_${LETTERS.slice(0, 36)}`],
  ["an Anthropic key", "anthropic-key", `sk-ant-api03-${LETTERS}`, LETTERS],
  ["a Stripe key", "stripe-key", `sk_live_${LETTERS.slice(0, 24)}`, LETTERS.slice(0, 24)],
  ["an OpenAI key", "openai-key", `key sk-proj-${LETTERS}`, LETTERS],
  ["a Google key", "google-key", `AIza${LETTERS.slice(0, 35)}`, LETTERS.slice(0, 35)],
  ["an Azure account key", "azure-key", `AccountName=a;AccountKey=${LETTERS}${LETTERS}==;`, LETTERS],
  ["a JWT", "jwt", `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.${LETTERS}`, LETTERS],
  ["the password of a URL", "url-password", "postgres://app:s3cr3tPass@db.internal/x", "s3cr3tPass"],
  ["a bearer token", "bearer-token", `"Authorization: Bearer ${LETTERS}"`, LETTERS],
  ["a quoted password", "password", 'const password = "hunter2";', "hunter2"],
  ["a typed password", "password", "private dbPassword: string = 'Tr0ub4dor&3'", "Tr0ub4dor&3"],
  ["a password in JSON", "password", '{"password": "p4ss-w0rd!"}', "p4ss-w0rd!"],
  ["a password in JSON in a string", "password", String.raw`"{\"password\":\"p4ssw0rdX\"}"`, "p4ssw0rdX"],
  ["a password with an escaped quote", "password", String.raw`pwd = "ab1\"tail99"`, "tail99"],
  ["a password that is compared", "password", 'if (password === "hunter2")', "hunter2"],
  ["an API key by name", "api-key", 'api_key: "0123456789abcdef0123456789abcdef"', "0123456789abcdef0123456789abcdef"],
  ["an API key of a .env file", "api-key", `STRANGE_API_KEY=${LETTERS}\nNEXT=1`, LETTERS],
  ["a secret in YAML", "secret", `  client_secret: ${LETTERS} # rotate`, LETTERS],
  ["a secret behind an index", "secret", `os.environ["CLIENT_SECRET"] = "${LETTERS}"`, LETTERS],
  ["a connection string's password", "password", '"Server=x;User Id=sa;Password=Pa55word;"', "Pa55word"],
  ["a private key", "private-key", PEM, PEM_BODY[0] ?? ""],
  ["a private key in one string", "private-key", `k = "${PEM.replaceAll("\n", String.raw`\n`)}"`, PEM_BODY[1] ?? ""],
  ["a private key that is cut off", "private-key", PEM.slice(0, -30), PEM_BODY[1] ?? ""],
  ["a private key in a comment", "private-key", PEM.replaceAll(/^/gm, "# "), PEM_BODY[1] ?? ""],
];

for (const [what, type, text, secret] of SECRETS)
  test(`R1.33: ${what} is masked as ${type}`, () => {
    const masked = mask(text);
    assert.ok(!masked.includes(secret), masked);
    assert.match(masked, new RegExp(String.raw`\[REDACTED:${type}#1\]`));
    assert.equal(masked.split("\n").length, text.split("\n").length);
  });

const HARMLESS: readonly string[] = [
  "const password = readPassword();",
  "password = config.password2;",
  "let password: string;",
  'label: "Password must be at least 8 characters"',
  'password: "password"',
  'placeholder="Enter your password"',
  'const tokenType = "oauth2-bearer-token";',
  'const TOKEN_URL = "https://example.com/oauth2/token";',
  'secretName: "billing-service-tls-2"',
  "const token = tokens[index];",
  "token: Token123 | undefined;",
  "const apiKey = process.env.API_KEY_V2;",
  // The words are a shell's and a template's, not ours.
  "postgres://${user}:${password}@localhost/db",
  'url = "https://user:<password>@host"',
  'export API_KEY="${VAULT_API_KEY_1}"',
  '"integrity": "sha512-9xk3+Zb8m1Q7uN0sV5yT2wE4rA6pL8cJ1hG3fD5kS7aPqWzXeRcVtYbUnMiOlKjHgFdSa=="',
  'checksum = "b4c1a3d5e7f90812b4c1a3d5e7f90812b4c1a3d5e7f90812b4c1a3d5e7f90812"',
  "commit 3f786850e387550fdab836ed7e6dc881de23001b",
  "id: 123e4567-e89b-12d3-a456-426614174000",
  ".sk-fading-circle .sk-circle10:before { }",
  ".sk-cube-grid-delay-animation-2 {}",
  'if (text.includes("-----BEGIN PRIVATE KEY-----")) { return parsePrivateKeyFromPemText(text); }',
  'const HEAD = "-----BEGIN PRIVATE KEY-----";\nconst loadedKeyMaterialFromStore = read(x);\nconst TAIL = "-----END PRIVATE KEY-----";',
  "-----BEGIN CERTIFICATE-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n-----END CERTIFICATE-----",
  "import { createHash } from 'node:crypto'; const AKIA = 1;",
  "Basic authentication is checked by verifyBasicAuthentication",
  "pwd && ls",
  'const PASSWORD_REQUIRED_V2 = "FlowPasswordRequiredResultV2";',
  "npm_config_registry=https://registry.example",
];

for (const text of HARMLESS)
  test(`what is no secret stays as it is: ${text.slice(0, 60).replaceAll("\n", " ")}`, () => {
    assert.equal(mask(text), text);
  });

test("the same secret has the same number, another one the next (R1.33)", () => {
  const other = `ghp_${LETTERS.slice(1, 37)}`;
  const one = `ghp_${LETTERS.slice(0, 36)}`;
  assert.equal(
    mask(`${one} ${other} ${one}`),
    "[REDACTED:github-token#1] [REDACTED:github-token#2] [REDACTED:github-token#1]",
  );
});

test("line numbers stay right: a key of four lines leaves four lines", () => {
  const masked = mask(`before\n${PEM}\nafter`);
  assert.deepEqual(masked.split("\n"), ["before", "[REDACTED:private-key#1]", "", "", "", "after"]);
});

test("masking keeps the number of lines, finds every planted secret and changes nothing the second time", () => {
  const planted = fc.constantFrom(...SECRETS.map(([, , text, secret]) => ({ text, secret })));
  const noise = fc.string({ unit: fc.constantFrom(..."abc1 =:\"'\n\r{}()[];-_/@#`\\".split("")), maxLength: 40 });
  fc.assert(
    fc.property(fc.array(fc.tuple(noise, planted), { maxLength: 4 }), (parts) => {
      const text = parts.map(([before, { text: secret }]) => `${before}\n\n${secret}\n`).join("\n");
      const masked = mask(text);
      assert.equal(masked.split(/\r\n|\n|\r/).length, text.split(/\r\n|\n|\r/).length);
      assert.equal(mask(masked), masked);
    }),
  );
});

test("hostile text of two megabytes is masked in seconds", () => {
  const hostile = ["password=", "-----BEGIN PRIVATE KEY-----\n", "eyJ-", "a://b:", 'token: "', "sk-"].map((part) =>
    part.repeat(Math.floor(300_000 / part.length)),
  );
  const start = performance.now();
  for (const text of hostile) mask(text);
  assert.ok(performance.now() - start < 15_000);
});

test("the thorough mask adds secretlint's rules and goes on counting", async () => {
  const linear = `lin_api_${LETTERS}`;
  const masked = await maskThoroughly(
    `const password = "hunter2";\nconst x = "${linear}";\n// ghp_${LETTERS.slice(0, 36)}`,
  );
  assert.match(masked, /const x = "\[REDACTED:linear#1\]"/);
  assert.match(masked, /\/\/ \[REDACTED:github-token#1\]/);
  assert.match(masked, /password = "\[REDACTED:password#1\]"/);
  assert.equal(masked.split("\n").length, 3);
});

test("a directive in the text does not switch the thorough mask off", async () => {
  const linear = `lin_api_${LETTERS}`;
  assert.ok(!(await maskThoroughly(`// secretlint-disable\n"${linear}"`)).includes(linear));
});
