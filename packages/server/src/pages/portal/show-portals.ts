import { findReadable } from '../../portals/find-readable.ts';
import { html } from '../html.ts';
import type { PageRequest, PageResponse } from '../page.ts';
import { portalsPath, signInPath } from '../paths.ts';
import { plainPage } from '../plain-page.ts';

/**
 * The published portals of the visitor's organization that the visitor may read. Leads strangers to the form for
 * signing in.
 */
export async function showPortals({ em, findVisitor }: PageRequest): Promise<PageResponse> {
  const visitor = await findVisitor();
  if (!visitor) return { redirectTo: signInPath };
  const portals = await findReadable({ em, actor: visitor.actor });
  const main = portals.length === 0 ? html`<p class="note">No portal is open to you.</p>` : list(portals);
  return plainPage({ title: 'Portals', main, visitor });
}

function list(portals: Awaited<ReturnType<typeof findReadable>>) {
  return html`<ul class="portals">
    ${portals.map(
      ({ slug, name, description }) =>
        html`<li>
          <a href="${portalsPath}/${slug}">${name}</a>
          ${description && html`<p class="note">${description}</p>`}
        </li>`,
    )}
  </ul>`;
}
