import type { Grammar } from "./grammar.ts";

export const PYTHON: Grammar = {
  language: "Python",
  extensions: ["py", "pyi"],
  wasm: "tree-sitter-python",
  query: `
(function_definition name: (_) @name) @function
(assignment left: (identifier) @name right: (lambda) @function)
(parameters [(identifier) @parameter (default_parameter name: (identifier) @parameter)
  (typed_parameter . (identifier) @parameter) (typed_default_parameter name: (identifier) @parameter)
  (list_splat_pattern (identifier) @parameter) (dictionary_splat_pattern (identifier) @parameter)])
(lambda_parameters (identifier) @parameter)
[(block) (module)] @block
[(lambda) (conditional_expression) (boolean_operator) (for_statement) (while_statement) (list_comprehension)
  (set_comprehension) (dictionary_comprehension) (generator_expression)] @barrier
(if_statement condition: (_) @condition consequence: (_) @then) @branch
(elif_clause condition: (_) @condition consequence: (_) @then) @branch
(case_clause (case_pattern) @condition) @arm
(while_statement condition: (_) @condition body: (_) @body) @loop
((for_statement right: (call function: (identifier) @range) @condition body: (_) @body) @loop (#eq? @range "range"))
(try_statement body: (_) @try (except_clause) @handler)
(assert_statement . (_) @condition) @assertion
(assignment left: (_) @assigned)
(augmented_assignment left: (_) @assigned)
(call function: [(identifier) @callee (attribute object: (_) @receiver attribute: (_) @callee)]) @call
(decorator [(identifier) @callee (attribute object: (_) @receiver attribute: (_) @callee)]) @call
((expression_statement (assignment left: (identifier) @name right: (_) @value)) @constant
  (#match? @name "^_*[A-Z][A-Z0-9_]*$"))
(class_definition name: (_) @name) @type
`,
};
