import { WriteStream } from 'node:tty';
import { styleText } from 'node:util';
import type { Io, OutputStream } from '../io.ts';

/** A text in a style, if the stream shows colors. */
export function styled(style: 'bold' | 'red', text: string, stream: OutputStream, env: Io['env']): string {
  return hasColors(stream, env) ? styleText(style, text, { validateStream: false }) : text;
}

function hasColors(stream: OutputStream, env: Io['env']): boolean {
  // Like in Node, FORCE_COLOR also applies to streams that are not terminals.
  if (env['FORCE_COLOR'] !== undefined) return WriteStream.prototype.getColorDepth(env) > 2;
  return stream.isTTY === true && (stream.getColorDepth?.(env) ?? 1) > 2;
}
