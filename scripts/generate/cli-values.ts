import * as contract from '@runward/contract';
import type { GeneratedFile } from './generated-file.ts';

const names = [
  'columnTypes',
  'deliveryStatuses',
  'eventNames',
  'maximumBulkRows',
  'maximumPageSize',
  'runSorts',
  'runStatuses',
  'specifiedEventNames',
  'taskStatuses',
  'totalModes',
  'viewVisibilities',
] as const;

const lines = names.map((name) => {
  const value = contract[name];
  return `/** \`${name}\` of the contract. */\nexport const ${name} = ${JSON.stringify(value)}${Array.isArray(value) ? ' as const' : ''};\n`;
});

/** Lists and limits of the contract that the options of commands name. */
export const cliValues: GeneratedFile = {
  path: 'packages/cli/src/generated/values.ts',
  code: lines.join('\n'),
};
