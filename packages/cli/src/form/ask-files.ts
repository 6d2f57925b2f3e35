import { maximumFiles, traitsOf } from '@runward/engine';
import type { Io } from '../io.ts';
import type { Prompts } from '../terminal/prompts.ts';
import { fileProblem } from '../transfer/file-source.ts';
import type { Question } from './ask-field.ts';

/**
 * Asks for paths of files to upload. A FILE_UPLOAD field asks until nothing is entered; other fields take one file.
 * Attached files stay.
 */
export async function askFiles(io: Io, prompts: Prompts, { field, message, current }: Question): Promise<string[]> {
  const attached = Array.isArray(current) ? current.length : current === null ? 0 : 1;
  const most = traitsOf(field.type).isList ? maximumFiles - attached : 1;
  const paths: string[] = [];
  while (paths.length < most) {
    const isMissing = field.required && attached + paths.length === 0;
    const path = await prompts.text(question(message, attached, paths.length), {
      hint: isMissing ? 'path of a file' : 'path of a file, or nothing to go on',
      check: (entered) => {
        if (entered.trim() === '') return isMissing ? 'A file is required.' : undefined;
        return fileProblem(io, entered.trim()) ?? undefined;
      },
    });
    if (path.trim() === '') break;
    paths.push(path.trim());
  }
  return paths;
}

function question(message: string, attached: number, entered: number): string {
  if (entered > 0) return `${message} (another file)`;
  return attached > 0 ? `${message} (${attached} attached)` : message;
}
