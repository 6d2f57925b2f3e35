import type { FileRow, History, UploadedFile, Violation } from '../history/history.ts';

type Rules = readonly (readonly [rule: string, isViolated: boolean])[];

/**
 * Checks files. Every file whose upload succeeded is attached and stored unchanged. Of a file that a client deleted or
 * that is infected, nothing is left. No infected or deleted file was served. After the daily job, every row has its
 * bytes, and all stored bytes have a row.
 */
export function checkFiles(
  history: Pick<History, 'uploads' | 'downloads' | 'files' | 'attached' | 'activity' | 'store'>,
): Violation[] {
  const { uploads, downloads, files, attached, activity, store } = history;
  const rows = new Map(files.map((row) => [row.id, row]));
  const places = new Set(attached.map(({ entryId, fileId }) => `${entryId} ${fileId}`));
  const removals = activity.filter(({ type }) => type === 'file.removed').map(({ line }) => line.data['fileId']);
  const violations: Violation[] = [];
  const report = (rules: Rules, detail: string) => {
    for (const [rule, isViolated] of rules) if (isViolated) violations.push({ rule, detail });
  };

  for (const upload of uploads) {
    const isAttached = places.has(`${upload.entryId} ${upload.id}`);
    const removed = removals.filter((id) => id === upload.id).length;
    report(rulesOf(upload, { row: rows.get(upload.id), isAttached, removed }), `file ${upload.id}`);
  }
  for (const { id, status, scanStatus, sha256, storedSha256 } of files) {
    const isKept = status === 'STORED' && scanStatus !== 'INFECTED';
    report(
      [
        ['file not examined', status === 'STORED' && scanStatus === 'PENDING'],
        ['lost bytes', isKept && storedSha256 === null],
        ['file changed', isKept && storedSha256 !== null && storedSha256 !== sha256],
      ],
      `file ${id} (${scanStatus})`,
    );
  }
  for (const { entryId, fileId } of attached) {
    const detail = `the value of entry ${entryId} names file ${fileId}`;
    report([['lost file', rows.get(fileId)?.status !== 'STORED']], detail);
  }
  const byId = new Map(uploads.map((upload) => [upload.id, upload]));
  for (const { fileId, sha256, afterDeletion } of downloads) {
    const upload = byId.get(fileId);
    const isServed = sha256 !== null;
    report(
      [
        ['infected file served', isServed && upload?.isInfected === true],
        ['deleted file served', isServed && afterDeletion],
        ['file changed', isServed && sha256 !== upload?.sha256],
        ['rejected', !isServed && !afterDeletion && upload?.isInfected === false],
      ],
      `download of file ${fileId}`,
    );
  }
  for (const key of store.rowsWithoutBytes) report([['lost bytes', true]], key);
  for (const key of store.left) report([['orphaned bytes', true]], key);
  return violations;
}

function rulesOf(
  { isInfected, isDeleted, sha256 }: UploadedFile,
  { row, isAttached, removed }: { row: FileRow | undefined; isAttached: boolean; removed: number },
): Rules {
  if (isInfected) {
    return [
      ['infected file kept', row?.scanStatus !== 'INFECTED' || isAttached],
      ['infected file not reported', removed !== 1],
    ];
  }
  const rules: Rules = [['file removed by the service', removed > 0]];
  if (isDeleted === null) return rules;
  if (isDeleted) return [...rules, ['deleted file kept', row !== undefined || isAttached]];
  return [
    ...rules,
    ['lost file', row?.status !== 'STORED' || !isAttached],
    ['file changed', row !== undefined && row.sha256 !== sha256],
  ];
}
