import picomatch from "picomatch";
import * as z from "zod";
import type { Finding } from "../../core/finding.ts";
import type { Untouchable } from "../../protocol/worker.ts";

/** Why a person's settings keep the program from closing a finding alone; null where they do not. Ids and tags are compared without case. */
export function untouchableBy({
  rules = [],
  cwes = [],
  paths = [],
  tags = [],
}: Untouchable): (finding: Finding) => string | null {
  const isPath = picomatch([...paths], { dot: true });
  return ({ rule, cwe, place, citedPath, extra }) => {
    if (rule !== null && listed(rules, rule)) return why(`findings of the rule ${rule}`);
    const number = cwe.find((one) => cwes.includes(Number(/\d+/.exec(one)?.[0])));
    if (number !== undefined) return why(`findings of ${number}`);
    const file = place.file ?? citedPath;
    if (file !== null && paths.length > 0 && isPath(file)) return why(`findings in ${file}`);
    const tag = tagsOf(extra).find((one) => listed(tags, one));
    return tag === undefined ? null : why(`findings with the tag ${tag}`);
  };
}

function listed(list: readonly string[], name: string): boolean {
  return list.some((one) => one.toLowerCase() === name.toLowerCase());
}

function why(what: string): string {
  return `Your settings keep ${what} from being closed by the program alone.`;
}

const Tags = z.array(z.string()).catch([]);

/** Tags as sources give them: on the result, and on its rule. */
function tagsOf(extra: Finding["extra"]): readonly string[] {
  const rule = z.looseObject({ tags: Tags }).safeParse(extra["rule"]);
  return [...Tags.parse(extra["tags"]), ...(rule.success ? rule.data.tags : [])];
}
