/** Shannon entropy of a text's characters, in bits per character. */
export function bitsPerCharacter(value: string): number {
  const counts = new Map<string, number>();
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / value.length) * Math.log2(count / value.length);
  return bits;
}

/** True for text that no person would make up as a name: many different characters, digits among letters or wild case. */
export function looksRandom(value: string): boolean {
  if (value.length < 12 || bitsPerCharacter(value) < 3) return false;
  if (isWords(value)) return false;
  if (/\d/.test(value) && /[A-Za-z]/.test(value)) return true;
  return value.length >= 20 && caseChanges(value) / value.length > 0.3;
}

/** Words joined by `-`, `_`, `.` or case, with at most a number at the end of each: `oauth2-token`, `accessTokenV2`. */
function isWords(value: string): boolean {
  return value.split(/[-_./:]/).every((part) => /^(?:[A-Z]*[a-z]*){0,1}(?:[A-Z][a-z]+)*\d{0,4}$/.test(part));
}

function caseChanges(value: string): number {
  let changes = 0;
  for (let at = 1; at < value.length; at += 1) {
    const before = value.charAt(at - 1);
    const here = value.charAt(at);
    if (/[a-z]/i.test(before) && /[a-z]/i.test(here) && isUpper(before) !== isUpper(here)) changes += 1;
  }
  return changes;
}

function isUpper(letter: string): boolean {
  return letter === letter.toUpperCase();
}
