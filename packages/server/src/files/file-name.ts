import { fileName } from '@runward/contract';
import { badRequest } from '../api-error.ts';

const maximumBytes = 255;

/**
 * The safe base name of a file, from the name that a client sends: without folders, in Unicode normal form C, at most
 * 255 bytes long, with its extension. Throws a 400 for a name with control characters or bidirectional overrides.
 * `path` is where the client sent the name.
 */
export function readFileName(stated: string, path: string): string {
  const { success, error, data } = fileName.safeParse(stated);
  if (!success) throw badRequest(error.issues.map(({ message }) => `${path}: file name ${message}`));
  return baseNameOf(data);
}

/** The same as {@link readFileName}, for a name that was checked. */
export function baseNameOf(stated: string): string {
  const base = (stated.split(/[/\\]/).findLast((part) => part.trim() !== '') ?? '').normalize('NFC').trim();
  // Replaces the names of folders themselves, drive letters, and the characters that Windows drops from the end.
  const safe = base.replaceAll(/[<>:"|?*]/g, '_').replace(/[. ]+$/, '');
  return safe === '' ? 'file' : shortened(safe);
}

function shortened(name: string): string {
  if (Buffer.byteLength(name) <= maximumBytes) return name;
  const extension = /\.\w{1,16}$/.exec(name)?.[0] ?? '';
  let stem = '';
  let bytes = Buffer.byteLength(extension);
  for (const character of name.slice(0, name.length - extension.length)) {
    bytes += Buffer.byteLength(character);
    if (bytes > maximumBytes) break;
    stem += character;
  }
  return stem.trimEnd() + extension;
}

/** Makes names distinct, ignoring case: repeated names get a number, like `scan (2).pdf`. */
export function distinctNames(names: readonly string[]): string[] {
  const taken = new Set<string>();
  const counts = new Map<string, number>();
  return names.map((name) => {
    const extension = /\.\w{1,16}$/.exec(name)?.[0] ?? '';
    const stem = name.slice(0, name.length - extension.length);
    let number = counts.get(name.toLowerCase()) ?? 1;
    let distinct = name;
    while (taken.has(distinct.toLowerCase())) {
      number += 1;
      distinct = `${stem} (${number})${extension}`;
    }
    counts.set(name.toLowerCase(), number);
    taken.add(distinct.toLowerCase());
    return distinct;
  });
}
