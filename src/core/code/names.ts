const KEYWORDS = new Set(
  (
    "abstract and any as assert async await bool boolean break case catch char class const continue def default delete do double elif else enum " +
    "except export extends false finally float fn for from func function global if impl implements import in instanceof int interface is " +
    "lambda let long match mut namespace new nil None nonlocal not null number object of or override package pass private protected " +
    "public raise readonly return self short static string struct super switch this throw true True False try type typeof undefined unknown use " +
    "val var void while with yield"
  ).split(" "),
);

/** True for a word that some language keeps for itself and that is no name there. */
export function isKeyword(word: string): boolean {
  return KEYWORDS.has(word);
}

/** Identifiers in code without comments and strings, each once, keywords left out; members behind a dot only with `members`. */
export function namesIn(code: string, members: boolean): string[] {
  const pattern = members ? /[A-Za-z_$][\w$]*/g : /(?<![.\w$])[A-Za-z_$][\w$]*/g;
  return [...new Set(Array.from(code.matchAll(pattern), ([name]) => name))].filter((name) => !KEYWORDS.has(name));
}
