import { pathOfUri } from "../uri.ts";

const EXTENSION = /\.[A-Za-z][A-Za-z0-9_+-]{0,11}$/;
const BARE_NAMES =
  /^(?:Dockerfile|Containerfile|Makefile|Jenkinsfile|Gemfile|Rakefile|Procfile|Vagrantfile|Brewfile|LICENSE|README|CODEOWNERS)$/;
// In running text a name counts as a file only with an extension that files of a project have: `req.body` is none.
const OF_PROJECTS =
  /\.(?:[cm]?[jt]sx?|vue|svelte|astro|py[iw]?|ipynb|rb|erb|go|rs|java|kts?|scala|groovy|gradle|cs|fs|vb|cshtml|razor|c|cc|cpp|cxx|h|hh|hpp|hxx|m|mm|swift|php|pl|pm|lua|r|jl|ex|exs|erl|hs|ml|clj|dart|zig|nim|sol|sh|bash|zsh|fish|ps1|bat|cmd|sql|graphql|gql|proto|thrift|tf|tfvars|hcl|ya?ml|json[c5]?|toml|ini|cfg|conf|env|properties|xml|html?|s?css|sass|less|md|mdx|rst|txt|lock|mod|sum|plist|csproj|sln|cmake|dockerfile|tmpl|tpl|hbs|ejs|j2|jinja2?|log)$/i;
const PRODUCTS =
  /^(?:node|vue|next|nuxt|express|react|angular|three|d3|chart|moment|backbone|ember|alpine|discord|web3|ethers|p5|deno|bun)\.js$/i;

/** True for what can only be a file: it has a folder or an extension, no blank beside a folder-less name, and is no number. */
export function isPath(text: string | undefined): text is string {
  if (text === undefined || text === "" || /[|<>"?*\n`（）【】：，、]/.test(text) || /^[\d.:\s]+$/.test(text))
    return false;
  const name = text.slice(Math.max(text.lastIndexOf("/"), text.lastIndexOf("\\")) + 1);
  if (/\s/.test(text)) return EXTENSION.test(name) && /[/\\]/.test(text) && !/[,;]|\s[/\\]|[/\\]\s/.test(text);
  if (
    /^[\w.]+\(.*\)$/.test(text) ||
    /^(?:n\/a|and\/or|i\/o|tcp\/ip|ci\/cd|e\.g\.?|i\.e\.?|v?\d+(?:\.\w+)+)$/i.test(text)
  )
    return false;
  return (
    EXTENSION.test(name) ||
    BARE_NAMES.test(name) ||
    /^\.?[\w@.-]+(?:[/\\][\w@.()[\]$+ -]+)+[/\\]?$/.test(text) ||
    /^\.[\w.-]{2,}$/.test(name)
  );
}

/** True where running text that names this means a file of a project. */
export function isSourceFile(path: string): boolean {
  const name = path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
  if (/^[\w-]+:\/\//.test(path) || PRODUCTS.test(path) || /^\.\w+$/.test(path)) return false;
  return OF_PROJECTS.test(name) || BARE_NAMES.test(name);
}

/** A path as it will stand in a finding. */
export function cleanPath(text: string): string {
  return pathOfUri(text.trim());
}
