import type { Finding } from './part.ts';

/** Findings as a program reads them, in one object, or as lines with aligned columns. Ends with a line break. */
export function printed(findings: readonly Finding[], { json }: { readonly json: boolean }): string {
  return json ? `${JSON.stringify({ ok: allWork(findings), checks: findings }, null, 2)}\n` : linesOf(findings);
}

/** Whether nothing is wrong. Warnings are not. */
export function allWork(findings: readonly Finding[]): boolean {
  return findings.every(({ status }) => status !== 'WRONG');
}

function linesOf(findings: readonly Finding[]): string {
  const widthOf = (texts: readonly string[]) => Math.max(...texts.map((text) => text.length));
  const ofName = widthOf(findings.map(({ name }) => name));
  const ofStatus = widthOf(['WRONG', ...findings.map(({ status }) => status)]);
  return findings
    .map(
      ({ status, name, message }) => `${status.toLowerCase().padEnd(ofStatus)}  ${name.padEnd(ofName)}  ${message}\n`,
    )
    .join('');
}
