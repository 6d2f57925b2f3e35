import type { Evidence, Violation } from '../evidence.ts';
import { checkAnswers } from './check-answers.ts';
import { checkDeliveries } from './check-deliveries.ts';
import { checkDuplicates, type Duplicates } from './check-duplicates.ts';
import { checkEvents } from './check-events.ts';
import { checkFeed } from './check-feed.ts';
import { checkOverdue } from './check-overdue.ts';
import { checkProcesses } from './check-processes.ts';

/** What the checker found. */
export interface Verdict {
  readonly violations: readonly Violation[];
  /** How many of them are about something that is gone. */
  readonly lost: number;
  readonly duplicates: Duplicates;
}

/** Holds everything against what the service promises. Pure. `end` is when the system was last looked at, in epoch milliseconds. */
export function check(evidence: Evidence, end: number): Verdict {
  const { violations: repeated, duplicates } = checkDuplicates(evidence);
  const violations = [
    ...checkAnswers(evidence),
    ...checkEvents(evidence),
    ...checkDeliveries(evidence),
    ...repeated,
    ...checkOverdue(evidence, end),
    ...checkFeed(evidence),
    ...checkProcesses(evidence),
  ];
  return { violations, duplicates, lost: violations.filter(({ rule }) => rule.startsWith('lost')).length };
}
