import { ApiError as CallError } from '@runward/sdk';
import pLimit from 'p-limit';
import { badRequest } from '../../../api-error.ts';
import { html, type Child, type Markup } from '../../html.ts';
import { consolePaths } from '../../paths.ts';
import { callsAtOnce, type ConsoleRequest, type ConsoleView } from '../console-page.ts';
import { namedOptions, select } from '../forms/select.ts';
import { loadMembers } from '../people.ts';
import { renderTable } from '../table.ts';
import { bulkActions, type BulkAction, type ChosenRun } from './bulk-actions.ts';
import { chooseRuns, maximumAtOnce, type Selection } from './choose-runs.ts';
import { filterTexts, hiddenFilters } from './run-filters.ts';

/** How many titles the question names; the rest is folded. */
const maximumNamed = 10;

/** Asks before several runs are changed, with their number. */
export async function askForBulk(request: ConsoleRequest): Promise<ConsoleView> {
  const action = actionNamed(request.query.get('action'));
  return question(request, request.query, action, await chooseRuns(request, request.query, action));
}

/** Changes several runs, and reports on each. Asks again if their number has changed since the question. */
export async function changeRuns(request: ConsoleRequest): Promise<ConsoleView> {
  const { api, form, formats } = request;
  const action = actionNamed(form.get('action'));
  const selection = await chooseRuns(request, form, action);
  if (String(selection.runs.length) !== form.get('count')) return question(request, form, action, selection);
  const assigneeId = form.get('assigneeId') ?? '';
  if (action === bulkActions['assign'] && assigneeId === '') {
    throw badRequest('validation_failed', 'No member was chosen, so nothing was changed. Go back, and choose one.');
  }
  const results = await pLimit(callsAtOnce).map(selection.runs, async (run) => {
    try {
      return { run, done: await action.apply(api, run, assigneeId) };
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      return { run, done: null, why: error.messages.join(' ') };
    }
  });
  const failed = results.filter(({ done }) => done === null).length;
  return {
    title: `${formats.number(results.length - failed)} of ${formats.number(results.length)} runs are changed`,
    section: 'runs',
    main: html`${
      failed > 0 &&
      html`<p class="notice" role="alert">${formats.number(failed)} were rejected; the reasons are below.</p>`
    }
    ${renderTable({
      caption: 'What was done',
      columns: ['Run', 'Result'],
      rows: results.map(({ run, done, why }) => [link(run), done ?? html`<span class="overdue">${why}</span>`]),
    })}
    ${backToList(filterTexts(form))}`,
  };
}

function actionNamed(name: string | null): BulkAction {
  const action = Object.hasOwn(bulkActions, name ?? '') ? bulkActions[name ?? ''] : undefined;
  if (!action)
    throw badRequest('validation_failed', 'There is no such action. Go back to the runs, and choose one there.');
  return action;
}

async function question(
  request: ConsoleRequest,
  fields: URLSearchParams,
  action: BulkAction,
  { runs, total, others }: Selection,
): Promise<ConsoleView> {
  const { formats, csrf, api } = request;
  const count = `${formats.number(runs.length)} ${runs.length === 1 ? 'run' : 'runs'}`;
  const texts = filterTexts(fields);
  const left =
    others > 0 &&
    html`<p>${formats.number(others)} of those you chose cannot be changed this way, and stay as they are.</p>`;
  if (runs.length === 0) {
    return {
      title: 'There is nothing to change',
      section: 'runs',
      main: html`${left}
        <p class="empty">Choose runs whose status is ${action.statuses.join(' or ').toLowerCase()}, then try again.</p>
        ${backToList(texts)}`,
    };
  }
  const isAssignment = action === bulkActions['assign'];
  const members = isAssignment ? namedOptions((await loadMembers(api)).assignable) : [];
  return {
    title: `${action.verb} ${count}?`,
    section: 'runs',
    main: html`${
        total > runs.length &&
        html`<p class="notice">
          ${formats.number(total)} match. At most ${maximumAtOnce} are changed at once; repeat this for the rest.
        </p>`
      }
      ${left}
      <p>${action.consequence}</p>
      ${names(runs)}
      <form class="form" method="post" action="${consolePaths.runs}/bulk">
        ${csrf}${hiddenFilters(texts)}
        ${['action', 'which'].map(
          (name) => html`<input type="hidden" name="${name}" value="${fields.get(name) ?? ''}" />`,
        )}
        ${
          fields.get('which') !== 'all' &&
          fields.getAll('run').map((id) => html`<input type="hidden" name="run" value="${id}" />`)
        }
        <input type="hidden" name="count" value="${runs.length}" />
        ${
          isAssignment &&
          select({
            id: 'assigneeId',
            name: 'assigneeId',
            label: 'Assign to',
            options: members,
            value: '',
            none: 'Choose a member',
            isRequired: true,
          })
        }
        <div class="actions"><button type="submit">${action.verb} ${count}</button></div>
      </form>
      ${backToList(texts)}`,
  };
}

function names(runs: readonly ChosenRun[]): Child {
  const items = runs.map((run) => html`<li>${link(run)}</li>`);
  return html`<ul>
      ${items.slice(0, maximumNamed)}
    </ul>
    ${
      items.length > maximumNamed &&
      html`<details>
        <summary>And ${items.length - maximumNamed} more</summary>
        <ul>
          ${items.slice(maximumNamed)}
        </ul>
      </details>`
    }`;
}

function link({ id, title, publicId }: ChosenRun): Markup {
  return html`<a href="${consolePaths.runs}/${id}"><bdi>${title}</bdi></a> <span class="soft">${publicId}</span>`;
}

function backToList(texts: ReturnType<typeof filterTexts>): Markup {
  const search = new URLSearchParams(Object.entries(texts)).toString();
  return html`<p><a class="button quiet" href="${consolePaths.runs}?${search}">Back to the runs</a></p>`;
}
