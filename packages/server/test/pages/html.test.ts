import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { html } from '../../src/pages/html.ts';

test('a template escapes text, leaves markup as it is, joins lists and leaves out what is absent', (t) => {
  const name = `<a href="x">'&`;
  t.is(html`<p>${name}</p>`.toString(), '<p>&lt;a href=&quot;x&quot;&gt;&#39;&amp;</p>');
  t.is(html`<p>${html`<b>${name}</b>`}</p>`.toString(), '<p><b>&lt;a href=&quot;x&quot;&gt;&#39;&amp;</b></p>');
  t.is(html`${[1, ['<', html`<br />`]]}${false}${null}${undefined}${0}`.toString(), '1&lt;<br />0');
});

test('attributes with values are quoted, and no template has styles, or scripts except files of the service', (t) => {
  const folder = join(import.meta.dirname, '../../src/pages');
  const files = globSync('**/*.ts', { cwd: folder });
  t.true(files.length > 10);
  for (const file of files) {
    const source = readFileSync(join(folder, file), 'utf8');
    t.notRegex(source, /\s[\w-]+=\$\{/, file);
    t.notRegex(source, /<style|\sstyle=|\son\w+=|hx-on|js:/, file);
    const mayLoad = file.startsWith('console') || file === 'sign-in/passkey-form.ts';
    t.notRegex(source, mayLoad ? /<script(?![^>]* src="\$\{assetPath\()/ : /<script/, file);
    if (file !== 'console/scripted.ts') t.notRegex(source, /\shx-(?!morph-skip)/, file);
  }
});
