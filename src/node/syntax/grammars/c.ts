import type { Grammar } from "./grammar.ts";

const COMMON = `
(function_definition declarator: (function_declarator declarator: (identifier) @name)) @function
(function_definition declarator: (_ (function_declarator declarator: (identifier) @name))) @function
(function_declarator parameters: (parameter_list (parameter_declaration declarator: [(identifier) @parameter
  (pointer_declarator declarator: (identifier) @parameter) (array_declarator declarator: (identifier) @parameter)
  (pointer_declarator declarator: (pointer_declarator declarator: (identifier) @parameter))])))
[(compound_statement) (translation_unit) (case_statement)] @block
[(for_statement) (while_statement) (do_statement) (conditional_expression)] @barrier
(binary_expression operator: ["&&" "||"]) @barrier
(if_statement condition: (_) @condition consequence: (_) @then) @branch
(conditional_expression condition: (_) @condition consequence: (_) @then) @branch
(case_statement value: (_) @condition) @arm
(for_statement condition: (_) @condition body: (_) @body) @loop
(while_statement condition: (_) @condition body: (_) @body) @loop
(assignment_expression left: (_) @assigned)
(call_expression function: [(identifier) @callee (field_expression argument: (_) @receiver field: (_) @callee)]) @call
(preproc_def name: (_) @name value: (_) @value) @constant
(enumerator name: (_) @name value: (_) @value) @constant
(declaration declarator: (init_declarator declarator: (identifier) @name value: (_) @value)) @variable
(struct_specifier name: (type_identifier) @name body: (_)) @type
(enum_specifier name: (type_identifier) @name body: (_)) @type
`;
const CLASSES = `
(function_definition declarator: (function_declarator declarator: [(field_identifier) (destructor_name) (operator_name)] @name)) @function
(function_definition declarator: (_ (function_declarator declarator: [(field_identifier) (operator_name)] @name))) @function
(function_definition declarator: (function_declarator declarator: (qualified_identifier scope: (_) @owner name: (_) @name))) @function
(function_definition declarator: (_ (function_declarator declarator: (qualified_identifier scope: (_) @owner name: (_) @name)))) @function
(function_declarator parameters: (parameter_list [
  (parameter_declaration declarator: (reference_declarator (identifier) @parameter))
  (optional_parameter_declaration declarator: (identifier) @parameter)]))
[(lambda_expression) (for_range_loop)] @barrier
(try_statement body: (_) @try (catch_clause) @handler)
(call_expression function: (qualified_identifier scope: (_) @receiver name: (_) @callee)) @call
(new_expression type: (_) @callee) @call
(class_specifier name: (_) @name body: (_)) @type
(namespace_definition name: (_) @name) @type
`;

export const C: Grammar = {
  language: "C",
  extensions: ["c", "h"],
  wasm: "tree-sitter-c",
  query: COMMON,
  constant: /\bconst\b/,
  public: ({ text }) => !/\bstatic\b/.test(text),
};

export const CPP: Grammar = {
  language: "C++",
  extensions: ["cpp", "cc", "cxx", "hpp", "hh", "hxx"],
  wasm: "tree-sitter-cpp",
  query: COMMON + CLASSES,
  constant: /\bconst(?:expr)?\b/,
  // Inside a class it depends on the section, which stands apart from the function.
  public: ({ text, owner }) => (owner === null ? !/\bstatic\b/.test(text) : null),
};
