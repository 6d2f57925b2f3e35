import type { PartProperties } from '@runward/engine';
import type { PlannedChange } from './plan.ts';

/** The property that names a part. */
const names: Partial<Record<PlannedChange['entity'], string>> = {
  TEMPLATE: 'name',
  PHASE: 'name',
  TASK: 'title',
  FIELD: 'label',
  OPTION: 'label',
  RULE: 'name',
};

const symbols = { ADDED: '+', REMOVED: '-', CHANGED: '~', MOVED: '~' } as const;

/** Describes a plan: one line per change, with the changed properties below it, and the counts. */
export function describePlan(changes: readonly PlannedChange[]): string[] {
  return [...changes.flatMap(describeChange), ...(changes.length === 0 ? [] : ['', countsOf(changes)])];
}

/** How many changes of each kind there are: `2 to add, 1 to move`. */
function countsOf(changes: readonly PlannedChange[]): string {
  const verbs = { ADDED: 'add', CHANGED: 'change', MOVED: 'move', REMOVED: 'remove' } as const;
  const counts = (['ADDED', 'CHANGED', 'MOVED', 'REMOVED'] as const).flatMap((kind) => {
    const count = changes.filter((change) => change.kind === kind).length;
    return count === 0 ? [] : [`${count} to ${verbs[kind]}`];
  });
  return `${counts.join(', ')}.`;
}

function describeChange({ kind, entity, label, before = {}, after = {} }: PlannedChange): string[] {
  const title = `${symbols[kind]} ${entity.toLowerCase()} ${label}`;
  if (kind === 'MOVED') return [title, `    ${destination(before, after)}`];
  if (kind === 'CHANGED') {
    const name = names[entity];
    return [
      title,
      ...Object.keys(after).flatMap((key) => (key === name ? renaming : difference)(key, before[key], after[key])),
    ];
  }
  return kind === 'ADDED' ? [title, ...content(after)] : [title];
}

function destination(before: PartProperties, after: PartProperties): string {
  const place = `moved from place ${Number(before['position']) + 1} to ${Number(after['position']) + 1}`;
  const { task } = after;
  return before['task'] === task ? place : `moved from the task ${text(before['task'])} to ${text(task)}`;
}

function renaming(key: string, before: unknown, after: unknown): string[] {
  if (typeof before !== 'string' || typeof after !== 'string') return difference(key, before, after);
  return [`    renamed ${text(before)} to ${text(after)}`];
}

function difference(key: string, before: unknown, after: unknown): string[] {
  // The key of an option names it.
  if (before === after) return [];
  const [was, is] = [text(before), text(after)];
  if (was.length + is.length <= 70) return [`    ${key}: ${was} -> ${is}`];
  return [`    ${key}:`, `      - ${was}`, `      + ${is}`];
}

/** The properties of a new part, without its place and name, and without empty ones. */
function content(properties: PartProperties): string[] {
  return Object.entries(properties).flatMap(([key, value]) => {
    const isEmpty = value === null || value === false || (Array.isArray(value) && value.length === 0);
    return isEmpty || ['position', 'task', 'title', 'label', 'name'].includes(key)
      ? []
      : [`    ${key}: ${text(value)}`];
  });
}

function text(value: unknown): string {
  return value === null || value === undefined ? 'none' : JSON.stringify(value);
}
