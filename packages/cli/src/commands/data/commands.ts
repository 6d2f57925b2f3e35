import { leaf, type CommandTree } from '../tree.ts';

/** The hand-written commands of `runward data`, which its help lists first. */
export const commands: CommandTree = {
  create: leaf('Create a data source', async () => (await import('./create.ts')).createDataSource),
  import: leaf('Create a row for each row of a CSV file', async () => (await import('./import.ts')).importDataRows),
  export: leaf(
    'Print all rows of a data source as CSV, newest first, with all columns except RELATION columns',
    async () => (await import('./export.ts')).exportDataRows,
  ),
  rows: leaf(
    'List the rows of a data source, newest first or by a column',
    async () => (await import('./rows.ts')).listDataRows,
  ),
};
