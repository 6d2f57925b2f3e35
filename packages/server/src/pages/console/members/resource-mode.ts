import { resourceModesOf, type MemberResourceMode } from '@runward/contract';
import type { User } from '@runward/sdk';
import { html, type Child } from '../../html.ts';
import type { ConsoleRequest } from '../console-page.ts';
import { fieldErrors, type FormError } from '../forms/form-errors.ts';
import { select } from '../forms/select.ts';
import { grantsSection } from '../grants/grants-section.ts';
import { memberFields } from './member-fields.ts';

const texts: Readonly<Record<MemberResourceMode, string>> = {
  ALL: 'All templates',
  GRANTED: 'Only what is granted',
  ASSIGNED: 'Only tasks that are theirs',
};

/** Which templates a member has access to, where the role leaves a choice, and what is granted to them. */
export async function resourceModeSection(
  request: ConsoleRequest,
  { id, role, resourceMode }: User,
  path: string,
  errors: readonly FormError[],
): Promise<Child> {
  const modes = resourceModesOf[role];
  if (modes.length === 1) return null;
  const note = html`<p>The member also has access to what is granted to their groups.</p>`;
  return html`<section aria-labelledby="templates">
      <h2 id="templates">Templates and their runs</h2>
      <form class="form" method="post" action="${path}/access">
        ${request.csrf}
        ${select({
          id: 'resourceMode',
          name: 'resourceMode',
          label: memberFields.resourceMode,
          options: modes.map((mode) => ({ value: mode, text: texts[mode] })),
          value: resourceMode,
          error: fieldErrors(errors, 'resourceMode'),
        })}
        <div class="actions"><button type="submit" class="quiet">Save the access</button></div>
      </form>
    </section>
    ${resourceMode === 'GRANTED' && (await grantsSection(request, { userId: id }, note))}`;
}
