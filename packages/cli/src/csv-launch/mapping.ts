import { similar } from '@runward/sdk/find';
import { usage } from '../errors.ts';
import type { LaunchTexts } from '../launch/launch-body.ts';

/** Turns the cells of a row into the texts of a launch. Reports an error for each empty cell that is required. */
export type Mapping = (cells: Readonly<Record<string, string>>) => {
  texts: LaunchTexts;
  errors: string[];
  /** The column of each variable whose cell is empty, by the key of the variable. */
  emptyColumns: ReadonlyMap<string, string>;
};

/** The source of a target: literal text and columns, in order. If it is a single column, its cell may be empty. */
interface Source {
  readonly target: string;
  readonly pieces: readonly (string | { readonly column: string })[];
}

const targets = 'title, date, owner or var.NAME';

/**
 * Reads `--map target=source`. A source is a column, or a text with columns in braces (`{{` is a literal brace).
 * `constants` apply to every row.
 *
 * @throws CliError listing every unknown target and column
 */
export function readMapping(
  specs: readonly (readonly [target: string, source: string])[],
  columns: readonly string[],
  constants: LaunchTexts,
): Mapping {
  const errors: string[] = [];
  const sources = specs.map(([target, source]): Source => {
    if (!/^(title|date|owner|var\..+)$/.test(target)) errors.push(`--map ${target}=…: unknown target; use ${targets}.`);
    if (isConstant(target, constants)) errors.push(`--map ${target}=…: an option already sets it; remove one of them.`);
    if (columns.includes(source)) return { target, pieces: [{ column: source }] };
    const pieces = splitBraces(source);
    if (!pieces.some((piece) => typeof piece !== 'string')) {
      errors.push(`--map ${target}=${source}: ${unknownColumn(source, columns)} In a text, put columns in braces.`);
    }
    for (const piece of pieces) {
      if (typeof piece === 'string' || columns.includes(piece.column)) continue;
      errors.push(`--map ${target}=${source}: ${unknownColumn(piece.column, columns)}`);
    }
    return { target, pieces };
  });
  if (errors.length > 0) throw usage(...errors);

  return (cells) => {
    const empty: string[] = [];
    const emptyColumns = new Map<string, string>();
    const mapped = sources.map(({ target, pieces }): readonly [string, string] => {
      const text = pieces.map((piece) => {
        if (typeof piece === 'string') return piece;
        const cell = cells[piece.column] ?? '';
        if (cell === '' && pieces.length > 1) empty.push(`${target}: the column "${piece.column}" is empty`);
        if (cell === '' && target.startsWith('var.')) emptyColumns.set(target.slice(4), piece.column);
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
      errors: empty,
      emptyColumns,
    };
  };
}

function isConstant(target: string, constants: LaunchTexts): boolean {
  if (target.startsWith('var.')) return Object.hasOwn(constants.variables, target.slice(4));
  return Object.hasOwn(constants, target);
}

function splitBraces(source: string): Source['pieces'] {
  const pieces: (string | { column: string })[] = [];
  for (const [, brace, column, text = ''] of source.matchAll(/(\{\{)|\{([^{}]+)\}|([^{]+|\{)/g)) {
    pieces.push(brace !== undefined ? '{' : column !== undefined ? { column: column.trim() } : text);
  }
  return pieces;
}

function unknownColumn(name: string, columns: readonly string[]): string {
  const suggestions = similar(name, columns);
  const hint =
    suggestions.length > 0 ? `Did you mean ${suggestions.join(' or ')}?` : `The columns are: ${columns.join(', ')}.`;
  return `there is no column "${name}". ${hint}`;
}
