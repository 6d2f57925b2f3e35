import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repository } from '@runward/testing/program';

const lineHeight = 19;
const margin = 16;

/** Runs the demo in its own data folder. Returns its output without progress lines, which a terminal overwrites. */
export function runDemo(): string {
  const folder = mkdtempSync(join(tmpdir(), 'runward-demo-'));
  try {
    const args = ['--conditions=@runward/source', 'examples/demo/main.ts', '--data-dir', folder];
    const output = execFileSync(process.execPath, args, { cwd: repository, encoding: 'utf8' });
    return withoutProgress(output.replace(folder, '.runward/demo'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The output of the demo as it remains on a terminal. */
function withoutProgress(output: string): string {
  return output.replaceAll(/^ {2}(?:launching|run) \d+ of \d+.*\n/gm, '').trimEnd();
}

/** The output of a command on a terminal as an SVG. */
export function terminalPicture(command: string, output: string): string {
  const lines = [`$ ${command}`, ...output.split('\n')];
  const columns = Math.max(...lines.map((line) => line.length));
  const [width, height] = [Math.ceil(columns * 8.1) + 2 * margin, lines.length * lineHeight + 2 * margin];
  const rows = lines.map((line, index) => {
    const isEmphasized = index === 0 || /^ {2}\S.*\d| lost /.test(line) || index === lines.length - 1;
    const style = isEmphasized ? ' class="strong"' : '';
    return `<text x="${margin}" y="${margin + (index + 0.75) * lineHeight}"${style}>${escaped(line)}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
<title>The output of ${escaped(command)}</title>
<style>text{font:13.5px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:#b9c1cc;white-space:pre}.strong{fill:#ffffff}</style>
<rect width="100%" height="100%" rx="8" fill="#14171c"/>
${rows.join('\n')}
</svg>
`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
