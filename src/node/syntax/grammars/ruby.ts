import type { Grammar } from "./grammar.ts";

export const RUBY: Grammar = {
  language: "Ruby",
  extensions: ["rb", "rake", "gemspec"],
  wasm: "tree-sitter-ruby",
  query: `
[(method name: (_) @name) (singleton_method name: (_) @name)] @function
(method_parameters [(identifier) @parameter (optional_parameter name: (_) @parameter)
  (keyword_parameter name: (_) @parameter) (splat_parameter name: (_) @parameter)
  (hash_splat_parameter name: (_) @parameter) (block_parameter name: (_) @parameter)])
[(body_statement) (block_body) (program) (then) (do) (begin) (else)] @block
[(block) (do_block) (lambda) (conditional) (while) (until) (for)] @barrier
(binary operator: ["&&" "||" "and" "or"]) @barrier
[(if condition: (_) @condition consequence: (_) @then) (unless condition: (_) @condition consequence: (_) @then)
  (elsif condition: (_) @condition consequence: (_) @then)] @branch
[(if_modifier body: (_) @then condition: (_) @condition)
  (unless_modifier body: (_) @then condition: (_) @condition)] @branch
(when pattern: (_) @condition) @arm
[(while condition: (_) @condition body: (_) @body) (until condition: (_) @condition body: (_) @body)] @loop
(begin (rescue) @handler) @try
(body_statement (rescue) @handler) @try
(assignment left: (_) @assigned)
(operator_assignment left: (_) @assigned)
(call !receiver method: (_) @callee) @call
(call receiver: (_) @receiver method: (_) @callee) @call
(assignment left: (constant) @name right: (_) @value) @constant
[(class name: (_) @name) (module name: (_) @name)] @type
`,
};
