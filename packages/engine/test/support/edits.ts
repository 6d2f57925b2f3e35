import type { Edited, EditRejection, ProcessDocument } from '@runward/engine';
import { frozen } from './documents.ts';

/** The document and the value of an edit. Throws if it was rejected. */
export function edited<T>(result: Edited<T>): { document: ProcessDocument; value: T } {
  if ('rejection' in result) throw new Error(`The edit was rejected: ${result.rejection.message}`);
  return { document: frozen(result.document), value: result.value };
}

/** The rejection of an edit. Throws if it was accepted. */
export function rejectionOf(result: Edited<unknown>): EditRejection {
  if ('rejection' in result) return result.rejection;
  throw new Error('The edit was accepted, but the test expects a rejection.');
}

/** Returns a function that makes the ids `new-1`, `new-2`, … */
export function counter(): () => string {
  let count = 0;
  return () => `new-${++count}`;
}
