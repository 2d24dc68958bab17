const SECRET_NAME =
  /(^|_)(KEYS?|APIKEY|TOKENS?|SECRETS?|PASS|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?|AUTH|COOKIES?|PAT|DSN)(_|$)/i;

/**
 * Names of environment variables that look like secrets, to be kept from the worker: it starts other programs, and none
 * of them needs the editor's keys. The model server's own key goes by a message instead (ruling 31).
 */
export function secretNames(environment: Readonly<Record<string, string | undefined>>): string[] {
  return Object.keys(environment).filter((name) => SECRET_NAME.test(name));
}
