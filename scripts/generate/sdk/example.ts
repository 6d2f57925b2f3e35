import { examples } from '@runward/contract/examples';

/** What a call of a method looks like. */
interface Sample {
  readonly operation: string;
  /** The arguments before the body. */
  readonly path: readonly string[];
  readonly hasBody: boolean;
  /** The names of the query parameters that are required. */
  readonly query: readonly string[];
  /** The name of the result; null if there is none. */
  readonly result: string | null;
  readonly isList: boolean;
}

/** An example of a call, with the recorded body. Empty if a body without files has no recorded example. */
export function exampleOf({ operation, path, hasBody, query, result, isList }: Sample): string {
  const body = examples[operation]?.request;
  if (hasBody && body === undefined) return '';
  const values = [
    ...path,
    ...(hasBody ? [codeOf(body)] : []),
    ...(query.length > 0 ? [`{ ${query.join(', ')} }`] : []),
  ];
  const call = `runward.${operation}(${values.join(', ')})`;
  if (isList) return `for await (const item of ${call}) console.log(item);`;
  return `${result === null ? '' : `const ${result} = `}await ${call};`;
}

/** JSON as code: on one line if it is short. */
function codeOf(value: unknown, indent = ''): string {
  if (typeof value === 'string')
    return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`;
  if (typeof value !== 'object' || value === null) return String(value);
  const inner = `${indent}  `;
  const isArray = Array.isArray(value);
  const parts = (within: string) =>
    isArray
      ? value.map((item) => codeOf(item, within))
      : Object.entries(value).map(
          ([key, item]) => `${/^[A-Za-z_]\w*$/.test(key) ? key : `'${key}'`}: ${codeOf(item, within)}`,
        );
  const [open, close, space] = isArray ? ['[', ']', ''] : ['{', '}', ' '];
  const line = `${open}${space}${parts(indent).join(', ')}${space}${close}`;
  if (line.length <= 80 && !line.includes('\n')) return line.replace('{  }', '{}');
  return `${open}\n${parts(inner)
    .map((part) => `${inner}${part},`)
    .join('\n')}\n${indent}${close}`;
}
