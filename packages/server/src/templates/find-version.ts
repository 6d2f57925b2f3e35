import type { RequestContext } from '../access/request-context.ts';
import { found } from '../api-error.ts';
import { TemplateVersion } from './entities/template-version.ts';

/** A version of a template, without its document. The caller must have found the template. Throws a 404. */
export async function findVersion(
  { em, actor: { organizationId } }: Pick<RequestContext, 'em' | 'actor'>,
  templateId: string,
  id: string,
): Promise<Omit<TemplateVersion, 'document'>> {
  return found(await em.findOne(TemplateVersion, { organizationId, templateId, id }), 'Version');
}
