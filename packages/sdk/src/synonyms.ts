import { RunwardError } from './errors/errors.ts';
import { synonyms } from './generated/synonyms.ts';

/** What a method takes, with the word `To` in place of the property `From`. */
export type Renamed<Input, From extends keyof Input, To extends string> = Omit<Input, From> &
  (object extends Pick<Input, From> ? { readonly [Name in To]?: Input[From] } : { readonly [Name in To]: Input[From] });

/**
 * The body or query of a method, with the names that requests carry.
 *
 * @throws RunwardError if it has a property by both names
 */
export function withWireNames<Input>(operation: string, input: Input): Input {
  const names = synonyms[operation];
  if (!names || typeof input !== 'object' || input === null) return input;
  const renamed = Object.entries(input).map(([name, value]) => {
    const wireName = Object.hasOwn(names, name) ? names[name] : undefined;
    if (wireName === undefined) return [name, value] as const;
    if (!Object.hasOwn(input, wireName)) return [wireName, value] as const;
    throw new RunwardError(`${operation}: \`${name}\` and \`${wireName}\` are the same property; send one of them.`);
  });
  return Object.fromEntries(renamed) as Input;
}
