import type { ProcessDocument } from '../process.ts';

const maximumLength = 64;

/** The keys of all fields of a document. */
export function fieldKeys(document: ProcessDocument): Set<string> {
  return new Set(document.tasks.flatMap((task) => task.fields.map((field) => field.key)));
}

/**
 * Makes a key from a name: `Größe (cm)` becomes `grosse_cm`. `kind` comes first if the name begins with a digit, and
 * alone if it has no letter or digit.
 */
export function keyFrom(label: string, kind = 'field', separator: '_' | '-' = '_'): string {
  const folded = label.replaceAll(/ß/gi, 'ss').normalize('NFKD').replaceAll(/\p{M}/gu, '');
  const words = folded.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const first = words[0] ?? '';
  const key = (/^[a-z]/.test(first) ? words : [kind, ...words]).join(separator);
  return key.slice(0, maximumLength).replace(/[_-]$/, '');
}

/** The key if it is free, otherwise the key with the first free number: `size_2`, `size_3`, … */
export function freeKey(key: string, taken: Pick<ReadonlySet<string>, 'has'>, separator: '_' | '-' = '_'): string {
  let free = key;
  for (let number = 2; taken.has(free); number += 1) {
    const suffix = `${separator}${number}`;
    free = key.slice(0, maximumLength - suffix.length) + suffix;
  }
  return free;
}
