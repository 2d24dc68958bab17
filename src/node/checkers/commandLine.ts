/** An argument as a POSIX shell would need it, so that a line has one reading only. */
function quoted(argument: string): string {
  return /^[\w@%+=:,./-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", "'\\''")}'`;
}

/** A line break, a control character or one that is not seen would let a line look like another. */
const CONTROL = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{DI}]/u;

/** The line a person reads and accepts; null where the arguments cannot be shown truthfully. */
export function lineOf(argv: readonly string[]): string | null {
  return argv.some((argument) => CONTROL.test(argument)) ? null : argv.map(quoted).join(" ");
}

/** Programs that take code as an argument, raise rights, or only start another program: never from a finding's text. */
const REFUSED =
  /^(?:(?:ba|da|z|k|c|tc|fi|pwsh|power)?sh(?:ell)?|cmd|sudo|su|doas|env|xargs|nohup|setsid|eval|exec|source|ssh|curl|wget|nc|rm|dd|mkfs|chmod|chown|kill)(?:\.exe)?$/i;

/** What a shell would read as more than words. */
const SHELL = /[|&;<>()$`\\*?[\]#~!{}\n\r]|^\w+=/;

/**
 * A finding's reproduction as an argument list without a shell (R3.1). In: one command in words, with single or double
 * quotes around words. Out: the arguments, or why they are refused. Nothing in it is expanded.
 */
export function parseReproduction(text: string): { readonly argv: readonly string[] } | { readonly why: string } {
  const line = text.trim().replace(/^\$\s+/, "");
  if (line === "" || line.length > 1000) return { why: "It is no command of one line." };
  if (CONTROL.test(line)) return { why: "It holds a line break or a control character." };
  const words: string[] = [];
  const word = /\s*(?:'([^']*)'|"([^"$`\\]*)"|([^\s'"]+))(?=\s|$)/y;
  while (word.lastIndex < line.length) {
    const match = word.exec(line);
    if (match === null) return { why: "Its quotes cannot be read without a shell." };
    const [, single, double, bare] = match;
    if (bare !== undefined && SHELL.test(bare)) return { why: `It needs a shell: ${bare.slice(0, 60)}` };
    words.push(single ?? double ?? bare ?? "");
  }
  const [program] = words;
  if (program === undefined || program === "" || program.startsWith("-")) return { why: "It names no program." };
  const name = program.slice(program.lastIndexOf("/") + 1);
  if (REFUSED.test(name)) return { why: `${name} is never run for a finding.` };
  if (program.startsWith("/") || program.split("/").includes(".."))
    return { why: "Its program lies outside of the workspace." };
  return { argv: words };
}
