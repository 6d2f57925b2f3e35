import type { Run } from '@runward/sdk';
import { inWords } from '../../../words.ts';
import { html, type Child } from '../../html.ts';
import { consolePaths } from '../../paths.ts';
import type { ConsoleRequest } from '../console-page.ts';
import { chosenPage, nextPageLink } from '../next-page.ts';

/** The files of a run with links to download them; nothing if it has none. */
export async function filesSection(request: ConsoleRequest, run: Run): Promise<Child> {
  const { api, formats } = request;
  const files = await api.files.list({ runId: run.id, ...chosenPage(request, 'files'), total: 'bounded' });
  if (files.total === 0) return null;
  const item = ({ id, fileName, size, scanStatus }: (typeof files.data)[number]) => {
    const isClean = scanStatus === 'CLEAN' || scanStatus === 'SKIPPED';
    const name = html`<bdi>${fileName}</bdi>`;
    return html`<li>
      ${isClean ? html`<a href="${consolePaths.files}/${id}">${name}</a>` : name}
      <span class="soft">${formats.number(Math.ceil(size / 1024))} KiB</span>
      ${!isClean && html`<span class="badge">Virus scan: ${inWords(scanStatus)}</span>`}
    </li>`;
  };
  return html`<section aria-labelledby="files">
    <h2 id="files">Files</h2>
    <ul class="plain">
      ${files.data.map((file) => item(file))}
    </ul>
    ${nextPageLink(request, files.nextCursor, { name: 'files', text: 'More files', anchor: 'files' })}
  </section>`;
}
