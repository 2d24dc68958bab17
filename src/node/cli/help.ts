/** What `--help` prints. */
export const HELP = `Skeptical Triage: decide which findings are real, with evidence.

Usage
  skeptical-triage findings FILE… [--workspace DIR] [--map FROM=TO] [--format text|jsonl]
      What was read from review files (SARIF, markdown tables, bullets and lines), and what was not, with its place.
      --map, as often as needed, says where cited paths lie: FROM is their beginning or a SARIF base id (%SRCROOT%), TO a
      folder of the workspace, empty for its root. The longest beginning wins.

  skeptical-triage triage FILE… [--workspace DIR] [--map FROM=TO] [--all] [--max-findings N]
                   [--model built-in|URL|replay:FILE] [--model-name NAME] [--record FILE]
                   [--budget-tokens N] [--cost-mode normal|p0-only] [--fresh] [--prompt ID=FILE]…
                   [--format text|jsonl|md|sarif] [--out FILE] [--no-log]
                   [--allow-checkers [--accept LINE]… [--remember]]
                   [--strategy rounds|refute|verdict] [--second-opinion] [--untouchable KIND=VALUE]…
      Checks every finding; three rounds and an arbiter for P0 and P1, with --all for every severity.
      The default model is the built-in reviewer: no key, no network. A server is any OpenAI-compatible one; its key is
      read from SKEPTICAL_TRIAGE_API_KEY (OPENAI_API_KEY is used for OpenAI's own host only).
      Results are also written to DIR/.skeptical-triage/triage-log.jsonl, unless --no-log is given.
      A finding whose code stands as it was judged is judged again from what was answered then, without a call; --fresh
      asks anew. --budget-tokens stops asking once N tokens are spent: what is judged stays, the rest is named.
      --cost-mode p0-only leaves P1 unjudged unless --all is given.
      --prompt takes your own file instead of a prompt of ours, by its id (refute, verdict, lens-limits …), from outside of
      DIR; one that would lean the judge is refused with its line, and ours is used. The log names version and hash.
      --allow-checkers lets claims about checkers be held against the checkers themselves (tsc, mypy, ruff, oxlint,
      go vet …): programs found outside of DIR that run no code of it. Whatever would run code of DIR (ESLint with its
      configuration, a tool from its node_modules) is only named; --accept runs exactly that line, with --remember from
      now on in DIR.

    How a finding is judged that checks leave open
      --strategy rounds   three rounds and an arbiter (the default). --visibility sequential|blind: whether a round is told
                          what earlier ones said. --early-stop: no third round where two uphold it; the result says so.
                          --batch-arbiter: one call of the arbiter for several independent findings.
      --strategy refute   blind refuters at the same time, each with a lens of its own. --refuters N (1 to 7, usually 3; one
                          alone is never a verdict). --lens TEXT, as often as needed: your own words instead of our lenses.
                          --loop K: on with fresh lenses until K passes in a row (at least 2) found nothing new. With
                          --format jsonl the last line is the result of the run: survivors, refuted, abstentions, lenses.
      --strategy verdict  a blind second opinion alone. --intent dismiss|confirm|clarify: only dismiss can lead to a
                          dismissal.
      --second-opinion    a blind second opinion besides, always; else only where a P0 or P1 would be proposed for dismissal.
      --untouchable       what the program never closes alone: rule=ID, cwe=NUMBER, path=GLOB, tag=NAME.

  skeptical-triage checks [--workspace DIR] [--format text|jsonl] [--revoke LINE]…
      The checkers that were found, with version and tier, and the lines that are accepted for DIR from now on;
      --revoke takes one back.

  skeptical-triage models --discover
  skeptical-triage models --model URL [--model-name NAME]
      --discover looks for model servers on the usual ports of this machine (Ollama, LM Studio, vLLM, llama.cpp) and lists
      their models; --model URL lists those of one server. With --model-name that model is asked one question that holds
      nothing of yours, and what it can do, or what is wrong, is said in words.

  skeptical-triage gate validate|scan FILE [--workspace DIR]
      The evidence gate for reviews that rank findings CRITICAL, WARNING and INFO: what carries no evidence is taken
      back to INFO. 'scan' reports, 'validate' rewrites FILE and keeps FILE.orig. With --workspace the places the review
      cites are looked up there, and those that do not exist are listed; that changes neither FILE nor the exit code.

  skeptical-triage log verify [--workspace DIR]
      Checks the hash chains of the triage log and names the first broken line.

  skeptical-triage --help | --version

Exit codes of triage (the first that applies: 2, 3, 1, 0)
  0  nothing open at P0 or P1
  1  something is open at P0 or P1: only a person closes it
  2  usage or input error
  3  some finding could not be read or triaged
Exit codes of findings and checks: 0, 2. Of models: 0 found or works, 1 not, 2. Of log verify: 0 intact or no log, 1 broken, 2.
Of gate: 0 something was downgraded, 1 nothing was (or a wrong use), 3 no finding could be read though severities are named.
`;
