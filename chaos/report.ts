import type { Verdict } from './checker/check.ts';
import type { FaultKind, History, UploadedFile } from './history/history.ts';

/** The counts of a chaos run, one per line. `sent` is the number of requests from clients. */
export function counts(
  {
    faults,
    operations,
    events,
    received,
    deliveries,
    runs,
    activity,
    uploads,
    downloads,
    store,
    rows,
    portal,
    keys,
    admin,
    console,
    mail,
  }: History,
  sent: number,
  verdict: Verdict,
): string[] {
  const of = (kind: FaultKind, word = '') =>
    faults.filter((fault) => fault.kind === kind && fault.name.includes(word)).length;
  const { byKill, byDatabase, unexplained } = verdict.duplicates;
  const { notifications, mails, received: receptions } = mail;
  const withStatus = (status: string) => mails.filter((each) => each.status === status).length;
  const { byKill: mailsByKill, byDatabase: mailsByDatabase, unexplained: mailsUnexplained } = verdict.repeatedMails;
  const answered = operations.filter(({ status }) => status !== null).length;
  const factsOf = (type: string) => activity.filter((fact) => fact.type === type).length;
  const failed = deliveries.filter(({ status }) => status === 'FAILED').length;
  const during = [
    'upload file',
    'send content',
    'confirm file',
    'delete file',
    'send form',
    'change member',
    'create form link',
    'revoke form link',
    'a scan',
    'a mail',
    'mails.write',
    'runs.detect-overdue',
  ].map((step) => `${of('kill', step)} during ${step}`);
  const uploaded = (is: (file: UploadedFile) => boolean) => uploads.filter(is).length;
  const found = activity.filter(({ type }) => type === 'file.removed').length;
  return [
    `kills ${of('kill')} (api ${of('kill', 'api')}, worker ${of('kill', 'worker')}; ${during.join(', ')})`,
    `restarts ${of('restart')} (fast ${of('restart', 'fast')}, immediate ${of('restart', 'immediate')})`,
    `stalls ${of('stall')}`,
    `restarts in order ${of('stop')} (api ${of('stop', 'api')}, worker ${of('stop', 'worker')})`,
    `requests ${sent} (${answered} writes with a response, ${operations.length - answered} without; ${runs.length} runs)`,
    `migrations ${factsOf('run.migrated')}, runs synchronized with published rules ${factsOf('run.rules_synchronized')}`,
    `approvals requested ${factsOf('approval.requested')}, granted ${factsOf('approval.granted')}, rejected ${factsOf('approval.rejected')}, invalidated ${factsOf('approval.invalidated')}`,
    `files uploaded ${uploads.length} (${uploaded(({ isDeleted }) => isDeleted === true)} deleted, ${found} infected), downloaded ${downloads.filter(({ sha256 }) => sha256 !== null).length}, left by crashes and removed ${store.orphans.length}`,
    `bulk requests for rows ${rows.operations.length} (${rows.operations.filter(({ status }) => status === null).length} without a response; ${rows.rows.length} rows left)`,
    `visits of a portal ${portal.visits.length} (${portal.visits.filter(({ status }) => status === 404).length} while it was unpublished; ${portal.changes.length} publications and their ends)`,
    `keys revoked ${keys.revocations.length} (${keys.requests.length} requests with them, ${keys.requests.filter(({ status }) => status === 401).length} rejected; ${keys.revocations.filter(({ to }) => to === null).length} revocations without a response)`,
    `administrative changes ${admin.changes.length} (${admin.changes.filter(({ status }) => status === null).length} without a response; ${admin.members.length} members, ${admin.links.length} form links, ${admin.links.filter(({ isRevoked }) => isRevoked).length} revoked), ${admin.lines.length} lines of the audit log; links opened ${admin.visits.filter(({ isOpened }) => isOpened).length}, refused ${admin.visits.filter(({ isOpened }) => !isOpened).length}`,
    `forms sent in the console ${console.forms.length} (${console.forms.filter(({ sends }) => sends > 1).length} more than once, ${console.forms.filter(({ status }) => status === null).length} without a response; ${console.forms.filter(({ button }) => button === 'complete').length} to complete their task)`,
    `reminders ${factsOf('task.due_soon')}, notifications ${notifications.length} (${notifications.filter(({ droppedReason }) => droppedReason !== null).length} dropped)`,
    `mails ${mails.length} (${withStatus('SENT')} sent, ${withStatus('BOUNCED')} bounced, ${withStatus('FAILED')} failed), received ${receptions.length} (${receptions.filter(({ reply }) => reply === 451).length} answered with 4xx, ${receptions.filter(({ reply }) => reply === 'drop').length} connections dropped)`,
    `mails repeated after a final answer ${mailsByKill + mailsByDatabase + mailsUnexplained} (${mailsByKill} after a kill, ${mailsByDatabase} after a database fault, ${mailsUnexplained} unexplained)`,
    `events ${events.length} (${deliveries.length} deliveries, ${failed} failed)`,
    `attempts ${received.length}`,
    `duplicates ${byKill + byDatabase + unexplained} (${byKill} after a kill, ${byDatabase} after a database fault, ${unexplained} unexplained)`,
    `lost ${verdict.lost}`,
    `violations ${verdict.violations.length}`,
  ];
}
