import { findCycle } from '../cycles.ts';
import type { ProcessDocument } from '../process.ts';
import { graphOf, targetsOf, type PlacedRule } from './graph.ts';

/**
 * Finds a cycle of rules: each changes what the next one reads, and the last changes what the first reads. Null if
 * there is none; then an order exists in which every rule follows all rules that can change what it reads.
 */
export function findRuleCycle(document: ProcessDocument): readonly PlacedRule[] | null {
  const { rules, readers } = graphOf(document);
  return findCycle(rules, ({ rule }) => rule.actions.flatMap(targetsOf).flatMap((target) => readers.get(target) ?? []));
}
