import { exactNumber, formats, normalizeTimestamp, parseCell, type CellValue } from '@runward/contract';
import { caseFolded } from '@runward/engine';
import type { DataSourceColumn } from './entities/data-source-column.ts';
import { textOfCell } from './row-label.ts';

/** The properties of a column that its cells depend on. */
type Kind = Pick<DataSourceColumn, 'type' | 'settings'>;

/** The value of a cell after its column has changed from one kind to another; null if it does not fit. */
export function convertCell(from: Kind, to: Kind, value: CellValue): CellValue {
  const candidates = from.type === to.type ? [value] : conversionsOf(to, textOfCell(from, value).trim());
  for (const candidate of candidates) {
    const parsed = parseCell(to, candidate);
    if ('value' in parsed && parsed.value !== null) return parsed.value;
  }
  return null;
}

/** The values that a text can mean in a column. */
function conversionsOf({ type, settings }: Kind, text: string): CellValue[] {
  switch (type) {
    case 'TEXT':
      return [text];
    case 'NUMBER':
      return [exactNumber(text) ?? null];
    case 'BOOLEAN':
      return /^(?:true|false)$/i.test(text) ? [text.toLowerCase() === 'true'] : [];
    case 'DATE': {
      // A timestamp becomes a date only if nothing is lost.
      const moment = formats.isTimestamp(text) ? (normalizeTimestamp(text) ?? '') : '';
      return [moment.endsWith('T00:00:00.000Z') ? moment.slice(0, 10) : text];
    }
    case 'DATETIME':
      return [formats.isDate(text) ? `${text}T00:00:00.000Z` : text];
    case 'STATUS': {
      const labelled = settings.options?.find(({ label }) => caseFolded(label) === caseFolded(text));
      return [text, labelled?.key ?? null];
    }
    case 'RELATION':
      return [];
  }
}
