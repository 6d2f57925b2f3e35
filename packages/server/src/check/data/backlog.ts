import { readBacklog } from '../../monitoring/create-metrics.ts';
import { mailSeconds } from '../../notifications/queries/claim-mail.ts';
import type { Backlog } from '../../telemetry/backlog-metrics.ts';
import { Problem, Warning } from '../part.ts';
import type { DataContext } from './context.ts';

const warnSeconds = 60;
const worstSeconds = 900;
const mostScans = 100;

/** Everything that waits. Mails do not wait if no mail server is set. */
export interface Waiting extends Backlog {
  readonly mailSeconds: number;
}

/** Checks how long work has been due that workers do in the background. */
export function checkBacklog({ config, read }: DataContext): Promise<string> {
  return read(async (em) =>
    judgeBacklog({
      ...(await readBacklog(em)),
      mailSeconds: config.mail === undefined ? 0 : await mailSeconds(em),
    }),
  );
}

/** Throws if something waits for longer than workers need. */
export function judgeBacklog(waiting: Waiting): string {
  const { deliverySeconds, overdueSeconds, feedSeconds, mailSeconds: ofMails, scans } = waiting;
  const ages = [
    ['the oldest due webhook delivery has waited', deliverySeconds],
    ['a deadline passed, without being detected,', overdueSeconds],
    ['an event has had no position in the feed for', feedSeconds],
    ['the oldest due mail has waited', ofMails],
  ] as const;
  const late = ages.filter(([, seconds]) => seconds > warnSeconds);
  const reasons = [
    ...late.map(([what, seconds]) => `${what} ${Math.round(seconds)} s${what.endsWith(',') ? ' ago' : ''}`),
    ...(scans > mostScans ? [`${scans} files wait for a virus scan`] : []),
  ];
  if (reasons.length === 0) return 'nothing waits for more than a minute';
  const remedy = 'check that a process with ROLE=all or ROLE=worker runs, and what it logs';
  const isWrong = late.some(([, seconds]) => seconds > worstSeconds);
  throw new (isWrong ? Problem : Warning)(reasons.join(', '), remedy);
}
