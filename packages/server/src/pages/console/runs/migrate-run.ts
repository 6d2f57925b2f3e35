import type { Migration, Run, TemplateVersion } from '@runward/sdk';
import { inWords } from '../../../words.ts';
import { html, type Child } from '../../html.ts';
import type { Redirect } from '../../page.ts';
import { consolePaths } from '../../paths.ts';
import type { ConsoleRequest, ConsoleView } from '../console-page.ts';
import { select } from '../forms/select.ts';
import { rejectionView } from './rejection.ts';

/** The most versions that can be chosen: the newest ones. */
const maximumVersions = 200;

const effects: readonly (readonly [keyof Migration['tasks'], string])[] = [
  ['added', 'Tasks that are added'],
  ['removed', 'Open tasks that are removed'],
  ['retired', 'Completed tasks that stay readable only'],
  ['kept', 'Tasks that stay, with their values'],
];

/** Offers the versions of the template. With `to`, shows what moving the run to that version would change. */
export async function showMigration(request: ConsoleRequest): Promise<ConsoleView> {
  const { api, params, query, formats } = request;
  const run = await api.runs.get(params['id'] ?? '');
  const path = `${consolePaths.runs}/${run.id}`;
  const to = query.get('to') ?? '';
  const versions = await api.templates.versions.list(run.templateId, { limit: maximumVersions });
  const title = `Change the version of “${run.title}”`;
  const nameOf = ({ number, publishedAt, note }: TemplateVersion) =>
    `Version ${number}, ${formats.time(publishedAt)}${note === null ? '' : `: ${note}`}`;
  const options = versions.data
    .filter(({ id }) => id !== run.templateVersionId)
    .map((version) => ({ value: version.id, text: nameOf(version) }));
  const chooser = html`<form class="form" method="get" action="${path}/migrate">
    ${select({ id: 'to', name: 'to', label: 'Version', options, value: to, isRequired: true })}
    <button type="submit" class="quiet">Show what would change</button>
  </form>`;
  const back = html`<p><a class="button quiet" href="${path}">Back to the run</a></p>`;
  if (options.length === 0) {
    return {
      title,
      section: 'runs',
      main: html`<p class="empty">The template has no other version. Publish one, then come back.</p>
        ${back}`,
    };
  }
  try {
    const plan = to === '' ? null : await api.runs.migrate(run.id, { toVersionId: to, dryRun: true });
    return { title, section: 'runs', main: html`${chooser} ${plan && preview(request, run, plan)} ${back}` };
  } catch (error) {
    return rejectionView(error, { back: path, text: 'Back to the run' });
  }
}

/** Moves a run to a version. */
export async function migrateRun({ api, params, form }: ConsoleRequest): Promise<ConsoleView | Redirect> {
  const runId = params['id'] ?? '';
  const path = `${consolePaths.runs}/${encodeURIComponent(runId)}`;
  try {
    await api.runs.migrate(runId, { toVersionId: form.get('to') ?? '' });
  } catch (error) {
    return rejectionView(error, { back: `${path}/migrate`, text: 'Choose a version' });
  }
  return { redirectTo: `${path}?notice=changed` };
}

function preview({ csrf }: ConsoleRequest, run: Run, { from, to, tasks, status }: Migration): Child {
  return html`<section aria-labelledby="preview">
    <h2 id="preview">From version ${from.number} to version ${to.number}</h2>
    ${
      status.before !== status.after &&
      html`<p class="notice">The run becomes ${inWords(status.after).toLowerCase()}.</p>`
    }
    ${effects.map(
      ([name, text]) =>
        tasks[name].length > 0 &&
        html`<details ${name !== 'kept' && html`open`}>
          <summary>${text}: ${tasks[name].length}</summary>
          <ul>
            ${tasks[name].map(({ title }) => html`<li>${title}</li>`)}
          </ul>
        </details>`,
    )}
    <p>Values that do not fit the fields of the version count as not submitted. Moving back undoes the change.</p>
    <form method="post" action="${consolePaths.runs}/${run.id}/migrate">
      ${csrf}
      <button type="submit" name="to" value="${to.versionId}">Move to version ${to.number}</button>
    </form>
  </section>`;
}
