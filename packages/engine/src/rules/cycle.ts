import type { ProcessDocument } from '../process.ts';
import { findCycle } from '../cycles.ts';
import { graphOf, targetsOf, type PlacedRule } from './graph.ts';

/**
 * The rules of a cycle, in order: each changes what the next one reads, and the last what the first one reads. Null if there is none, so
 * that every rule can be evaluated after all rules that can change what it reads.
 */
export function findRuleCycle(document: ProcessDocument): readonly PlacedRule[] | null {
  const { rules, readers } = graphOf(document);
  return findCycle(rules, ({ rule }) => rule.actions.flatMap(targetsOf).flatMap((target) => readers.get(target) ?? []));
}
