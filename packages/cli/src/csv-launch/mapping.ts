import { usage } from '../errors.ts';
import { similar } from '../lookup/ids.ts';
import type { LaunchTexts } from '../launch/launch-body.ts';

/** Makes the texts of a launch from the cells of a row, and tells what is missing there. */
export type Mapping = (cells: Readonly<Record<string, string>>) => { texts: LaunchTexts; faults: string[] };

/** A text with columns filled in; a plain column may be empty. */
interface Source {
  readonly target: string;
  readonly pieces: readonly (string | { readonly column: string })[];
}

const targets = 'title, date, owner or var.NAME';

/**
 * Reads `--map target=source`, where a source is a column, or a text with columns in braces (`{{` is a brace). `constants`
 * hold for every row.
 *
 * @throws CliError listing every unknown target and column
 */
export function readMapping(
  specs: readonly (readonly [target: string, source: string])[],
  columns: readonly string[],
  constants: LaunchTexts,
): Mapping {
  const faults: string[] = [];
  const sources = specs.map(([target, source]): Source => {
    if (!/^(title|date|owner|var\..+)$/.test(target)) faults.push(`--map ${target}=…: map to ${targets}.`);
    if (isConstant(target, constants)) faults.push(`--map ${target}=…: it has a fixed value already; drop one.`);
    if (columns.includes(source)) return { target, pieces: [{ column: source }] };
    const pieces = splitBraces(source);
    if (!pieces.some((piece) => typeof piece !== 'string')) {
      faults.push(`--map ${target}=${source}: ${noColumn(source, columns)} Columns go into braces within a text.`);
    }
    for (const piece of pieces) {
      if (typeof piece === 'string' || columns.includes(piece.column)) continue;
      faults.push(`--map ${target}=${source}: ${noColumn(piece.column, columns)}`);
    }
    return { target, pieces };
  });
  if (faults.length > 0) throw usage(...faults);

  return (cells) => {
    const empty: string[] = [];
    const mapped = sources.map(({ target, pieces }): readonly [string, string] => {
      const text = pieces.map((piece) => {
        if (typeof piece === 'string') return piece;
        const cell = cells[piece.column] ?? '';
        if (cell === '' && pieces.length > 1) empty.push(`${target}: the column "${piece.column}" is empty`);
        return cell;
      });
      return [target, text.join('').trim()];
    });
    const texts = Object.fromEntries(mapped.filter(([target, text]) => text !== '' && !target.startsWith('var.')));
    const variables = mapped.flatMap(([target, text]) =>
      target.startsWith('var.') && text !== '' ? [[target.slice(4), text]] : [],
    );
    return {
      texts: { ...constants, ...texts, variables: { ...constants.variables, ...Object.fromEntries(variables) } },
      faults: empty,
    };
  };
}

function isConstant(target: string, constants: LaunchTexts): boolean {
  if (target.startsWith('var.')) return Object.hasOwn(constants.variables, target.slice(4));
  return Object.hasOwn(constants, target);
}

function splitBraces(source: string): Source['pieces'] {
  const pieces: (string | { column: string })[] = [];
  for (const [, open, column, text = ''] of source.matchAll(/(\{\{)|\{([^{}]+)\}|([^{]+|\{)/g)) {
    pieces.push(open !== undefined ? '{' : column !== undefined ? { column: column.trim() } : text);
  }
  return pieces;
}

function noColumn(name: string, columns: readonly string[]): string {
  const close = similar(name, columns);
  return `there is no column "${name}". ${close.length > 0 ? `Did you mean ${close.join(' or ')}?` : `There are: ${columns.join(', ')}.`}`;
}
