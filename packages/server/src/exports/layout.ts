import { join } from 'node:path';

const folder = join(import.meta.dirname, '../../documents');

/** The files that the Typst files of all reports import. */
export const layoutFiles = { '/layout.typ': join(folder, 'layout.typ') };

/** The path of the Typst file of a report. */
export function sourceOf(report: 'analytics' | 'run'): string {
  return join(folder, `${report}.typ`);
}
