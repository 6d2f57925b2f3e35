import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from '@runward/testing/program';

/** A fenced block of code in a page. */
export interface Block {
  readonly page: string;
  /** The line of the page that opens it, from 1. */
  readonly line: number;
  /** Empty if the page does not say. */
  readonly language: string;
  readonly text: string;
}

/** The README files and the guides. */
export const pages: readonly string[] = [
  'README.md',
  ...globSync('{packages/*/README.md,clients/*/README.md,docs/guides/*.md}', { cwd: repository }).toSorted(),
];

/** The blocks of a page, in their order. */
export function blocksOf(page: string): readonly Block[] {
  const text = readFileSync(join(repository, page), 'utf8');
  return [...text.matchAll(/^( *)```(\w*).*\n([^]*?)^ *```$/gm)].map(
    ({ index, 1: indent = '', 2: language = '', 3: code = '' }) => ({
      page,
      line: text.slice(0, index).split('\n').length,
      language,
      text: code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
    }),
  );
}

/** How a block is named in tables and failures. */
export function placeOf({ page, line }: Block): string {
  return `${page}:${line}`;
}

/** The command lines of a shell block, without comments. Lines that end in a backslash are joined with the next one. */
export function commandLinesOf({ text }: Block): readonly string[] {
  return text
    .replaceAll(/ \\\n\s*/g, ' ')
    .split('\n')
    .map((line) => line.replace(/(?:^|\s+)# .*$/, '').trim())
    .filter((line) => line !== '');
}

/** A page, and the beginning of a block on it, without line breaks and indentation. */
export type BlockName = readonly [page: string, start: string, ...rest: unknown[]];

/** Whether a block has this name. */
export function isNamed(block: Block, [page, start]: BlockName): boolean {
  return block.page === page && block.text.replaceAll(/\s+/g, ' ').startsWith(start);
}

/** The text of the block with this name. Empty if there is none. */
export function textOf(page: string, start: string): string {
  return blocksOf(page).find((block) => isNamed(block, [page, start]))?.text ?? '';
}
