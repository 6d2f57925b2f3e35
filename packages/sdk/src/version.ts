/** The version of this package, as its user agent states it. A constant, so that bundled programs have it; a test compares it with package.json. */
export const version = '0.1.0';
