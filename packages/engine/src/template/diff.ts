import type { FieldDefinition, ProcessDocument, TaskDefinition } from '../process.ts';
import {
  changesOf,
  pairsOf,
  type Change,
  type ChangedEntity,
  type Item,
  type Items,
  type Pair,
} from './compare-lists.ts';
import { withComparedKeys } from './compared-keys.ts';

/**
 * The differences between two documents, in the order of the later one: phases, tasks (each with its fields, rules and
 * dependencies), then variables. Equal documents have none. If parts are reordered, as few as possible are reported as
 * moved. A part that appears or disappears together with its container has its own change, except options and
 * dependencies, which have no ids.
 */
export function diff(before: ProcessDocument, after: ProcessDocument): Change[] {
  const [was, is] = withComparedKeys(before, after);
  const [from, to] = [itemsOf(was), itemsOf(is)];
  const taskChanges = (pair: Pair): Change[] => {
    const [was, is] = [pair.before && from.of(pair.before.id), pair.after && to.of(pair.after.id)];
    const fields = pairsOf(was?.fields ?? [], is?.fields ?? [], from.fields, to.fields);
    const rules = pairsOf(was?.rules ?? [], is?.rules ?? [], from.rules, to.rules);
    const dependencies = was && is ? flat('DEPENDENCY', was.dependencies, is.dependencies) : [];
    const ruleChanges = rules.flatMap((rule) => changesOf('RULE', rule));
    return [...changesOf('TASK', pair), ...fields.flatMap(fieldChanges), ...ruleChanges, ...dependencies];
  };
  const fieldChanges = (pair: Pair): Change[] => {
    const changes = changesOf('FIELD', pair);
    if (!pair.before || !pair.after) return changes;
    return changes.concat(flat('OPTION', from.optionsOf(pair.before.id), to.optionsOf(pair.after.id)));
  };
  return [
    ...flat('PHASE', from.phases, to.phases),
    ...paired(from.tasks, to.tasks).flatMap(taskChanges),
    ...flat('VARIABLE', from.variables, to.variables),
  ];
}

function paired(before: readonly Item[], after: readonly Item[]) {
  return pairsOf(before, after, byKey(before), byKey(after));
}

function flat(entity: ChangedEntity, before: readonly Item[], after: readonly Item[]): Change[] {
  // Most fields have no options, and most tasks no dependencies.
  if (before.length === 0 && after.length === 0) return [];
  return paired(before, after).flatMap((pair) => changesOf(entity, pair));
}

/** The parts of a document in the form in which they are compared. */
function itemsOf({ phases, tasks, variables }: ProcessDocument) {
  const titles = new Map(tasks.map(({ id, title }) => [id, title]));
  const contents = new Map(tasks.map((task) => [task.id, contentsOf(task, titles)]));
  const all = [...contents.values()];
  const fields = tasks.flatMap((task) => task.fields.map((field) => ({ task, field })));
  const options = new Map(fields.map(({ task, field }) => [field.id, optionItems(task, field)]));
  return {
    phases: phases.map(({ id, ...own }, position) => item({ id, label: own.name, own, place: { position } })),
    tasks: tasks.map(({ id, fields: _, rules: __, dependencies, ...own }, position) =>
      item({ id, label: own.title, own, parts: { dependencies }, place: { position } }),
    ),
    of: (taskId: string) => contents.get(taskId),
    optionsOf: (fieldId: string) => options.get(fieldId) ?? [],
    fields: byKey(all.flatMap((content) => content.fields)),
    rules: byKey(all.flatMap((content) => content.rules)),
    variables: variables.map(({ id, ...given }, position) => {
      const own = { searchable: false, required: false, shownToGuests: false, ...given };
      return item({ id, label: own.key, own, place: { position } });
    }),
  };
}

function contentsOf({ id: taskId, title, ...task }: TaskDefinition, titles: ReadonlyMap<string, string>) {
  return {
    fields: task.fields.map(({ id, options, ...given }, position) => {
      const own = { searchable: false, dataSource: null, ...given };
      return item({ id, label: `${title} > ${own.label}`, own, parts: { options }, place: { taskId, position } });
    }),
    rules: task.rules.map(({ id, ...own }, position) => {
      const label = `${title} > ${own.name ?? `rule ${position + 1}`}`;
      return item({ id, label, own, place: { taskId, position } });
    }),
    dependencies: numbered(task.dependencies).map(({ key, name }, position) => {
      const label = `${title} waits for ${titles.get(name) ?? name}`;
      return item({ key, id: taskId, label, naming: { taskId: name }, place: { position } });
    }),
  };
}

function optionItems({ title }: TaskDefinition, { id, label, options }: FieldDefinition): Item[] {
  const keys = numbered(options.map(({ key }) => key));
  return options.map(({ key: name, ...own }, position) =>
    item({
      key: keys[position]?.key ?? name,
      id,
      label: `${title} > ${label} > ${own.label}`,
      naming: { key: name },
      own,
      place: { position },
    }),
  );
}

/** Adds a number to repeated names, which a draft may have, to make a unique key for each. */
function numbered(names: readonly string[]): { readonly key: string; readonly name: string }[] {
  const counts = new Map<string, number>();
  return names.map((name) => {
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return { key: `${name} ${count}`, name };
  });
}

function item({ id, label, ...rest }: Pick<Item, 'id' | 'label' | 'place'> & Partial<Item>): Item {
  return { key: id, id, label, naming: {}, own: {}, parts: {}, ...rest };
}

function byKey(items: readonly Item[]): Items {
  return new Map(items.map((each) => [each.key, each]));
}
