/**
 * The version of this package, for its user agent. A constant, so that bundled programs have it; a test compares it
 * with package.json.
 */
export const version = '0.1.0';
