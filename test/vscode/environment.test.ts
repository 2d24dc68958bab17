import assert from "node:assert/strict";
import test from "node:test";
import { secretNames } from "../../src/vscode/environment.ts";

test("variables that look like secrets are named, whatever their case", () => {
  const secrets = [
    "OPENAI_API_KEY",
    "GITHUB_TOKEN",
    "npm_config_auth",
    "AWS_SECRET_ACCESS_KEY",
    "DB_PASSWORD",
    "SENTRY_DSN",
    "SSH_AUTH_SOCK",
    "GH_PAT",
  ];
  assert.deepEqual(secretNames(Object.fromEntries(secrets.map((name) => [name, "x"]))), secrets);
});

test("variables that programs need stay", () => {
  const needed = [
    "PATH",
    "HOME",
    "PWD",
    "LANG",
    "TMPDIR",
    "HTTPS_PROXY",
    "NODE_EXTRA_CA_CERTS",
    "KEYBOARD",
    "MONKEY",
    "PATHEXT",
    "AUTHOR",
  ];
  assert.deepEqual(secretNames(Object.fromEntries(needed.map((name) => [name, "x"]))), []);
});
