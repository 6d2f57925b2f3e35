import type { Field } from '@runward/sdk';
import { takenBy } from '@runward/sdk/form';

/** Describes a field for a model. Options are listed as `key (label)`, or as the key alone if the label is the same. */
export function describeField(field: Field) {
  const { key, label, type, required, options, helpText } = field;
  return {
    key,
    label,
    type,
    required,
    takes: takenBy(field).takes,
    ...(options.length > 0 && { options: options.map((option) => optionText(option)) }),
    ...(helpText !== null && { help: helpText }),
  };
}

function optionText({ key, label }: Field['options'][number]): string {
  return key.toLowerCase() === label.toLowerCase() ? key : `${key} (${label})`;
}
