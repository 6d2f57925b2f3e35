import { join } from 'node:path';
import type { AttachedFile, Client, PublishedField } from '@runward/sdk';
import type { NewHire } from './new-hires.ts';

const signature = join(import.meta.dirname, 'signature.png');

/** Whether a field holds files that the demo has. */
export function takesFile({ type }: PublishedField): boolean {
  return type === 'FILE_UPLOAD' || type === 'SIGNATURE';
}

/**
 * Uploads the signature, or a document about the new hire, to a field of an entry. Returns the new value of the field.
 */
export async function attachFile(
  runward: Client,
  executionEntryId: string,
  { type, label, runTaskFieldId }: PublishedField,
  hire: NewHire,
): Promise<string | string[]> {
  if (type === 'SIGNATURE') return (await runward.files.upload(executionEntryId, runTaskFieldId, signature)).id;
  const document = new File([pdf(`${label}: ${hire.name}, from ${hire.startDate}`)], `${label}, ${hire.name}.pdf`);
  return [(await runward.files.upload(executionEntryId, runTaskFieldId, document)).id];
}

/** Downloads all files of these runs. Throws if the content of a file differs from the upload. */
export async function downloadFiles(runward: Client, runIds: readonly string[]): Promise<AttachedFile[]> {
  const files: AttachedFile[] = [];
  for (const runId of runIds) files.push(...(await runward.files.list({ runId }).toArray({ limit: 100 })));
  for (const { id } of files) await (await runward.files.download(id)).arrayBuffer();
  return files;
}

/** A page with one line of text. */
function pdf(line: string): string {
  const text = line.normalize('NFD').replaceAll(/[^ -~]|[()\\]/g, '');
  const content = `BT /F1 18 Tf 72 720 Td (${text}) Tj ET`;
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>',
    `<</Length ${content.length}>>stream\n${content}\nendstream`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
  ];
  let file = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = file.length;
    file += `${index + 1} 0 obj${object}endobj\n`;
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}`;
  return `${file}${table}trailer<</Size ${objects.length + 1}/Root 1 0 R>>\nstartxref\n${file.length}\n%%EOF\n`;
}
