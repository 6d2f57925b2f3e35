import type { Edited, ProcessDocument } from '@runward/engine';
import { lockTemplate } from '../../access/find-template.ts';
import type { RequestContext } from '../../access/request-context.ts';
import { badRequest, notFound } from '../../api-error.ts';
import { ensureNotArchived, storeDraft } from './change-template.ts';

/**
 * Edits a draft: locks the template, applies the engine's edit, and stores the new draft. Throws, in this order, a 404,
 * a 403, a 404 for the edited part, or a 400, without changing anything. `ensure` checks references to other records,
 * which the engine does not know.
 */
export async function editDraft<Value>(
  context: RequestContext,
  templateId: string,
  edit: (draft: ProcessDocument) => Edited<Value>,
  ensure: () => Promise<void> = async () => {},
): Promise<{ document: ProcessDocument; value: Value }> {
  const template = await lockTemplate(context, templateId);
  const edited = edit(template.draft);
  const rejection = 'rejection' in edited ? edited.rejection : null;
  if (rejection?.reason === 'not_found') throw notFound(rejection.message);
  ensureNotArchived(template);
  if ('rejection' in edited) throw badRequest('validation_failed', asMessages(edited.rejection.message));
  await ensure();

  await storeDraft(context, template, edited.document);
  return edited;
}

/**
 * A message that begins with the path of a field becomes a list with one entry, like the messages about invalid input.
 */
function asMessages(message: string | readonly string[]): string | string[] {
  if (typeof message !== 'string') return [...message];
  return /^[\w.[\]]+: /.test(message) ? [message] : message;
}
