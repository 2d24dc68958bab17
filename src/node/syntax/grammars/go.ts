import type { Grammar } from "./grammar.ts";

export const GO: Grammar = {
  language: "Go",
  extensions: ["go"],
  wasm: "tree-sitter-go",
  query: `
(function_declaration name: (_) @name) @function
(method_declaration receiver: (parameter_list (parameter_declaration type: [(type_identifier) @owner
  (pointer_type (type_identifier) @owner) (generic_type type: (_) @owner) (pointer_type (generic_type type: (_) @owner))]))
  name: (_) @name) @function
(short_var_declaration left: (expression_list . (identifier) @name .) right: (expression_list . (func_literal) @function .))
(function_declaration parameters: (parameter_list [(parameter_declaration name: (identifier) @parameter)
  (variadic_parameter_declaration name: (identifier) @parameter)]))
(method_declaration parameters: (parameter_list [(parameter_declaration name: (identifier) @parameter)
  (variadic_parameter_declaration name: (identifier) @parameter)]))
(func_literal parameters: (parameter_list (parameter_declaration name: (identifier) @parameter)))
[(block) (source_file) (expression_case) (type_case) (default_case) (communication_case)] @block
[(func_literal) (for_statement)] @barrier
(binary_expression operator: ["&&" "||"]) @barrier
(if_statement condition: (_) @condition consequence: (_) @then) @branch
(expression_case value: (_) @condition) @arm
(type_case type: (_) @condition) @arm
(for_statement (for_clause condition: (_) @condition) body: (_) @body) @loop
(for_statement . [(binary_expression) (call_expression) (unary_expression)] @condition body: (_) @body) @loop
(assignment_statement left: (_) @assigned)
(call_expression function: [(identifier) @callee (selector_expression operand: (_) @receiver field: (_) @callee)]) @call
(const_spec name: (identifier) @name value: (expression_list . (_) @value .)) @constant
(type_declaration (type_spec name: (_) @name)) @type
`,
  public: ({ name }) => /^\p{Lu}/u.test(name),
};
