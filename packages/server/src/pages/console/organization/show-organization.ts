import { contract, type Response } from '@runward/contract';
import { html, type Child, type Markup } from '../../html.ts';
import { consolePaths } from '../../paths.ts';
import { call } from '../call.ts';
import type { ConsoleRequest, ConsoleView } from '../console-page.ts';
import { errorSummary, fieldErrors, type FormError } from '../forms/form-errors.ts';
import { select } from '../forms/select.ts';
import { textField } from '../forms/text-field.ts';
import { loadUse, renderUse } from './use.ts';

/** The fields of the form, by the names of the API. */
export const organizationFields = { name: 'Name', timezone: 'Time zone', remindBefore: 'Reminders' } as const;

/** What is shown in the form, if it is not what is saved. */
export interface Entered {
  readonly values: { readonly [Name in keyof typeof organizationFields]: string };
  /** The version that the values are a change of; null: of what is saved now, which the page states. */
  readonly version: string | null;
  readonly errors: readonly FormError[];
  readonly status: number;
}

/** The settings of the organization, its plan and its use. */
export async function showOrganization(request: ConsoleRequest): Promise<ConsoleView> {
  return organizationView(request, null);
}

/** The page with what was entered, and what is wrong with it. */
export async function organizationView(request: ConsoleRequest, entered: Entered | null): Promise<ConsoleView> {
  const { api, csrf } = request;
  const saved = await call(api, contract.organization.get);
  const use = await loadUse(api);
  const { name, timezone, remindBefore } = entered?.values ?? saved;
  const errors = entered?.errors ?? [];
  const main = html`${errorSummary(errors)} ${entered && changedMeanwhile(saved, entered)}
    <form class="form" method="post" action="${consolePaths.organization}">
      ${csrf}<input type="hidden" name="version" value="${entered?.version ?? saved.version}" />
      ${textField({ id: 'name', label: organizationFields.name, value: name, errors, attributes: html`maxlength="255"` })}
      ${select({
        id: 'timezone',
        name: 'timezone',
        label: organizationFields.timezone,
        hint: html`Days begin and end in it. A new time zone moves the date-only deadlines of open tasks in active runs:
        each to the end of its day in the new zone.`,
        options: timeZones(timezone).map((zone) => ({ value: zone, text: zone })),
        value: timezone,
        isRequired: true,
        error: fieldErrors(errors, 'timezone'),
      })}
      ${select({
        id: 'remindBefore',
        name: 'remindBefore',
        label: organizationFields.remindBefore,
        hint: html`How long before its deadline a task counts as due soon. A template can say otherwise for its tasks.`,
        options: reminders(remindBefore),
        value: remindBefore,
        isRequired: true,
        error: fieldErrors(errors, 'remindBefore'),
      })}
      <div class="actions"><button type="submit">Save the settings</button></div>
    </form>
    ${renderUse(request, saved.plan, use)}`;
  return {
    title: 'Organization',
    hasProblem: entered !== null,
    section: 'organization',
    main,
    ...(entered && { status: entered.status }),
  };
}

/** What is saved now, where the form says something else. */
function changedMeanwhile(saved: Response<typeof contract.organization.get>, { values, version }: Entered): Child {
  if (version !== null) return null;
  const names = ['name', 'timezone', 'remindBefore'] as const;
  return html`<div class="problem" role="alert" aria-labelledby="problem">
    <h2 id="problem">Someone else changed these settings meanwhile</h2>
    <ul>
      ${names
        .filter((name) => values[name] !== saved[name])
        .map((name): Markup => {
          const label = organizationFields[name];
          return html`<li>
            <a href="#${name}">${label}</a>: saved is “<bdi>${saved[name]}</bdi>”, you entered
            “<bdi>${values[name]}</bdi>”
          </li>`;
        })}
    </ul>
    <p>Save again to replace what is saved, or <a href="${consolePaths.organization}">keep what is saved</a>.</p>
  </div>`;
}

/** The names to choose from. A name that is not among the usual ones is one of them while it is chosen. */
function timeZones(chosen: string): string[] {
  return [...new Set(['UTC', chosen, ...Intl.supportedValuesOf('timeZone')])].toSorted();
}

const usualReminders: Readonly<Record<string, string>> = {
  PT0S: 'None',
  PT1H: '1 hour before',
  PT4H: '4 hours before',
  P1D: '1 day before',
  P2D: '2 days before',
  P1W: '1 week before',
};

/** The usual choices, and the one that was made by other means. */
function reminders(chosen: string) {
  const choices = chosen in usualReminders ? usualReminders : { [chosen]: `${chosen} before`, ...usualReminders };
  return Object.entries(choices).map(([value, text]) => ({ value, text }));
}
