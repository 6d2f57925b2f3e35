import { branch, leaf, type Branch, type CommandTree, type Leaf } from '../commands/tree.ts';
import { nouns } from '../generated/nouns.ts';
import type { OperationCommand } from './operation.ts';

/** A noun: its hand-written commands, if any, followed by the generated ones, each for one operation. */
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

/**
 * Adds generated commands to the hand-written commands of a noun. `words` are the words of the noun, like `portals
 * pages`.
 */
function withOperations(handMade: CommandTree, words: string, operations: readonly OperationCommand[]): CommandTree {
  const tree: Record<string, Leaf | Branch> = { ...handMade };
  for (const operation of operations) {
    const [word = '', ...others] = operation.words.slice(words.length + 1).split(' ');
    tree[word] =
      others.length === 0
        ? leaf(summaryOf(operation), async () => (await import('./add-operation.ts')).addOperation(operation))
        : inner(handMade[word], `${words} ${word}`, operations);
  }
  return tree;
}

function summaryOf({ summary, deprecated }: OperationCommand): string {
  return deprecated === undefined ? summary : `${summary} (deprecated)`;
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
