/** The version of this package, as `runward --version` prints it. A test compares it with package.json. */
export const version = '0.1.0';
