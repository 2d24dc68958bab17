import { discountComments, normalisePath } from "./citation.ts";
import type { Finding } from "./finding.ts";
import type { Repository } from "./ports.ts";
import type { CheckedCitation } from "./round.ts";

/** Files that say things and do nothing: prose, and what tools and reviewers have reported. */
const SAYS_ONLY = /\.(?:md|mdx|markdown|txt|rst|adoc|asciidoc|org|log|sarif|jsonl|ndjson)$/i;
/** Code that stands on every page: it ends, leaves or goes on, and says nothing of when. */
const HOLLOW =
  /^(?:else|try|return|break|continue|pass|do|finally|begin|end|then|fi|done|esac|endif|default|const|let|var|static|public|private|import|from|if|for|while|switch|case|function|def|class|async|await|null|undefined|none|self|this|true|false)$/i;

/**
 * Takes the force from citations that cannot speak against a claim: comments (R0.38), prose and reports unless the finding is about that very
 * file, the review that the finding is from, and lines that stand on every page. They stay listed, marked as not supporting.
 */
export async function discountIdle(
  citations: readonly CheckedCitation[],
  about: Pick<Finding, "place" | "source"> | undefined,
  repository: Repository,
): Promise<CheckedCitation[]> {
  const code = await discountComments(citations, repository);
  return code.map((citation) => {
    const note = citation.ok ? idleness(citation, about) : null;
    return note === null ? citation : { ...citation, ok: false, note };
  });
}

function idleness(
  { file, quote }: CheckedCitation,
  about: Pick<Finding, "place" | "source"> | undefined,
): string | null {
  if (about !== undefined && file === normalisePath(about.source.path))
    return "That is the review itself: what it says shows nothing about the code.";
  if (SAYS_ONLY.test(file) && file !== about?.place.file)
    return "A text about the code shows nothing about what the code does.";
  const words = quote.match(/[\p{L}\p{N}_$]+/gu) ?? [];
  return words.every((word) => HOLLOW.test(word)) ? "Such a line stands everywhere and shows nothing by itself." : null;
}
