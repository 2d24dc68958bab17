import type { Grammar } from "./grammar.ts";

export const RUST: Grammar = {
  language: "Rust",
  extensions: ["rs"],
  wasm: "tree-sitter-rust",
  query: `
(function_item name: (_) @name) @function
(let_declaration pattern: (identifier) @name value: (closure_expression) @function)
(parameters [(parameter pattern: (identifier) @parameter) (parameter pattern: (mut_pattern (identifier) @parameter))
  (self_parameter (self) @parameter)])
(closure_parameters (identifier) @parameter)
[(block) (source_file) (declaration_list)] @block
[(closure_expression) (for_expression) (while_expression) (loop_expression)] @barrier
(binary_expression operator: ["&&" "||"]) @barrier
(if_expression condition: (_) @condition consequence: (_) @then) @branch
(let_declaration value: (_) @condition alternative: (_) @then) @branch
(match_arm pattern: (_) @condition) @arm
(while_expression condition: (_) @condition body: (_) @body) @loop
(for_expression value: (range_expression) @condition body: (_) @body) @loop
(assignment_expression left: (_) @assigned)
(call_expression function: [(identifier) @callee (field_expression value: (_) @receiver field: (_) @callee)
  (scoped_identifier path: (_) @receiver name: (_) @callee) (generic_function function: (identifier) @callee)]) @call
(macro_invocation macro: (identifier) @callee) @call
[(const_item name: (_) @name value: (_) @value) (enum_variant name: (_) @name value: (_) @value)] @constant
(static_item name: (_) @name value: (_) @value) @variable
(impl_item type: [(type_identifier) @name (generic_type type: (_) @name)]) @scope
[(struct_item name: (_) @name) (enum_item name: (_) @name) (trait_item name: (_) @name) (mod_item name: (_) @name)] @type
`,
  constant: /^(?!.*\bmut\b)/s,
  public: ({ text }) => /\bpub\b/.test(text),
};
