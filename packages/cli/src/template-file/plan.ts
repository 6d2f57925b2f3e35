import type { FieldDefinition, ProcessDocument, TaskDefinition } from '@runward/engine';
import type { Draft } from './draft.ts';
import { deletions, orderSteps } from './plan-rest.ts';
import { create, move, update, type Ids, type Step } from './step.ts';
import type { TemplateFile } from './template-file.ts';

/** The steps that make a draft match a file, in the order they must be applied. `draft` is null if the template does not exist yet. */
export function plan(file: TemplateFile, wanted: ProcessDocument, draft: Draft | null): { steps: Step[]; ids: Ids } {
  const current = draft?.document ?? { phases: [], tasks: [], variables: [] };
  const ids: Ids = {
    template: draft?.template.id ?? '',
    phases: firstIds(current.phases, ({ name }) => name),
    tasks: firstIds(current.tasks, ({ title }) => title),
    fields: firstIds(
      current.tasks.flatMap(({ fields }) => fields),
      ({ key }) => key,
    ),
  };
  const steps = [
    ...settingSteps(file, draft),
    ...variableSteps(wanted, current),
    ...phaseSteps(wanted, current, ids),
    ...wanted.tasks.flatMap((task) => taskSteps(task, current, ids)),
    ...wanted.tasks.flatMap((task) => fieldSteps(task, current, ids)),
    ...deletions(wanted, current, ids),
    ...orderSteps(wanted, current, ids),
  ];
  return { steps, ids };
}

// Names need not be unique on the server. The first part of a name is kept, the others are deleted.
function firstIds<Part extends { readonly id: string }>(parts: readonly Part[], nameOf: (part: Part) => string) {
  const ids = new Map<string, string>();
  for (const part of parts) if (!ids.has(nameOf(part))) ids.set(nameOf(part), part.id);
  return ids;
}

function settingSteps({ name, description, runTitlePattern }: TemplateFile, draft: Draft | null): Step[] {
  const wanted = { name, description, runTitlePattern };
  if (!draft) {
    return create('template', name, async (templates, ids) => {
      ids.template = (await templates.create(wanted)).id;
    });
  }
  const both = { wanted, now: draft.template };
  return update('template', name, both, (changes) => (api, ids) => api.update(ids.template, changes));
}

function variableSteps(wanted: ProcessDocument, current: ProcessDocument): Step[] {
  return wanted.variables.flatMap(({ id: _, ...variable }) => {
    const { key } = variable;
    const now = current.variables.find((candidate) => candidate.key === key);
    if (!now) return create('variable', key, (api, ids) => api.variables.create(ids.template, variable));
    return update('variable', key, { wanted: variable, now }, (changes) => (api, ids) => {
      return api.variables.update(ids.template, now.id, changes);
    });
  });
}

function phaseSteps(wanted: ProcessDocument, current: ProcessDocument, { phases }: Ids): Step[] {
  return wanted.phases.flatMap(({ id: _, ...phase }) => {
    const { name } = phase;
    const now = current.phases.find(({ id }) => id === phases.get(name));
    if (!now) {
      return create('phase', name, async (api, ids) => {
        ids.phases.set(name, (await api.phases.create(ids.template, phase)).id);
      });
    }
    return update('phase', name, { wanted: phase, now }, (changes) => (api, ids) => {
      return api.phases.update(ids.template, now.id, changes);
    });
  });
}

function taskSteps(task: TaskDefinition, current: ProcessDocument, { tasks }: Ids): Step[] {
  const { title, description, phaseId: phase, required, repeatable, due } = task;
  const settings = { title, description, required, repeatable, due };
  const phaseId = (ids: Ids) => (phase === null ? null : (ids.phases.get(phase) ?? null));

  const now = current.tasks.find(({ id }) => id === tasks.get(title));
  if (!now) {
    return create('task', title, async (api, ids) => {
      ids.tasks.set(title, (await api.tasks.create(ids.template, { ...settings, phaseId: phaseId(ids) })).id);
    });
  }
  const phaseNow = current.phases.find(({ id }) => id === now.phaseId)?.name ?? null;
  const both = { wanted: { ...settings, phase }, now: { ...now, phase: phaseNow } };
  return update('task', title, both, ({ phase: changed, ...changes }) => (api, ids) => {
    const body = changed === undefined ? changes : { ...changes, phaseId: phaseId(ids) };
    return api.tasks.update(ids.template, now.id, body);
  });
}

function fieldSteps({ title, fields }: TaskDefinition, current: ProcessDocument, { tasks }: Ids): Step[] {
  const taskId = (ids: Ids) => ids.tasks.get(title) ?? '';
  return fields.flatMap(({ id: _, ...field }) => {
    const { key } = field;
    const home = current.tasks.find((task) => task.fields.some((candidate) => candidate.key === key));
    const now = home?.fields.find((candidate) => candidate.key === key);
    if (!home || !now) {
      return create('field', key, async (api, ids) => {
        ids.fields.set(key, (await api.fields.create(ids.template, taskId(ids), writable(field))).id);
      });
    }
    const updates = update('field', key, { wanted: field, now }, (changes) => (api, ids) => {
      return api.fields.update(ids.template, taskId(ids), now.id, writable(changes));
    });
    if (home.id === tasks.get(title)) return updates;
    const moved = move('field', key, `to the task "${title}"`, (api, ids) => {
      return api.fields.move(ids.template, home.id, now.id, { targetTaskId: taskId(ids) });
    });
    return [moved, ...updates];
  });
}

function writable<Part extends Partial<Omit<FieldDefinition, 'id'>>>({ options, ...part }: Part) {
  return options === undefined ? part : { ...part, options: [...options] };
}
