import type { Edited, ProcessDocument } from '@runward/engine';
import type { Scene } from '../api/handler.ts';
import { badRequest, notFound } from '../fault.ts';
import { ensureNotArchived, storeDraft } from './change-template.ts';
import { lockTemplate } from './reach-template.ts';

/**
 * Makes one edit of a draft: locks the template, lets the engine edit, stores the new draft. Throws a 404, 403, 404 for the part
 * or 400, in this order, and then nothing has changed. `ensure` checks what the engine cannot know: other records.
 */
export async function editDraft<Value>(
  scene: Scene,
  templateId: string,
  edit: (draft: ProcessDocument) => Edited<Value>,
  ensure: () => Promise<void> = async () => {},
): Promise<{ document: ProcessDocument; value: Value }> {
  const template = await lockTemplate(scene, templateId);
  const edited = edit(template.draft);
  const refusal = 'refusal' in edited ? edited.refusal : null;
  if (refusal?.reason === 'not_found') throw notFound(refusal.message);
  ensureNotArchived(template);
  if ('refusal' in edited) throw badRequest(asMessages(edited.refusal.message));
  await ensure();

  await storeDraft(scene, template, edited.document);
  return edited;
}

/** A sentence that begins with the path of a field is a list of one, like the messages about malformed input. */
function asMessages(message: string): string | string[] {
  return /^[\w.]+: /.test(message) ? [message] : message;
}
