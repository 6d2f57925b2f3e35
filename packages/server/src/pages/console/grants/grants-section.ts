import { contract, type Response } from '@runward/contract';
import { html, type Child, type Markup } from '../../html.ts';
import { consolePaths } from '../../paths.ts';
import { call } from '../call.ts';
import type { ConsoleRequest } from '../console-page.ts';
import { select } from '../forms/select.ts';
import { templateNames } from '../template-names.ts';

/** The member or the group that grants are to. */
export type Holder = { readonly userId: string } | { readonly groupId: string };

type Grant = Response<typeof contract.grants.create>;

/** Templates and folders to choose from, and grants that are shown; more of them need the API. */
const maximumChoices = 1_000;
const maximumShown = 200;

/** The templates and folders that are granted to a member or a group, and a form that grants more. */
export async function grantsSection({ api, csrf }: ConsoleRequest, holder: Holder, note: Child): Promise<Markup> {
  const [grants, templates, folders] = await Promise.all([
    call(api, contract.grants.list, { query: { ...holder, limit: maximumShown } }),
    api.templates.list().toArray({ limit: maximumChoices }),
    api.folders.list().toArray({ limit: maximumChoices }),
  ]);
  const ids = grants.data.flatMap(({ templateId }) => templateId ?? []);
  const nameOf = await templateNames({ api }, ids, [...templates, ...folders]);
  const options = [
    ...folders.map(({ id, name }) => ({ value: `folderId:${id}`, text: `Folder: ${name}` })),
    ...templates.map(({ id, name }) => ({ value: `templateId:${id}`, text: `Template: ${name}` })),
  ];
  const holderField = Object.entries(holder).map(
    ([name, id]: [string, string]) => html`<input type="hidden" name="${name}" value="${id}" />`,
  );
  return html`<section aria-labelledby="grants">
    <h2 id="grants">Granted templates and folders</h2>
    ${note}
    ${
      grants.data.length > 0 &&
      html`<ul class="rows">
        ${grants.data.map((grant) => item(html`${csrf}${holderField}`, grant, nameOf))}
      </ul>`
    }
    ${
      options.length === 0
        ? html`<p class="empty">There are no templates and folders yet.</p>`
        : html`<form class="form" method="post" action="${consolePaths.grants}">
            ${csrf}${holderField}
            ${select({ id: 'granted', name: 'granted', label: 'Template or folder', options, value: '', isRequired: true })}
            <div class="actions"><button type="submit" class="quiet">Grant it</button></div>
          </form>`
    }
  </section>`;
}

function item(hidden: Markup, { id, templateId, folderId }: Grant, nameOf: (id: string) => string): Markup {
  const name = nameOf(templateId ?? folderId ?? '');
  const kind = templateId === null ? 'Folder' : 'Template';
  return html`<li>
    <span>${kind}: <bdi>${name}</bdi></span>
    <form method="post" action="${consolePaths.grants}/${id}/revoke">
      ${hidden}
      <button type="submit" class="quiet">Revoke<span class="only-read"> the grant of ${name}</span></button>
    </form>
  </li>`;
}
