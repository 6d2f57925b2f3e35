import type { ProcessDocument, TaskDefinition } from '@runward/engine';
import { moves } from './order.ts';
import { move, remove, type Ids, type Step } from './step.ts';

/** The steps that delete what is not in a file. The fields of a deleted task are deleted with it. */
export function deletions(wanted: ProcessDocument, current: ProcessDocument, { phases, tasks }: Ids): Step[] {
  const keys = new Set(wanted.tasks.flatMap(({ fields }) => fields.map(({ key }) => key)));
  const titles = new Set(wanted.tasks.map(({ title }) => title));
  const names = new Set(wanted.phases.map(({ name }) => name));
  const variables = new Set(wanted.variables.map(({ key }) => key));
  const isKept = ({ id, title }: TaskDefinition) => titles.has(title) && tasks.get(title) === id;

  return [
    ...current.tasks
      .filter(isKept)
      .flatMap((task) =>
        task.fields
          .filter(({ key }) => !keys.has(key))
          .map(({ id, key }) => remove('field', key, (api, ids) => api.fields.remove(ids.template, task.id, id))),
      ),
    ...current.tasks
      .filter((task) => !isKept(task))
      .map(({ id, title }) => remove('task', title, (api, ids) => api.tasks.remove(ids.template, id))),
    ...current.phases
      .filter(({ id, name }) => !names.has(name) || phases.get(name) !== id)
      .map(({ id, name }) => remove('phase', name, (api, ids) => api.phases.remove(ids.template, id))),
    ...current.variables
      .filter(({ key }) => !variables.has(key))
      .map(({ id, key }) => remove('variable', key, (api, ids) => api.variables.remove(ids.template, id))),
  ];
}

/** The steps that bring phases, tasks and the fields of each task into the order of a file. They follow all other steps. */
export function orderSteps(wanted: ProcessDocument, current: ProcessDocument, { phases, tasks }: Ids): Step[] {
  const phaseNames = current.phases.filter(({ id, name }) => phases.get(name) === id).map(({ name }) => name);
  const taskTitles = current.tasks.filter(({ id, title }) => tasks.get(title) === id).map(({ title }) => title);
  return [
    ...reordered(
      phaseNames,
      wanted.phases.map(({ name }) => name),
    ).map(({ item, position }) =>
      move('phase', item, toPlace(position), (api, ids) =>
        api.phases.update(ids.template, ids.phases.get(item) ?? '', { position }),
      ),
    ),
    ...reordered(
      taskTitles,
      wanted.tasks.map(({ title }) => title),
    ).map(({ item, position }) =>
      move('task', item, toPlace(position), (api, ids) =>
        api.tasks.update(ids.template, ids.tasks.get(item) ?? '', { position }),
      ),
    ),
    ...wanted.tasks.flatMap((task) =>
      fieldOrder(
        task,
        current.tasks.find(({ id }) => id === tasks.get(task.title)),
      ),
    ),
  ];
}

function fieldOrder({ title, fields }: TaskDefinition, now: TaskDefinition | undefined): Step[] {
  const current = now?.fields.map(({ key }) => key) ?? [];
  return reordered(
    current,
    fields.map(({ key }) => key),
  ).map(({ item, position }) =>
    move('field', item, toPlace(position), (api, ids) =>
      api.fields.update(ids.template, ids.tasks.get(title) ?? '', ids.fields.get(item) ?? '', { position }),
    ),
  );
}

function reordered(current: readonly string[], target: readonly string[]) {
  const kept = current.filter((name) => target.includes(name));
  // Items that were created or moved here come last, in the order of the file.
  return moves([...kept, ...target.filter((name) => !kept.includes(name))], target);
}

function toPlace(position: number): string {
  return `to place ${position + 1}`;
}
