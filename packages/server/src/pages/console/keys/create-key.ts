import { contract, scopes, type Response, type Scope } from '@runward/contract';
import { html } from '../../html.ts';
import { consolePaths } from '../../paths.ts';
import { call } from '../call.ts';
import { rejectedFields, type ConsoleRequest, type ConsoleView } from '../console-page.ts';
import { checkBox } from '../forms/check-box.ts';
import { fieldErrors } from '../forms/form-errors.ts';
import { textField } from '../forms/text-field.ts';
import type { Rejection } from '../forms/unless-rejected.ts';

/** What a key with a scope may do. */
const meanings: Readonly<Record<Scope, string>> = {
  'runs:read': 'Read runs, tasks, answers, activity and reports',
  'runs:write': 'Change, cancel and archive runs, assign tasks, fill in forms and decide on approvals',
  'runs:execute': 'Launch runs',
  'templates:read': 'Read templates, their versions, folders and portals',
  'templates:write': 'Create and change templates, folders and portals',
  'templates:publish': 'Publish versions of templates',
  'files:read': 'Download files',
  'files:write': 'Upload and delete files',
  'data-sources:read': 'Read data sources and their rows',
  'data-sources:write': 'Change data sources and their rows',
  'users:read': 'Read members and groups',
  'webhooks:manage': 'Manage webhooks and read their deliveries',
};

/** Templates and folders to choose from; more of them need the API. */
const maximumChoices = 1_000;
const fields = {
  name: 'name',
  scopes: 'scopes',
  templates: 'scopedTemplateIds',
  folders: 'scopedFolderIds',
  expires: 'expiresAt',
} as const;
const labels = {
  name: 'Name',
  scopes: 'What it may do',
  scopedTemplateIds: 'Only these templates, and their runs',
  scopedFolderIds: 'Only the templates in these folders, and their runs',
  expiresAt: 'Last day it works',
} as const;

/** A template or a folder. */
interface Named {
  readonly id: string;
  readonly name: string;
}

/** The form for a new key. */
export async function newKey(
  { api, csrf, path, form: entered }: ConsoleRequest,
  { errors = [] }: Rejection = {},
): Promise<ConsoleView> {
  const [templates, folders] = await Promise.all([
    api.templates.list().toArray({ limit: maximumChoices }),
    api.folders.list().toArray({ limit: maximumChoices }),
  ]);
  const restriction = (field: 'scopedTemplateIds' | 'scopedFolderIds', records: readonly Named[]) =>
    html`<fieldset id="${field}">
      <legend>${labels[field]}</legend>
      <p class="hint">Choose none for all of them.</p>
      ${fieldErrors(errors, field)}
      <div class="pick">${records.map(({ id, name }) => checkBox(field, id, html`<bdi>${name}</bdi>`, entered))}</div>
    </fieldset>`;
  const main = html`<form class="form" method="post" action="${path}">
    ${csrf}
    ${textField({
      id: fields.name,
      label: labels.name,
      hint: 'Which program uses it, like “Payroll export”.',
      value: entered.get(fields.name) ?? '',
      errors,
    })}
    <fieldset id="${fields.scopes}">
      <legend>${labels.scopes}</legend>
      ${fieldErrors(errors, fields.scopes)}
      ${scopes.map((scope) => checkBox(fields.scopes, scope, html`${meanings[scope]} <code>${scope}</code>`, entered))}
    </fieldset>
    ${templates.length > 0 && restriction(fields.templates, templates)}
    ${folders.length > 0 && restriction(fields.folders, folders)}
    ${textField({
      id: fields.expires,
      label: labels.expiresAt,
      hint: 'In UTC. Leave it empty for a key that never expires.',
      value: entered.get(fields.expires) ?? '',
      errors,
      isOptional: true,
      attributes: html`type="date"`,
    })}
    <button type="submit">Create the key</button>
  </form>`;
  return { title: 'Create an API key', section: 'keys', errors, main };
}

/** Creates a key and shows it, this once. If something is wrong, the form is shown again with what was entered. */
export async function createKey(request: ConsoleRequest): Promise<ConsoleView> {
  const { api, form: sent } = request;
  const [templateIds, folderIds] = [sent.getAll(fields.templates), sent.getAll(fields.folders)];
  if (templateIds.length > 0 && folderIds.length > 0) {
    const message = `${labels.scopedFolderIds}: choose templates or folders, not both`;
    return newKey(request, { errors: [{ fieldId: fields.folders, message }] });
  }
  const expires = sent.get(fields.expires) ?? '';
  try {
    const created = await call(api, contract.apiKeys.create, {
      body: {
        name: sent.get(fields.name) ?? '',
        scopes: sent.getAll(fields.scopes),
        ...(templateIds.length > 0 && { resourceMode: 'SELECTED_TEMPLATES', scopedTemplateIds: templateIds }),
        ...(folderIds.length > 0 && { resourceMode: 'SELECTED_FOLDERS', scopedFolderIds: folderIds }),
        ...(expires !== '' && { expiresAt: `${expires}T23:59:59Z` }),
      },
    });
    return createdKey(created);
  } catch (error) {
    return newKey(request, { errors: rejectedFields(error, labels) });
  }
}

function createdKey({ name, plainKey }: Response<typeof contract.apiKeys.create>): ConsoleView {
  const main = html`<div class="done" role="status">
      <p>The key <strong>${name}</strong> works now. Copy it: it is shown only this once.</p>
    </div>
    <label for="key">The key</label>
    <input id="key" class="key" value="${plainKey}" readonly autocomplete="off" spellcheck="false" />
    <button type="button" class="quiet with-scripts" data-copies="key">Copy</button>
    <p class="note">Keep it where only the program can read it, such as its secret store, never in its source.</p>
    <p><a class="button quiet" href="${consolePaths.keys}">I have copied it</a></p>`;
  return { title: 'Copy the new key', section: 'keys', main, status: 201 };
}
