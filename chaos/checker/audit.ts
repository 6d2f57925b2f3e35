import { isAcknowledged, type AdminHistory, type AuditedChange } from '../history/admin-history.ts';
import type { Violation } from '../history/history.ts';

/**
 * Checks the audit log. Each acknowledged change has one line, and there is no line without a change. The lines are the
 * chain of hashes that they were written as. A change without a response may or may not have a line.
 */
export function checkAudit({
  changes,
  lines,
  brokenLog,
}: Pick<AdminHistory, 'changes' | 'lines' | 'brokenLog'>): Violation[] {
  const requested = Map.groupBy(changes, nameOf);
  const recorded = Map.groupBy(lines, nameOf);
  const names = new Set([...requested.keys(), ...recorded.keys()]);
  return [
    ...(brokenLog === null ? [] : [{ rule: 'broken chain', detail: `the audit log: ${brokenLog}` }]),
    ...[...names].flatMap((name): Violation[] => {
      const of = requested.get(name) ?? [];
      const [found, acknowledged] = [recorded.get(name)?.length ?? 0, of.filter(isAcknowledged).length];
      const most = acknowledged + of.filter(({ status }) => status === null).length;
      if (found >= acknowledged && found <= most) return [];
      const detail = `${name} has ${found} lines in the audit log; ${acknowledged} such changes were acknowledged`;
      return [{ rule: found < acknowledged ? 'lost audit line' : 'phantom audit line', detail }];
    }),
  ];
}

function nameOf({ action, email, value }: AuditedChange): string {
  return [action, email, ...(value === null ? [] : [value])].join(' ');
}
