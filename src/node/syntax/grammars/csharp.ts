import type { Grammar } from "./grammar.ts";

export const CSHARP: Grammar = {
  language: "C#",
  extensions: ["cs"],
  wasm: "tree-sitter-c-sharp",
  query: `
[(method_declaration name: (_) @name) (constructor_declaration name: (_) @name)
  (local_function_statement name: (_) @name)
  (property_declaration name: (_) @name accessors: (accessor_list (accessor_declaration body: (_))))
  (property_declaration name: (_) @name value: (arrow_expression_clause))] @function
(parameter_list (parameter name: (_) @parameter))
[(block) (compilation_unit) (switch_section) (declaration_list)] @block
[(lambda_expression) (anonymous_method_expression) (conditional_expression) (for_statement) (while_statement)
  (do_statement) (foreach_statement)] @barrier
(binary_expression operator: ["&&" "||" "??"]) @barrier
(if_statement condition: (_) @condition consequence: (_) @then) @branch
(conditional_expression condition: (_) @condition consequence: (_) @then) @branch
(switch_section . (_) @condition) @arm
(for_statement condition: (_) @condition body: (_) @body) @loop
(while_statement condition: (_) @condition body: (_) @body) @loop
(try_statement body: (_) @try (catch_clause) @handler)
(assignment_expression left: (_) @assigned)
(invocation_expression function: [(identifier) @callee (generic_name . (identifier) @callee)
  (member_access_expression expression: (_) @receiver
    name: [(identifier) @callee (generic_name . (identifier) @callee)])
  (conditional_access_expression condition: (_) @receiver (member_binding_expression name: (_) @callee))]) @call
(object_creation_expression type: (_) @callee) @call
(enum_member_declaration name: (_) @name value: (_) @value) @constant
[(field_declaration (variable_declaration (variable_declarator name: (_) @name (_) @value)))
  (local_declaration_statement (variable_declaration (variable_declarator name: (_) @name (_) @value)))] @variable
[(class_declaration name: (_) @name) (interface_declaration name: (_) @name) (struct_declaration name: (_) @name)
  (record_declaration name: (_) @name) (enum_declaration name: (_) @name)] @type
`,
  constant: /\b(?:const|readonly)\b/,
  public: ({ text }) => /\bpublic\b/.test(text),
};
