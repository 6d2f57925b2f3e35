import type { FieldValue } from '@runward/contract';
import type { ProcessDocument, RuleSource, VariableValue } from '../process.ts';
import type { Target } from '../rules/graph.ts';
import { isOpen } from '../state.ts';
import type { GroupOutcome, GroupOutcomes } from './outcomes.ts';
import { pickFrom } from './random.ts';
import type { Choices } from './search.ts';
import type { Walk } from './walk.ts';

/** One way through a template, with example values that lead to it. */
export interface SimulatedPath {
  /**
   * Values for what rules read on this path, in a possible order; null means empty. All other fields can have any
   * value.
   */
  readonly choices: readonly { readonly source: RuleSource; readonly value: FieldValue }[];
  /** The tasks that are completed, in order. */
  readonly completedTaskIds: readonly string[];
  /** The visible tasks that are left open when the run ends. */
  readonly openTaskIds: readonly string[];
  readonly hiddenTaskIds: readonly string[];
  /** Hidden fields of visible tasks. */
  readonly hiddenFieldIds: readonly string[];
  /** The visible tasks that rules assign. */
  readonly assigned: readonly {
    readonly taskId: string;
    readonly assigneeId: string | null;
    readonly assigneeGroupId: string | null;
  }[];
  /** The variables that rules set. */
  readonly variables: Readonly<Record<string, VariableValue>>;
  /** Whether the run is completed at the end. */
  readonly completed: boolean;
}

/** The number of paths: the product of the numbers of outcomes per group. At most the largest finite number. */
export function countPaths(groups: readonly GroupOutcomes[]): number {
  return Math.min(
    Number.MAX_VALUE,
    groups.reduce((product, { outcomes }) => product * outcomes.length, 1),
  );
}

/** The choices of each path. If there are more than `limit` paths, a sample of that size. */
export function* pathsOf(groups: readonly GroupOutcomes[], limit: number): Generator<Choices> {
  const count = countPaths(groups);
  if (count > limit) {
    const pick = pickFrom(limit);
    const drawn = new Set<string>();
    // Random repetitions are rare. If there are too many, the sample is smaller than `limit`.
    for (let tries = limit * 10; tries > 0 && drawn.size < limit; tries -= 1) {
      const indexes = groups.map(({ outcomes }) => pick(outcomes.length));
      const key = indexes.join();
      if (!drawn.has(key)) yield combined(groups.map(({ outcomes }, at) => outcomes[indexes[at] ?? 0]));
      drawn.add(key);
    }
    return;
  }
  for (let number = 0; number < count; number += 1) {
    let left = number;
    const parts = groups.map(({ outcomes }) => {
      const outcome = outcomes[left % outcomes.length];
      left = Math.floor(left / outcomes.length);
      return outcome;
    });
    yield combined(parts);
  }
}

/** The choices of a few paths that together show every task and field that is visible on any path. */
export function* coveringPaths(groups: readonly GroupOutcomes[]): Generator<Choices> {
  const left = new Set(groups.flatMap(({ outcomes }) => outcomes.flatMap(({ shown }) => shown)));
  const gain = ({ shown }: GroupOutcome) => shown.filter((target) => left.has(target)).length;
  do {
    const best = groups.map(({ outcomes }) =>
      outcomes.reduce<GroupOutcome | undefined>(
        (found, other) => (found && gain(found) >= gain(other) ? found : other),
        undefined,
      ),
    );
    yield combined(best);
    for (const target of best.flatMap((outcome) => outcome?.shown ?? [])) left.delete(target);
  } while (left.size > 0);
}

/** A path as it turned out. */
export function toPath({ tasks }: ProcessDocument, choices: Choices, { run, completed }: Walk): SimulatedPath {
  const shown = run.tasks.filter(({ hidden }) => !hidden);
  return {
    choices: [...choices].map(([input, value]) => ({ source: sourceAt(input), value })),
    completedTaskIds: completed.map(({ id }) => id),
    openTaskIds: run.tasks.filter(isOpen).map(({ definition }) => definition.id),
    hiddenTaskIds: tasks.map(({ id }) => id).filter((id) => shown.every(({ definition }) => definition.id !== id)),
    hiddenFieldIds: shown.flatMap(({ hiddenFieldIds }) => hiddenFieldIds),
    assigned: shown.flatMap(({ definition, assigneeId, assigneeGroupId }) => {
      const isSame = assigneeId === definition.assigneeId && assigneeGroupId === definition.assigneeGroupId;
      return isSame ? [] : [{ taskId: definition.id, assigneeId, assigneeGroupId }];
    }),
    variables: run.ruleVariables,
    completed: run.status === 'COMPLETED',
  };
}

function combined(parts: readonly (GroupOutcome | undefined)[]): Choices {
  return new Map(parts.flatMap((outcome) => [...(outcome?.choices ?? [])]));
}

function sourceAt(input: Target): RuleSource {
  const name = input.slice(input.indexOf(':') + 1);
  return input.startsWith('variable:') ? { type: 'VARIABLE', key: name } : { type: 'FIELD', fieldId: name };
}
