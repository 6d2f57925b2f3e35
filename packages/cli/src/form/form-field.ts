import type { Field } from '@runward/contract';
import { usage } from '../errors.ts';
import { similar } from '@runward/sdk/find';
import type { Form } from './load-form.ts';

/** The fields that rules do not hide now. */
export function visibleFields({ fields, task }: Pick<Form, 'fields' | 'task'>): readonly Field[] {
  return fields.filter(({ id }) => !task.hiddenFieldIds.includes(id));
}

/**
 * A field of a form by its key.
 *
 * @throws CliError naming similar keys if there is none
 */
export function fieldOf({ fields, task }: Form, key: string): Field {
  const field = fields.find((candidate) => candidate.key === key);
  if (field) return field;
  const keys = fields.map((candidate) => candidate.key);
  const [suggestion] = similar(key, keys);
  const hint = suggestion === undefined ? `Its fields: ${keys.join(', ') || 'none'}.` : `Did you mean ${suggestion}?`;
  throw usage(`The form of "${task.title}" has no field "${key}". ${hint}`);
}
