import type { Grammar } from "./grammar.ts";

export const PHP: Grammar = {
  language: "PHP",
  extensions: ["php"],
  wasm: "tree-sitter-php",
  query: `
[(function_definition name: (_) @name) (method_declaration name: (_) @name)] @function
(assignment_expression left: (variable_name (name) @name) right: [(anonymous_function) (arrow_function)] @function)
(formal_parameters [(simple_parameter name: (variable_name (name) @parameter))
  (variadic_parameter name: (variable_name (name) @parameter))
  (property_promotion_parameter name: (variable_name (name) @parameter))])
[(compound_statement) (program) (case_statement) (default_statement) (declaration_list)] @block
[(anonymous_function) (arrow_function) (conditional_expression) (for_statement) (while_statement) (do_statement)
  (foreach_statement)] @barrier
(binary_expression operator: ["&&" "||" "??" "and" "or"]) @barrier
(if_statement condition: (_) @condition body: (_) @then) @branch
(else_if_clause condition: (_) @condition body: (_) @then) @branch
(conditional_expression condition: (_) @condition body: (_) @then) @branch
(case_statement value: (_) @condition) @arm
(for_statement condition: (_) @condition body: (_) @body) @loop
(while_statement condition: (_) @condition body: (_) @body) @loop
(try_statement body: (_) @try (catch_clause) @handler)
(assignment_expression left: (_) @assigned)
(function_call_expression function: [(name) @callee (qualified_name (name) @callee)]) @call
(member_call_expression object: (_) @receiver name: (_) @callee) @call
(nullsafe_member_call_expression object: (_) @receiver name: (_) @callee) @call
(scoped_call_expression scope: (_) @receiver name: (_) @callee) @call
(object_creation_expression [(name) @callee (qualified_name (name) @callee)]) @call
(const_element (name) @name (_) @value) @constant
((function_call_expression function: (name) @define
  arguments: (arguments . (argument (string (string_content) @name)) . (argument (_) @value))) @constant
  (#eq? @define "define"))
[(class_declaration name: (_) @name) (interface_declaration name: (_) @name) (trait_declaration name: (_) @name)
  (enum_declaration name: (_) @name)] @type
`,
  public: ({ text }) => !/\b(?:private|protected)\b/.test(text),
};
