/** A part as a caller sends it, and its path in the document. */
interface Located {
  readonly path: string;
  readonly id?: string | undefined;
}

/** The ids of the new parts of a list. */
export interface Identities {
  /** The id of the part at an index of the list. */
  readonly idAt: (index: number) => string;
  /** The ids of new parts, by the names that other parts use to refer to them. */
  readonly ids: ReadonlyMap<string, string>;
  readonly problems: readonly string[];
}

/**
 * Gives each part an id: its own if the current document has it, otherwise a new one. Rejects unknown and repeated ids.
 */
export function identify(
  kind: 'phase' | 'task' | 'field' | 'rule' | 'variable',
  current: readonly { readonly id: string }[],
  parts: readonly Located[],
  newId: () => string,
): Identities {
  const known = new Set(current.map(({ id }) => id));
  const paths = new Map<string, string>();
  const ids = new Map<string, string>();
  const problems: string[] = [];
  const resolved = parts.map(({ path, id }) => {
    if (id === undefined) return newId();
    const first = paths.get(id);
    if (first !== undefined) problems.push(`${path}.id: ${first} already has the id ${id}; use each id once`);
    else if (!known.has(id) && !id.startsWith('new:')) {
      problems.push(`${path}.id: the draft has no ${kind} ${id}; omit the id to create a ${kind}`);
    }
    const own = known.has(id) ? id : newId();
    if (first === undefined) {
      paths.set(id, path);
      ids.set(id, own);
    }
    return own;
  });
  return { idAt: (index) => resolved[index] ?? '', ids, problems };
}
