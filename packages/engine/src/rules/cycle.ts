import { findCycles } from '../cycles.ts';
import type { ProcessDocument } from '../process.ts';
import { graphOf, targetsOf, type PlacedRule } from './graph.ts';

/**
 * Finds cycles of rules: each rule changes what the next one reads, and the last changes what the first reads. If there
 * is none, an order exists in which every rule follows all rules that can change what it reads.
 */
export function findRuleCycles(document: ProcessDocument): readonly (readonly PlacedRule[])[] {
  const { rules, readers } = graphOf(document);
  return findCycles(rules, ({ rule }) =>
    rule.actions.flatMap(targetsOf).flatMap((target) => readers.get(target) ?? []),
  );
}
