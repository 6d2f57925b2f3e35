import type { FieldType, FieldValue } from '@runward/contract';
import type { FieldDefinition } from '../process.ts';

/** The id of a record that no condition names, unless one was written to do so. */
export const someId = '00000000-0000-4000-8000-000000000001';

type Sample = FieldValue | ((field: FieldDefinition) => FieldValue);

const firstOption = ({ options }: FieldDefinition): string | null => options[0]?.key ?? null;

const samples: Readonly<Record<FieldType, Sample>> = {
  TEXT: 'other',
  LONG_TEXT: 'other',
  NUMBER: 1,
  EMAIL: 'other@example.com',
  URL: 'https://example.com/other',
  PHONE: '+49 30 5550100',
  CHECKBOX: true,
  DATE: '2026-03-01',
  DATETIME: '2026-03-01T09:00:00.000Z',
  DROPDOWN: firstOption,
  MULTI_SELECT: (field) => {
    const key = firstOption(field);
    return key === null ? null : [key];
  },
  USER: someId,
  FILE_UPLOAD: someId,
  SIGNATURE: someId,
  IMAGE: someId,
  DATA_SOURCE: someId,
};

/** A value that a field takes; null if it takes none, because it has no options. */
export function sampleValue(field: FieldDefinition): FieldValue {
  const sample = samples[field.type];
  return typeof sample === 'function' ? sample(field) : sample;
}
