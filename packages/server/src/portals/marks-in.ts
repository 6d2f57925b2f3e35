import type { Block } from '@runward/contract';

/** The most marks that the texts of a page have together. Rendering them takes about half a second. */
export const maximumMarks = 30_000;

/**
 * How much there is to render in a Markdown text: its marks, which may begin or end something. A line counts as three,
 * and an opening bracket as ten, because the end of a link is looked for from each. A row of a table gets as many cells
 * as the first one, even if it is empty.
 */
export function marksIn(markdown: string): number {
  const text = markdown.replaceAll(/\r\n?/g, '\n');
  let marks = count(text, /[|*_`~<>!&\\-]/g) + 3 * count(text, /\n/g) + 10 * count(text, /\[/g);
  for (const part of text.split(/\n\s*\n/)) {
    const columns = part.split('\n').map((line) => count(line, /\|/g));
    marks += columns.length * Math.max(...columns);
  }
  return marks;
}

/** A problem with the first text that brings those of a page above the limit. */
export function checkMarks(blocks: readonly Block[]): string[] {
  let marks = 0;
  for (const [index, block] of blocks.entries()) {
    if (block.type === 'TEXT') marks += marksIn(block.markdown);
    if (marks > maximumMarks) {
      return [
        `blocks[${index}].markdown: the texts of a page can have at most ${maximumMarks} marks, such as lines, brackets and cells of tables; use fewer, or move text to another page`,
      ];
    }
  }
  return [];
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
