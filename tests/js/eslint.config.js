// What the dashboard's scripts are held to: modules of a browser, with no name unknown, unused or written over.
import js from "@eslint/js";
import globals from "globals";

/** What iPhones with iOS 15.4 or Firefox 115 do not know, of which the types below say nothing. */
const TOO_NEW = [
  ["MemberExpression[property.name=/^(aria[A-Z]|role$)/]", "Firefox before 119 has no such property: set the attribute."],
  ["Property[key.name=/^aria[A-Z]/]", 'Firefox before 119 has no such property: "aria-…" sets the attribute.'],
  [":matches(Literal[value=/:(has|modal|popover-open)\\b/], TemplateElement[value.raw=/:(has|modal|popover-open)\\b/])", "iOS 15.4 or Firefox 115 throws at this selector."],
  ["CallExpression[optional=false][callee.object.name='AbortSignal']", "iOS before 16 has no such function: call it with ?.()"],
  ["MemberExpression[property.name=/^(requestSubmit|checkVisibility|showPicker|showPopover|groupBy|toSorted|toReversed|toSpliced|withResolvers|canParse|Segmenter)$/]", "iOS 15.4 has no such function."],
];

export default [
  js.configs.recommended,
  {
    files: ["**/*.js"],
    languageOptions: { ecmaVersion: 2022, sourceType: "module", globals: globals.browser },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      curly: ["error", "multi-line"],
      eqeqeq: "error",
      "no-implicit-globals": "error",
      "no-restricted-syntax": ["error", ...TOO_NEW.map(([selector, message]) => ({ selector, message }))],
      "no-shadow": "error",
      "no-unused-vars": ["error", { ignoreRestSiblings: true }],
      "no-var": "error",
      "prefer-const": "error",
    },
  },
];
