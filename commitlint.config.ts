/**
 * Commits follow Conventional Commits, because the version of the next release and its changelog are computed from
 * them.
 */
// oxlint-disable-next-line import/no-default-export -- commitlint reads it.
export default {
  extends: ['@commitlint/config-conventional'],
  // By default, commits like `fixup! ...` are ignored as well.
  defaultIgnores: false,
  ignores: [(message: string) => message.startsWith('Merge ')],
  rules: {
    'scope-case': [2, 'always', 'lower-case'],
    // Summaries begin with names of code, too.
    'subject-case': [0],
    // Lengths are for the reviewer to judge. What is taken for a footer may be a line of the body, like `Before: 3 s`.
    'header-max-length': [0],
    'body-max-line-length': [0],
    'footer-max-line-length': [0],
    'footer-leading-blank': [0],
  },
};
