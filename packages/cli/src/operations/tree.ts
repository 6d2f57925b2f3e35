import { branch, leaf, type Branch, type CommandTree, type Leaf } from '../commands/tree.ts';
import { nouns } from '../generated/nouns.ts';
import type { OperationCommand } from './operation.ts';

/** A noun with its hand-written commands, if it has some, followed by those that carry out one operation each. */
export function noun(
  name: string,
  description: string,
  generated: () => Promise<{ readonly operations: readonly OperationCommand[] }>,
  handMade?: () => Promise<{ readonly commands: CommandTree }>,
): Branch {
  return branch(description, async () =>
    withOperations((await handMade?.())?.commands ?? {}, name, (await generated()).operations),
  );
}

/** Adds the commands of operations below a noun to its hand-written ones. `words` are its words, like `portals pages`. */
function withOperations(handMade: CommandTree, words: string, operations: readonly OperationCommand[]): CommandTree {
  const tree: Record<string, Leaf | Branch> = { ...handMade };
  for (const operation of operations) {
    const [word = '', ...others] = operation.words.slice(words.length + 1).split(' ');
    tree[word] =
      others.length === 0
        ? leaf(operation.summary, async () => (await import('./add-operation.ts')).addOperation(operation))
        : inner(handMade[word], `${words} ${word}`, operations);
  }
  return tree;
}

function inner(
  handMade: CommandTree[string] | undefined,
  words: string,
  operations: readonly OperationCommand[],
): Branch {
  const own = handMade && 'commands' in handMade ? handMade : null;
  const below = operations.filter((each) => each.words.startsWith(`${words} `));
  return branch(own?.description ?? nouns[words] ?? '', async () =>
    withOperations((await own?.commands()) ?? {}, words, below),
  );
}
