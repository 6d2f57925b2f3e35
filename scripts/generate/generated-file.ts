/** A file that `npm run generate` writes. A test compares it with this. */
export interface GeneratedFile {
  /** Its path in the repository. */
  readonly path: string;
  /** The code, before formatting and without the line that says it is generated. */
  readonly code: string;
}

/** The entries of an object literal, a line for each. */
export function entries(record: Readonly<Record<string, unknown>>): string {
  return Object.entries(record)
    .map(([key, value]) => `  '${key}': ${JSON.stringify(value)},`)
    .join('\n');
}
