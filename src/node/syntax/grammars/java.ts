import type { Grammar } from "./grammar.ts";

export const JAVA: Grammar = {
  language: "Java",
  extensions: ["java"],
  wasm: "tree-sitter-java",
  query: `
[(method_declaration name: (_) @name) (constructor_declaration name: (_) @name)
  (compact_constructor_declaration name: (_) @name)] @function
(formal_parameters [(formal_parameter name: (_) @parameter)
  (spread_parameter (variable_declarator name: (_) @parameter))])
[(block) (constructor_body) (program) (switch_block_statement_group) (class_body)] @block
[(lambda_expression) (ternary_expression) (for_statement) (while_statement) (do_statement)
  (enhanced_for_statement)] @barrier
(binary_expression operator: ["&&" "||"]) @barrier
(if_statement condition: (_) @condition consequence: (_) @then) @branch
(ternary_expression condition: (_) @condition consequence: (_) @then) @branch
(switch_block_statement_group (switch_label) @condition) @arm
(switch_rule (switch_label) @condition) @arm
(for_statement condition: (_) @condition body: (_) @body) @loop
(while_statement condition: (_) @condition body: (_) @body) @loop
(try_statement body: (_) @try (catch_clause) @handler)
(try_with_resources_statement body: (_) @try (catch_clause) @handler)
(assert_statement . (_) @condition) @assertion
(assignment_expression left: (_) @assigned)
(method_invocation !object name: (_) @callee) @call
(method_invocation object: (_) @receiver name: (_) @callee) @call
(object_creation_expression type: (_) @callee) @call
[(field_declaration declarator: (variable_declarator name: (_) @name value: (_) @value))
  (local_variable_declaration declarator: (variable_declarator name: (_) @name value: (_) @value))] @variable
[(class_declaration name: (_) @name) (interface_declaration name: (_) @name) (enum_declaration name: (_) @name)
  (record_declaration name: (_) @name)] @type
`,
  constant: /\bfinal\b/,
  public: ({ text }) => /\bpublic\b/.test(text),
};
