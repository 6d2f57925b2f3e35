import { contract } from '@runward/contract';
import type { User } from '@runward/sdk';
import { html, type Markup } from '../../html.ts';
import { call } from '../call.ts';
import type { ConsoleRequest } from '../console-page.ts';
import { renderTable } from '../table.ts';
import { timeTag } from '../time-tag.ts';

/**
 * The passkeys of a member, with the button that removes them. Nothing if there are none. `path` is that of the member.
 */
export async function passkeySection(
  { api, csrf, formats }: ConsoleRequest,
  { id }: Pick<User, 'id'>,
  path: string,
): Promise<Markup | false> {
  const { data } = await call(api, contract.users.passkeys, { params: { id } });
  if (data.length === 0) return false;
  return html`<section aria-labelledby="passkeys">
    <h2 id="passkeys">Passkeys</h2>
    ${renderTable({
      caption: 'Passkeys of the member',
      columns: ['Name', 'Added', 'Last used'],
      rows: data.map(({ name, createdAt, lastUsedAt }) => [
        name,
        timeTag(formats, createdAt),
        lastUsedAt === null ? 'Never' : timeTag(formats, lastUsedAt),
      ]),
    })}
    <form class="form" method="post" action="${path}/passkeys/remove">
      ${csrf}
      <p class="hint">
        Remove them if a device was lost. The member cannot sign in with them any more, and all their sessions end.
      </p>
      <button type="submit" class="quiet">Remove all passkeys</button>
    </form>
  </section>`;
}
