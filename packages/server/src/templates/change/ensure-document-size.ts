import { jsonBytes, type ProcessDocument } from '@runward/engine';
import type { RequestContext } from '../../access/request-context.ts';
import { badRequest } from '../../api-error.ts';

/** Throws a 400 if a document is larger than the limit and larger than the one that it replaces. */
export function ensureDocumentSize(
  { ports }: Pick<RequestContext, 'ports'>,
  document: ProcessDocument,
  before?: ProcessDocument,
): void {
  const { documentBytes } = ports.limits;
  const bytes = jsonBytes(document);
  if (bytes <= documentBytes || (before && bytes <= jsonBytes(before))) return;
  throw badRequest(
    'size_exceeded',
    `The draft would take ${bytes} bytes as JSON, but a draft can take at most ${documentBytes}; shorten its texts, ` +
      'remove parts of it, or divide it into several templates.',
  );
}
