import {
  columnTypes,
  deliveryStatuses,
  eventNames,
  maximumBulkRows,
  maximumPageSize,
  runSorts,
  runStatuses,
  specifiedEventNames,
  taskStatuses,
  totalModes,
  viewVisibilities,
} from '@runward/contract';
import type { GeneratedFile } from './generated-file.ts';

const values = {
  columnTypes,
  deliveryStatuses,
  eventNames,
  maximumBulkRows,
  maximumPageSize,
  runSorts,
  runStatuses,
  specifiedEventNames,
  taskStatuses,
  totalModes,
  viewVisibilities,
};

const lines = Object.entries(values).map(
  ([name, value]) =>
    `/** \`${name}\` of the contract. */\nexport const ${name} = ${JSON.stringify(value)}${Array.isArray(value) ? ' as const' : ''};\n`,
);

/** Lists and limits of the contract that the options of commands name. */
export const cliValues: GeneratedFile = {
  path: 'packages/cli/src/generated/values.ts',
  code: lines.join('\n'),
};
