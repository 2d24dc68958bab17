import type { Grammar, Head } from "./grammar.ts";

const COMMON = `
(function_declaration name: (_) @name) @function
(generator_function_declaration name: (_) @name) @function
(method_definition name: (_) @name) @function
(variable_declarator name: (identifier) @name value: [(arrow_function) (function_expression) (generator_function)] @function)
((assignment_expression left: [(identifier) @name (member_expression property: (_) @name)]
  right: [(arrow_function) (function_expression)] @function) (#not-eq? @name "exports"))
(function_expression name: (_) @name) @function
(pair key: (property_identifier) @name value: [(arrow_function) (function_expression)] @function)
(arrow_function parameter: (identifier) @parameter)
[(statement_block) (program) (switch_case) (switch_default) (class_static_block)] @block
[(arrow_function) (function_expression) (generator_function) (ternary_expression) (for_in_statement) (for_statement)
  (while_statement) (do_statement)] @barrier
(binary_expression operator: ["&&" "||" "??"]) @barrier
(if_statement condition: (_) @condition consequence: (_) @then) @branch
(ternary_expression condition: (_) @condition consequence: (_) @then) @branch
(switch_case value: (_) @condition) @arm
(for_statement condition: (_) @condition body: (_) @body) @loop
(while_statement condition: (_) @condition body: (_) @body) @loop
(try_statement body: (_) @try handler: (_) @handler)
(assignment_expression left: (_) @assigned)
(augmented_assignment_expression left: (_) @assigned)
(call_expression function: [(identifier) @callee (member_expression object: (_) @receiver property: (_) @callee)]) @call
(new_expression constructor: [(identifier) @callee (member_expression object: (_) @receiver property: (_) @callee)]) @call
(lexical_declaration "const" (variable_declarator name: (identifier) @name value: (_) @value)) @constant
(export_statement declaration: [(function_declaration name: (_) @exported)
  (generator_function_declaration name: (_) @exported) (class_declaration name: (_) @exported)
  (lexical_declaration (variable_declarator name: (_) @exported))])
(export_specifier name: (_) @exported)
(class_declaration name: (_) @name) @type
(class name: (_) @name) @type
`;
const JSX = `
((jsx_opening_element name: [(identifier) @callee (member_expression object: (_) @receiver property: (_) @callee)]) @call
  (#match? @callee "^[A-Z]"))
((jsx_self_closing_element name: [(identifier) @callee (member_expression object: (_) @receiver property: (_) @callee)]) @call
  (#match? @callee "^[A-Z]"))
`;
const PLAIN = `
(formal_parameters [(identifier) @parameter (assignment_pattern left: (identifier) @parameter)
  (rest_pattern (identifier) @parameter)])
(formal_parameters (object_pattern [(shorthand_property_identifier_pattern) @parameter
  (object_assignment_pattern left: (_) @parameter) (pair_pattern value: (identifier) @parameter)]))
(formal_parameters (assignment_pattern left: (object_pattern [(shorthand_property_identifier_pattern) @parameter
  (object_assignment_pattern left: (_) @parameter) (pair_pattern value: (identifier) @parameter)])))
`;
const TYPED = `
(formal_parameters [(required_parameter pattern: [(identifier) @parameter (rest_pattern (identifier) @parameter)])
  (optional_parameter pattern: (identifier) @parameter)])
(formal_parameters (required_parameter pattern: (object_pattern [(shorthand_property_identifier_pattern) @parameter
  (object_assignment_pattern left: (_) @parameter) (pair_pattern value: (identifier) @parameter)])))
(public_field_definition name: (_) @name value: [(arrow_function) (function_expression)] @function)
(enum_assignment name: (_) @name value: (_) @value) @constant
(export_statement declaration: (abstract_class_declaration name: (_) @exported))
[(interface_declaration name: (_) @name) (enum_declaration name: (_) @name) (abstract_class_declaration name: (_) @name)
  (type_alias_declaration name: (_) @name) (internal_module name: (_) @name)] @type
`;

const isPublic = ({ name, text, exported }: Head): boolean =>
  exported && !/\b(?:private|protected)\b/.test(text) && !name.startsWith("#");

export const TYPESCRIPT: Grammar = {
  language: "TypeScript",
  extensions: ["ts", "mts", "cts"],
  wasm: "tree-sitter-typescript",
  query: COMMON + TYPED,
  public: isPublic,
};

export const TSX: Grammar = {
  language: "TSX",
  extensions: ["tsx"],
  wasm: "tree-sitter-tsx",
  query: COMMON + TYPED + JSX,
  public: isPublic,
};

export const JAVASCRIPT: Grammar = {
  language: "JavaScript",
  extensions: ["js", "mjs", "cjs", "jsx"],
  wasm: "tree-sitter-javascript",
  query: COMMON + PLAIN + JSX,
  // A CommonJS module exports by assignment, which takes many shapes.
  public: ({ name, exported }) => (exported && !name.startsWith("#") ? true : null),
};
