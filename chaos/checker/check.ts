import type { History, Violation } from '../history/history.ts';
import { checkApprovals } from './approvals.ts';
import { checkAudit } from './audit.ts';
import { checkChains } from './chains.ts';
import { checkConsole } from './console.ts';
import { checkCounters } from './counters.ts';
import { checkDeliveries } from './deliveries.ts';
import { checkDuplicates, type Duplicates } from './duplicates.ts';
import { checkEvents } from './events.ts';
import { checkFeed } from './feed.ts';
import { checkFiles } from './files.ts';
import { checkKeys } from './keys.ts';
import { checkLinks } from './links.ts';
import { checkMails } from './mails.ts';
import { checkMembers } from './members.ts';
import { checkNotifications } from './notifications.ts';
import { checkOperations } from './operations.ts';
import { checkOverdue } from './overdue.ts';
import { checkPortal } from './portal.ts';
import { checkProcesses, checkStops } from './processes.ts';
import { checkReminders } from './reminders.ts';
import { checkRows } from './rows.ts';
import { checkVersions } from './versions.ts';

/** The result of the checker. */
export interface Verdict {
  readonly violations: readonly Violation[];
  /** How many of the violations report a loss. */
  readonly lost: number;
  readonly duplicates: Duplicates;
  /** The same of mails. */
  readonly repeatedMails: Duplicates;
}

/**
 * Checks a history against the promises of the service. Pure. `end` is the time of the last observation, in epoch
 * milliseconds.
 */
export function check(history: History, end: number): Verdict {
  const { violations: repeated, duplicates } = checkDuplicates(history);
  const mails = checkMails(history, end);
  const violations = [
    ...checkOperations(history),
    ...checkChains(history),
    ...checkEvents(history),
    ...checkDeliveries(history),
    ...repeated,
    ...checkOverdue(history, end),
    ...checkReminders(history, end),
    ...checkNotifications(history),
    ...mails.violations,
    ...checkFeed(history),
    ...checkFiles(history),
    ...checkCounters(history),
    ...checkVersions(history),
    ...checkApprovals(history),
    ...checkRows(history.rows),
    ...checkPortal(history.portal),
    ...checkKeys(history.keys),
    ...checkMembers(history.admin),
    ...checkLinks(history.admin),
    ...checkAudit(history.admin),
    ...checkConsole(history),
    ...checkProcesses(history),
    ...checkStops(history),
  ];
  const { repeated: repeatedMails } = mails;
  return {
    violations,
    duplicates,
    repeatedMails,
    lost: violations.filter(({ rule }) => rule.startsWith('lost')).length,
  };
}
