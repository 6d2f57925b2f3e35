import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { toApiError } from '../src/errors/api-error.ts';

const folder = join(import.meta.dirname, '..', 'src', 'generated');
const files = globSync('*.ts', { cwd: folder }).map((name) => ({
  name,
  text: readFileSync(join(folder, name), 'utf8'),
}));
const everything = files.map(({ text }) => text).join('\n');

/** The doc comments of the methods. */
const methods = [...everything.matchAll(/\/\*\*((?:(?!\*\/)[^])*)\*\/\n {2}(\w+)\(/g)];

test('every method says what it does, who may call it and which errors it returns, with an example', (t) => {
  t.true(methods.length > 100);
  for (const [, doc = '', name = ''] of methods) {
    t.regex(doc, /^\n {3}\* [A-Z][^\n]*\.\n/, name);
    t.regex(doc, /\n {3}\* (Scope: `[\w:-]+`|Needs no API key|Every API key may call it)\.\n/, name);
    t.regex(doc, /\n {3}\* @throws \w+Error \(\d{3}\)/, name);
  }
  const withExample = methods.filter(([, doc = '']) => doc.includes('\n   * @example\n   * '));
  t.true(withExample.length > methods.length * 0.9);
});

test('every method, model and property has a comment', (t) => {
  for (const { name, text } of files) {
    const lines = text.split('\n');
    const bare = lines.filter(
      (line, index) =>
        // A line that ends with a comma is a parameter.
        /^ *(?:[\w$']+\??:|\w+\(|export )(?!.*,$)/.test(line) && !lines[index - 1]?.endsWith('*/'),
    );
    t.deepEqual(bare, [], name);
  }
});

test('the error classes in comments are those of their statuses', (t) => {
  const named = new Map([...everything.matchAll(/(\w+Error) \((\d{3})\)/g)].map(([, name, status]) => [status, name]));
  t.true(named.size > 8);
  for (const [status, name = ''] of named) {
    const response = new Response(null, { status: Number(status) });
    t.is(toApiError(response, '', { method: 'GET', path: '/' }, 0).name, name, status);
  }
});
