import { contract, type Response } from '@runward/contract';
import { html, type Child } from '../../html.ts';
import { consolePaths } from '../../paths.ts';
import { call } from '../call.ts';
import type { ConsoleRequest, ConsoleView } from '../console-page.ts';
import { chosenPage, nextPageLink } from '../next-page.ts';
import { renderTable } from '../table.ts';
import { timeTag } from '../time-tag.ts';

/** A key as it is listed. */
export type ApiKey = Response<typeof contract.apiKeys.list>['data'][number];

/** The active keys of the organization, newest first. */
export async function listKeys(request: ConsoleRequest): Promise<ConsoleView> {
  const { api, formats } = request;
  const { data, nextCursor } = await call(api, contract.apiKeys.list, { query: chosenPage(request) });
  const main = html`<p class="lead">Programs use a key to act as the member who created it.</p>
    <p><a class="button" href="${consolePaths.keys}/new">Create a key</a></p>
    ${
      data.length === 0
        ? html`<p class="empty">There is no key yet. Create one for each program, so that you can revoke it alone.</p>`
        : renderTable({
            caption: 'API keys',
            columns: ['Name', 'Key', 'Scopes', 'Last used', 'Expires', 'Action'],
            rows: data.map((key) => row(request, key)),
          })
    }
    ${nextPageLink(request, nextCursor)}
    <p class="note">Times are in ${formats.timeZone}.</p>`;
  return { title: 'API keys', section: 'keys', main };
}

function row({ formats }: ConsoleRequest, key: ApiKey): Child[] {
  const { id, name, keyPrefix, scopes, status, lastUsedAt, expiresAt } = key;
  return [
    html`${name}${status === 'REVOKED' && html` <span class="badge">Does not work: its member is deactivated</span>`}`,
    html`<code>${keyPrefix}</code>`,
    scopes.join(', '),
    lastUsedAt === null ? 'Never' : timeTag(formats, lastUsedAt),
    expiresAt === null ? 'Never' : timeTag(formats, expiresAt),
    html`<a href="${consolePaths.keys}/${id}/revoke">Revoke<span class="only-read"> ${name}</span></a>`,
  ];
}
