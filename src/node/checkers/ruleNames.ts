/**
 * Rules of the plugins that ESLint projects use most (typescript-eslint, import, unicorn, react, jsx-a11y, jsdoc, jest,
 * vitest, promise, n, vue, next): a bare name that is one of them was only cited without its plugin.
 */
const PLUGIN_RULES: ReadonlySet<string> = new Set(
  `
    adjacent-overload-signatures alt-text always-return anchor-ambiguous-text anchor-has-content anchor-is-valid
    aria-activedescendant-has-tabindex aria-props aria-proptypes aria-role aria-unsupported-elements array-type
    autocomplete-valid avoid-new await-thenable ban-ts-comment ban-tslint-comment ban-types button-has-type
    callback-return capitalized-calls catch-error-name catch-or-return check-access check-property-names
    check-tag-names checked-requires-onchange-or-readonly class-literal-property-style click-events-have-key-events
    component-definition-name-casing consistent-assert consistent-date-clone consistent-each-for
    consistent-empty-array-spread consistent-existence-index-check consistent-function-scoping
    consistent-generic-constructors consistent-indexed-object-style consistent-return
    consistent-template-literal-escape consistent-test-filename consistent-test-it consistent-type-assertions
    consistent-type-definitions consistent-type-exports consistent-type-imports consistent-type-specifier-style
    consistent-vitest-vi control-has-associated-label custom-error-definition default define-emits-declaration
    define-props-declaration define-props-destructuring display-name dot-notation empty-brace-spaces empty-tags
    error-boundaries error-message escape-case exhaustive-deps exhaustive-effect-dependencies expect-expect
    explicit-function-return-type explicit-length-check explicit-member-accessibility explicit-module-boundary-types
    explicit-timer-delay export exports-last exports-style extensions filename-case first forbid-component-props
    forbid-dom-props forbid-elements forward-ref-uses-ref function-component-definition global-require globals
    google-font-display google-font-preconnect group-exports handle-callback-err heading-has-content
    hoisted-apis-on-top hook-use-state hooks html-has-lang iframe-has-title iframe-missing-sandbox img-redundant-alt
    immutability implements-on-classes import-style incompatible-library inline-script-id interactive-supports-focus
    invariant jsx-boolean-value jsx-curly-brace-presence jsx-filename-extension jsx-fragments jsx-handler-names
    jsx-key jsx-max-depth jsx-no-comment-textnodes jsx-no-constructed-context-values jsx-no-duplicate-props
    jsx-no-jsx-as-prop jsx-no-literals jsx-no-new-array-as-prop jsx-no-new-function-as-prop
    jsx-no-new-object-as-prop jsx-no-script-url jsx-no-target-blank jsx-no-undef jsx-no-useless-fragment
    jsx-pascal-case jsx-props-no-spread-multi jsx-props-no-spreading label-has-associated-control lang
    max-dependencies max-expects max-nested-calls max-nested-describe max-props media-has-caption memo-dependencies
    method-signature-style mouse-events-have-key-events named namespace new-for-builtins newline-after-import
    next-script-for-ga next-tick-style no-absolute-path no-abusive-eslint-disable no-access-key
    no-accessor-recursion no-alias-methods no-amd no-anonymous-default-export no-aria-hidden-on-focusable
    no-array-callback-reference no-array-delete no-array-fill-with-reference-type no-array-for-each
    no-array-index-key no-array-method-this-argument no-array-reduce no-array-reverse no-array-sort
    no-arrow-functions-in-watch no-assign-module-variable no-async-client-component no-async-in-computed-properties
    no-autofocus no-await-expression-member no-await-in-promise-methods no-base-to-string
    no-before-interactive-script-outside-document no-blank-blocks no-callback-in-promise no-children-prop
    no-clone-element no-commented-out-tests no-commonjs no-computed-properties-in-data no-conditional-expect
    no-conditional-in-test no-conditional-tests no-confusing-array-with no-confusing-non-null-assertion
    no-confusing-set-timeout no-confusing-void-expression no-console-spaces no-css-tags no-cycle no-danger
    no-danger-with-children no-default-export no-defaults no-deprecated no-deprecated-data-object-declaration
    no-deprecated-delete-set no-deprecated-destroyed-lifecycle no-deprecated-events-api no-deprecated-functions
    no-deprecated-model-definition no-deprecated-props-default-this no-deprecated-vue-config-keycodes
    no-deriving-state-in-effects no-did-mount-set-state no-did-update-set-state no-direct-mutation-state
    no-disabled-tests no-distracting-elements no-document-cookie no-document-import-in-page no-done-callback
    no-dupe-keys no-duplicate-enum-values no-duplicate-head no-duplicate-hooks no-duplicate-type-constituents
    no-duplicates no-dynamic-delete no-dynamic-require no-empty-file no-empty-interface no-empty-named-blocks
    no-empty-object-type no-explicit-any no-export no-export-in-script-setup no-exports-assign no-expose-after-await
    no-extra-non-null-assertion no-extraneous-class no-find-dom-node no-floating-promises no-focused-tests
    no-for-in-array no-generated-empty-object-type no-head-element no-head-import-in-document no-hex-escape no-hooks
    no-html-link-for-pages no-identical-title no-img-element no-immediate-mutation no-implied-eval
    no-import-compiler-macros no-import-node-test no-import-type-side-effects no-importing-vitest-globals
    no-inferrable-types no-instanceof-array no-instanceof-builtins no-interactive-element-to-noninteractive-role
    no-interpolation-in-snapshots no-invalid-fetch-options no-invalid-remove-event-listener no-invalid-void-type
    no-is-mounted no-jasmine-globals no-large-snapshots no-length-as-slice-end no-lifecycle-after-await no-lonely-if
    no-magic-array-flat-depth no-meaningless-void-operator no-misused-new no-misused-promises no-misused-spread
    no-mixed-enums no-mixed-requires no-mocks-import no-multi-comp no-multiple-resolved no-multiple-slot-args
    no-mutable-exports no-named-as-default no-named-as-default-member no-named-default no-named-export no-namespace
    no-negated-condition no-negation-in-equality-check no-nested-ternary no-nesting no-new-array no-new-buffer
    no-new-require no-new-statics no-nodejs-modules no-non-null-asserted-nullish-coalescing
    no-non-null-asserted-optional-chain no-non-null-assertion no-noninteractive-element-interactions
    no-noninteractive-element-to-interactive-role no-noninteractive-tabindex no-null no-object-as-default-parameter
    no-object-type-as-default-prop no-page-custom-font no-path-concat no-process-env no-process-exit
    no-promise-in-callback no-react-children no-redundant-roles no-redundant-should-component-update
    no-redundant-type-constituents no-relative-parent-imports no-render-return-value no-require-imports
    no-required-prop-with-default no-reserved-component-names no-reserved-keys no-reserved-props
    no-restricted-jest-methods no-restricted-matchers no-restricted-types no-restricted-vi-methods
    no-return-in-finally no-return-wrap no-script-component-in-head no-self-import no-set-state
    no-shared-component-data no-side-effects-in-computed-properties no-single-promise-in-promise-methods
    no-standalone-expect no-static-element-interactions no-static-only-class no-string-refs
    no-styled-jsx-in-document no-sync no-sync-scripts no-test-prefixes no-test-return-statement no-thenable
    no-this-alias no-this-assignment no-this-in-before-route-enter no-this-in-sfc no-title-in-document-head
    no-top-level-await no-typeof-undefined no-typos no-unassigned-import no-unescaped-entities no-unknown-property
    no-unnecessary-array-flat-depth no-unnecessary-array-splice-count no-unnecessary-await
    no-unnecessary-boolean-literal-compare no-unnecessary-condition no-unnecessary-parameter-property-assignment
    no-unnecessary-qualifier no-unnecessary-slice-end no-unnecessary-template-expression
    no-unnecessary-type-arguments no-unnecessary-type-assertion no-unnecessary-type-constraint
    no-unnecessary-type-conversion no-unnecessary-type-parameters no-unneeded-async-expect-function
    no-unreadable-array-destructuring no-unreadable-iife no-unsafe no-unsafe-argument no-unsafe-assignment
    no-unsafe-call no-unsafe-declaration-merging no-unsafe-enum-assignment no-unsafe-enum-comparison
    no-unsafe-function-type no-unsafe-member-access no-unsafe-return no-unsafe-type-assertion no-unsafe-unary-minus
    no-unstable-nested-components no-untyped-mock-factory no-unwanted-polyfillio no-useless-collection-argument
    no-useless-default-assignment no-useless-empty-export no-useless-error-capture-stack-trace
    no-useless-fallback-in-spread no-useless-iterator-to-array no-useless-length-check
    no-useless-promise-resolve-reject no-useless-spread no-useless-switch-case no-useless-undefined no-var-requires
    no-watch-after-await no-webpack-loader-syntax no-will-update-set-state no-wrapper-object-types no-zero-fractions
    non-nullable-type-assertion-style number-literal-case numeric-separators-style only-export-components
    only-throw-error padding-around-after-all-blocks padding-around-test-blocks param-names parameter-properties
    prefer-add-event-listener prefer-array-find prefer-array-flat prefer-array-flat-map prefer-array-index-of
    prefer-array-some prefer-as-const prefer-at prefer-await-to-callbacks prefer-await-to-then
    prefer-bigint-literals prefer-blob-reading-methods prefer-called-exactly-once-with prefer-called-once
    prefer-called-times prefer-called-with prefer-catch prefer-class-fields prefer-classlist-toggle
    prefer-code-point prefer-comparison-matcher prefer-date-now prefer-default-export prefer-default-parameters
    prefer-describe-function-title prefer-dom-node-append prefer-dom-node-dataset prefer-dom-node-remove
    prefer-dom-node-text-content prefer-each prefer-ending-with-an-expect prefer-enum-initializers
    prefer-equality-matcher prefer-es6-class prefer-event-target prefer-expect-assertions prefer-expect-resolves
    prefer-expect-type-of prefer-export-from prefer-find prefer-for-of prefer-function-component
    prefer-function-type prefer-global-this prefer-hooks-in-order prefer-hooks-on-top prefer-import-from-vue
    prefer-import-in-mock prefer-import-meta-properties prefer-importing-jest-globals
    prefer-importing-vitest-globals prefer-includes prefer-jest-mocked prefer-keyboard-event-key
    prefer-literal-enum-member prefer-logical-operator-over-ternary prefer-lowercase-title prefer-math-min-max
    prefer-math-trunc prefer-mock-promise-shorthand prefer-mock-return-shorthand prefer-modern-dom-apis
    prefer-modern-math-apis prefer-module prefer-namespace-keyword prefer-native-coercion-functions
    prefer-negative-index prefer-node-protocol prefer-nullish-coalescing prefer-number-coercion
    prefer-number-properties prefer-object-from-entries prefer-optional-catch-binding prefer-optional-chain
    prefer-promise-reject-errors prefer-prototype-methods prefer-query-selector prefer-readonly
    prefer-readonly-parameter-types prefer-reduce-type-parameter prefer-reflect-apply prefer-regexp-exec
    prefer-regexp-test prefer-response-static-json prefer-return-this-type prefer-set-has prefer-set-size
    prefer-single-call prefer-snapshot-hint prefer-spread prefer-spy-on prefer-strict-boolean-matchers
    prefer-strict-equal prefer-string-raw prefer-string-replace-all prefer-string-slice
    prefer-string-starts-ends-with prefer-string-trim-start-end prefer-structured-clone prefer-tag-over-role
    prefer-ternary prefer-to-be prefer-to-be-falsy prefer-to-be-object prefer-to-be-truthy prefer-to-contain
    prefer-to-have-been-called prefer-to-have-been-called-times prefer-to-have-length prefer-todo
    prefer-top-level-await prefer-ts-expect-error prefer-type-error preserve-manual-memoization
    promise-function-async prop-name-casing purity react-in-jsx-scope refs related-getter-setter-pairs
    relative-url-style require-array-join-separator require-array-sort-compare require-await
    require-awaited-expect-poll require-default-export require-default-prop require-direct-export require-hook
    require-local-test-context-for-concurrent-snapshots require-mock-type-parameters require-module-attributes
    require-module-specifiers require-number-to-fixed-digits-argument require-param require-param-description
    require-param-name require-param-type require-post-message-target-origin require-prop-type-constructor
    require-prop-types require-property require-property-description require-property-name require-property-type
    require-render-return require-returns require-returns-description require-returns-type
    require-slots-as-functions require-test-timeout require-throws-description require-throws-type
    require-to-throw-message require-top-level-describe require-typed-ref require-yields require-yields-description
    require-yields-type restrict-plus-operands restrict-template-expressions return-await
    return-in-computed-property return-in-emits-validator role-has-required-aria-props role-supports-aria-props
    rule-suppression rules-of-hooks scope self-closing-comp set-state-in-effect set-state-in-render spec-only
    state-in-constructor static-components strict-boolean-expressions strict-void-return style-prop-object
    switch-case-braces switch-case-break-position switch-exhaustiveness-check syntax tabindex-no-positive
    text-encoding-identifier-case throw-new-error todo triple-slash-reference unambiguous unbound-method
    unified-signatures unsupported-syntax use-memo use-unknown-in-catch-callback-variable valid-define-emits
    valid-define-options valid-define-props valid-describe-callback valid-expect valid-expect-in-promise
    valid-next-tick valid-params valid-title void-dom-elements-no-children void-use-memo warn-todo
  `
    .trim()
    .split(/\s+/),
);

/** True for the bare name of a rule that a well-known plugin has, in any of its spellings. */
export function pluginHasRule(name: string): boolean {
  return PLUGIN_RULES.has(name.toLowerCase());
}
