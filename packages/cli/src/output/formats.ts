/** The formats of `-o`. */
export const formats = ['table', 'json', 'jsonl', 'csv'] as const;

/** A format of `-o`. */
export type Format = (typeof formats)[number];
