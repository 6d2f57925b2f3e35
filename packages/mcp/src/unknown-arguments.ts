import { similar } from '@runward/sdk/find';

/** A problem with the nearest of the names that were meant, or else with what to do. */
export function withSuggestion(problem: string, name: string, known: readonly string[], remedy: string): string {
  const [nearest] = similar(name, known);
  return nearest === undefined ? `${problem}; ${remedy}` : `${problem}; did you mean ${nearest}?`;
}

/**
 * One message for each argument that a tool does not have. `known` are the names of its arguments, and `inBody` those
 * of the properties of its argument `body`.
 */
export function unknownArguments(
  given: readonly string[],
  known: readonly string[],
  inBody: readonly string[] = [],
): string[] {
  const remedy = known.length === 0 ? 'this tool takes none' : `use ${known.join(', ')}`;
  return given
    .filter((name) => !known.includes(name))
    .map((name) =>
      inBody.includes(name)
        ? `${name}: unknown argument; it is a property of body`
        : withSuggestion(`${name}: unknown argument`, name, known, remedy),
    );
}
