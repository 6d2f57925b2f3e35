import type { Form } from '@runward/sdk/form';
import { html, type Child } from '../../html.ts';
import type { ConsoleRequest } from '../console-page.ts';
import type { Formats } from '../formats.ts';
import type { TaskData } from './task-data.ts';

type Shown = Form['shownVariables'][number];

/** The flow variables that the template shows above the form of a task. Nothing if there are none. */
export function renderShownVariables({ formats }: ConsoleRequest, { form }: TaskData): Child {
  if (form.shownVariables.length === 0) return null;
  return html`<section aria-labelledby="shown">
    <h2 id="shown">About this run</h2>
    <dl class="values">
      ${form.shownVariables.map(
        (variable) =>
          html`<dt><bdi>${variable.name ?? variable.key}</bdi></dt>
            <dd><bdi>${textOf(variable, formats)}</bdi></dd>`,
      )}
    </dl>
  </section>`;
}

function textOf({ type, value }: Shown, formats: Formats): string {
  if (value === null) return '–';
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value === 'number') return formats.number(value);
  return type === 'DATE' ? formats.date(value) : value;
}
