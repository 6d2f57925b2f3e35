import { badRequest } from '../../../api-error.ts';
import { html } from '../../html.ts';
import type { Redirect } from '../../page.ts';
import { consolePaths } from '../../paths.ts';
import type { ConsoleRequest, ConsoleView } from '../console-page.ts';
import { rejectionView } from './rejection.ts';
import { changes, type Change } from './run-changes.ts';

/** Asks before a run or one of its tasks is changed. */
export async function askForChange({ api, params, query, csrf }: ConsoleRequest): Promise<ConsoleView> {
  const name = query.get('do') ?? '';
  const { question, consequence, button } = changeNamed(name);
  const run = await api.runs.get(params['id'] ?? '');
  const runTaskId = query.get('task') ?? '';
  const task = run.tasks.find((each) => each.runTaskId === runTaskId)?.title ?? '';
  const path = `${consolePaths.runs}/${run.id}`;
  return {
    title: question(run, task),
    section: 'runs',
    main: html`<p>${consequence}</p>
      <form class="form" method="post" action="${path}/change">
        ${csrf}<input type="hidden" name="task" value="${runTaskId}" />
        ${
          name === 'rename' &&
          html`<div class="field">
            <label for="title">Title</label>
            <input id="title" name="title" value="${run.title}" required maxlength="255" />
          </div>`
        }
        <div class="actions">
          <button type="submit" name="do" value="${name}">${button}</button>
          <a class="button quiet" href="${path}">Back to the run</a>
        </div>
      </form>`,
  };
}

/** Changes a run or one of its tasks. */
export async function changeRun({ api, params, form }: ConsoleRequest): Promise<ConsoleView | Redirect> {
  const { apply, notice } = changeNamed(form.get('do') ?? '');
  const runId = params['id'] ?? '';
  const path = `${consolePaths.runs}/${encodeURIComponent(runId)}`;
  try {
    await apply({ api, runId, runTaskId: form.get('task') ?? '', title: form.get('title') ?? '' });
  } catch (error) {
    return rejectionView(error, { back: path, text: 'Back to the run' });
  }
  return { redirectTo: `${path}?notice=${notice}` };
}

function changeNamed(name: string): Change {
  const change = Object.hasOwn(changes, name) ? changes[name] : undefined;
  if (!change)
    throw badRequest('validation_failed', 'There is no such change. Go back to the run, and choose one there.');
  return change;
}
