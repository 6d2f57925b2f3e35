import type { Edited, EditRejection, ProcessDocument } from '@runward/engine';
import { frozen } from './documents.ts';

/** The document and the value of an edit. Throws if it was rejected. */
export function edited<T>(result: Edited<T>): { document: ProcessDocument; value: T } {
  if ('rejection' in result) throw new Error(`The edit was rejected: ${String(result.rejection.message)}`);
  return { document: frozen(result.document), value: result.value };
}

/** The rejection of an edit, with one line for each problem. Throws if it was accepted. */
export function rejectionOf(result: Edited<unknown>): { reason: EditRejection['reason']; message: string } {
  if ('rejection' in result) {
    const { reason, message } = result.rejection;
    return { reason, message: [message].flat().join('\n') };
  }
  throw new Error('The edit was accepted, but the test expects a rejection.');
}

/** Returns a function that makes the ids `new-1`, `new-2`, … */
export function counter(): () => string {
  let count = 0;
  return () => `new-${++count}`;
}
