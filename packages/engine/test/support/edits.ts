import type { Edited, EditRefusal, ProcessDocument } from '@runward/engine';
import { frozen } from './documents.ts';

/** The document and the value of an edit; throws where it was refused. */
export function edited<T>(result: Edited<T>): { document: ProcessDocument; value: T } {
  if ('rejection' in result) throw new Error(`Refused: ${result.rejection.message}`);
  return { document: frozen(result.document), value: result.value };
}

/** Why an edit was refused; throws where it was made. */
export function refused(result: Edited<unknown>): EditRefusal {
  if ('rejection' in result) return result.rejection;
  throw new Error('The edit was made, but the test expects a rejection.');
}

/** Makes the ids `new-1`, `new-2`, … */
export function counter(): () => string {
  let count = 0;
  return () => `new-${++count}`;
}
