import type { Edited, ProcessDocument } from '@runward/engine';
import type { RequestContext } from '../access/request-context.ts';
import { badRequest, notFound } from '../api-error.ts';
import { ensureNotArchived, storeDraft } from './change-template.ts';
import { lockTemplate } from './find-template.ts';

/**
 * Makes one edit of a draft: locks the template, lets the engine edit, stores the new draft. Throws a 404, 403, 404 for the part
 * or 400, in this order, and then nothing has changed. `ensure` checks what the engine cannot know: other records.
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
  if ('rejection' in edited) throw badRequest(asMessages(edited.rejection.message));
  await ensure();

  await storeDraft(context, template, edited.document);
  return edited;
}

/** A sentence that begins with the path of a field is a list of one, like the messages about malformed input. */
function asMessages(message: string): string | string[] {
  return /^[\w.]+: /.test(message) ? [message] : message;
}
