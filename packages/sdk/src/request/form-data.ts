import { RunwardError } from '../errors/errors.ts';
import { property } from '../property.ts';

/**
 * A multipart body as a FormData: the fields, and the files with these names. Undefined fields are omitted; an array
 * repeats its field.
 *
 * @throws RunwardError naming a file that is missing or not a Blob, or a field that is not text
 */
export function toFormData(operation: string, files: readonly string[], body: unknown): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(body ?? {})) {
    if (files.includes(name)) continue;
    for (const item of [value].flat()) if (item !== undefined) form.append(name, toText(operation, name, item));
  }
  // Files come last, so that the server can check the fields before it stores a file.
  for (const name of files) {
    const file = property(body, name);
    if (!(file instanceof Blob)) {
      throw new RunwardError(
        `${operation}: \`${name}\` must be a Blob or a File; use openAsBlob of node:fs for a file on disk.`,
      );
    }
    form.append(name, file, file instanceof File ? file.name : name);
  }
  return form;
}

function toText(operation: string, name: string, value: unknown): string {
  if (['string', 'number', 'boolean'].includes(typeof value)) return String(value);
  throw new RunwardError(`${operation}: \`${name}\` must be a string, a number or a boolean.`);
}
