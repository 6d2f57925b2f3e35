import { branch, leaf, type Branch, type CommandTree, type Leaf } from '../commands/tree.ts';
import { nouns } from '../generated/nouns.ts';
import type { OperationCommand } from './operation.ts';

/** The hand-written commands of a noun, followed by those that carry out one operation each. `noun` are its words, like `portals pages`. */
export function withOperations(
  handMade: CommandTree,
  noun: string,
  operations: readonly OperationCommand[],
): CommandTree {
  const tree: Record<string, Leaf | Branch> = { ...handMade };
  for (const operation of operations) {
    const [word = '', ...others] = operation.words.slice(noun.length + 1).split(' ');
    tree[word] =
      others.length === 0
        ? leaf(operation.summary, async () => (await import('./add-operation.ts')).addOperation(operation))
        : inner(handMade[word], `${noun} ${word}`, operations);
  }
  return tree;
}

function inner(
  handMade: CommandTree[string] | undefined,
  noun: string,
  operations: readonly OperationCommand[],
): Branch {
  const own = handMade && 'commands' in handMade ? handMade : null;
  const below = operations.filter(({ words }) => words.startsWith(`${noun} `));
  return branch(own?.description ?? nouns[noun] ?? '', async () =>
    withOperations((await own?.commands()) ?? {}, noun, below),
  );
}
