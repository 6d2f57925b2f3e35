import type { Verdict } from './check/check.ts';
import type { Evidence, Kind } from './evidence.ts';

/** The counts, a line each. */
export function counts(
  { incidents, deeds, events, received, deliveries, runs }: Evidence,
  sent: number,
  verdict: Verdict,
): string[] {
  const of = (kind: Kind, word = '') =>
    incidents.filter((incident) => incident.kind === kind && incident.name.includes(word)).length;
  const { byKill, byDatabase, unexplained } = verdict.duplicates;
  const answered = deeds.filter(({ status }) => status !== null).length;
  const failed = deliveries.filter(({ status }) => status === 'FAILED').length;
  return [
    `kills ${of('kill')} (api ${of('kill', 'api')}, worker ${of('kill', 'worker')})`,
    `restarts ${of('restart')} (fast ${of('restart', 'fast')}, immediate ${of('restart', 'immediate')})`,
    `stalls ${of('stall')}`,
    `requests ${sent} (${answered} writes answered, ${deeds.length - answered} not; ${runs.length} runs)`,
    `events ${events.length} (${deliveries.length} deliveries, ${failed} of them shown as failed)`,
    `attempts ${received.length}`,
    `duplicates ${byKill + byDatabase + unexplained} (${byKill} by a kill, ${byDatabase} by the database, ${unexplained} unexplained)`,
    `lost ${verdict.lost}`,
    `violations ${verdict.violations.length}`,
  ];
}
