import type { LaunchRun, Template, Variable } from '@runward/sdk';
import { parseValue } from '@runward/sdk/form';
import { badRequest } from '../../../api-error.ts';
import { today } from '../../../calendar.ts';
import type { Redirect } from '../../page.ts';
import { consolePaths } from '../../paths.ts';
import { rejectedFields, type ConsoleRequest, type ConsoleView } from '../console-page.ts';
import type { FormError, Labels } from '../forms/form-errors.ts';
import { loadMembers } from '../people.ts';
import { fieldIdOf, launchForm, variableField } from './launch-form.ts';

/** The form that launches a run of a template. */
export async function showLaunch(request: ConsoleRequest): Promise<ConsoleView> {
  const { template, variables } = await loadTemplate(request);
  const values = new URLSearchParams({ scheduledDateLocal: today(request.formats.timeZone, request.now) });
  for (const { key, defaultValue } of variables) values.set(variableField(key), String(defaultValue ?? ''));
  return formView(request, template, variables, values, []);
}

/** Launches a run, and leads to it. The form is shown again, as it was sent, if the launch is rejected. */
export async function submitLaunch(request: ConsoleRequest): Promise<ConsoleView | Redirect> {
  const { api, form } = request;
  const { template, variables } = await loadTemplate(request);
  try {
    const idempotencyKey = form.get('once') || undefined;
    const { id } = await api.runs.launch(launchOf(template.id, variables, form), { idempotencyKey });
    return { redirectTo: `${consolePaths.runs}/${id}?notice=launched` };
  } catch (error) {
    return formView(request, template, variables, form, rejectedFields(error, labelsOf(variables), fieldIdOf));
  }
}

async function loadTemplate({ api, params }: ConsoleRequest) {
  const template = await api.templates.get(params['templateId'] ?? '');
  if (template.publishedVersionId === null || template.status !== 'PUBLISHED') {
    throw badRequest(
      'template_not_published',
      'Runs of this template cannot be launched: it is archived or not published. Choose another.',
    );
  }
  const { variables } = await api.templates.versions.get(template.id, template.publishedVersionId);
  return { template, variables };
}

function launchOf(templateId: string, variables: readonly Variable[], form: URLSearchParams): LaunchRun {
  const text = (name: string) => form.get(name) || null;
  return {
    templateId,
    title: text('title'),
    scheduledDateLocal: text('scheduledDateLocal'),
    ownerEmail: text('ownerEmail'),
    // A variable has no options, so its value is never a list.
    variables: Object.fromEntries(variables.flatMap(valueOf)) as LaunchRun['variables'],
  };

  /** Nothing for a variable without a field, so that it has its default value. */
  function valueOf({ key, type }: Variable) {
    const value = form.get(variableField(key));
    // Forms send line breaks as CRLF.
    return value === null ? [] : [[key, parseValue({ type }, value.replaceAll('\r\n', '\n'))] as const];
  }
}

function labelsOf(variables: readonly Variable[]): Labels {
  return {
    title: 'Title',
    scheduledDateLocal: 'Planned for',
    ownerEmail: 'Owner',
    ...Object.fromEntries(variables.map(({ key, name }) => [variableField(key), name ?? key])),
  };
}

async function formView(
  request: ConsoleRequest,
  template: Template,
  variables: readonly Variable[],
  values: URLSearchParams,
  errors: readonly FormError[],
): Promise<ConsoleView> {
  const { active } = await loadMembers(request.api);
  const others = active.filter(({ id }) => id !== request.visitor.actor.userId);
  return {
    title: `Launch ${template.name}`,
    section: 'launch',
    errors,
    main: launchForm(request, { template, variables, others, values, errors }),
  };
}
