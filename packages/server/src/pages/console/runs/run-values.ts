import type { Field, Run } from '@runward/sdk';
import { html, type Child, type Markup } from '../../html.ts';
import { consolePaths } from '../../paths.ts';
import type { ConsoleRequest } from '../console-page.ts';
import { chosenPage, nextPageLink } from '../next-page.ts';
import type { People } from '../people.ts';
import { showValue } from '../tasks/show-value.ts';

/** What was entered in a run, as people read it, folded. */
export async function valuesSection(request: ConsoleRequest, run: Run): Promise<Child> {
  const tasks = await request.api.runs.summaries(run.id, chosenPage(request, 'values'));
  const repeatable = new Set(run.tasks.filter((task) => task.repeatable).map(({ runTaskId }) => runTaskId));
  const parts = tasks.data.map(({ title, runTaskId, fields }) => ({
    title,
    note:
      repeatable.has(runTaskId) &&
      html`<p class="note">
        From the newest entry. <a href="${consolePaths.tasks}/${runTaskId}">All entries of “<bdi>${title}</bdi>”</a>
      </p>`,
    values: fields.flatMap(({ label, displayValue }) =>
      displayValue === null ? [] : [[label, displayValue] as const],
    ),
  }));
  const more = nextPageLink(request, tasks.nextCursor, {
    name: 'values',
    text: 'Values of more tasks',
    anchor: 'values',
  });
  return section(html`${variables(run)} ${parts.map(valuesOf)} ${more}`, request.query.has('values'));
}

/** What had been entered in a run at an earlier time, folded. `fields` are those of its version. */
export function earlierValues(
  { formats }: Pick<ConsoleRequest, 'formats'>,
  run: Run,
  { people, fields }: { readonly people: People; readonly fields: readonly Field[] },
): Child {
  const options = new Map(fields.map((field) => [field.id, field.options]));
  const context = { formats, people, files: [], options };
  const parts = run.tasks.map(({ title, entries = [] }) => ({
    title,
    values: entries
      .flatMap(({ fieldValues }) => fieldValues)
      .map((value) => [value.label, value.value === null ? '–' : showValue(value, context)] as const),
  }));
  return section(html`${variables(run)} ${parts.map(valuesOf)}`, false);
}

function section(content: Child, isOpen: boolean): Markup {
  return html`<section aria-labelledby="values">
    <h2 id="values">Values</h2>
    <details ${isOpen && html`open`}>
      <summary>Show what was entered</summary>
      ${content}
    </details>
  </section>`;
}

interface Part {
  readonly title: string;
  readonly values: readonly (readonly [label: string, value: Child])[];
  readonly note?: Child;
}

function variables(run: Run): Child {
  const values = Object.entries(run.variables).map(([key, value]) => [key, String(value ?? '–')] as const);
  return valuesOf({ title: 'Variables of the run', values });
}

function valuesOf({ title, values, note }: Part): Child {
  if (values.length === 0) return null;
  return html`<h3 class="size-3"><bdi>${title}</bdi></h3>
    ${note}
    <dl class="values">
      ${values.map(
        ([label, value]) =>
          html`<dt><bdi>${label}</bdi></dt>
            <dd>${value}</dd>`,
      )}
    </dl>`;
}
