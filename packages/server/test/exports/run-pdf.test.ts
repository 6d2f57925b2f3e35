import type { FieldValue } from '@runward/contract';
import { newOrganization, type TestOrganization } from '@runward/testing/organization';
import { launchRun, must } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { hostileText, inspectPdf, testWithPoppler } from '../support/inspect-pdf.ts';
import { publishDraft } from '../support/templates.ts';
import { newFileId } from '../support/world/files.ts';

const app = useSharedApp(test);
async function exportPdf({ apiKey }: Pick<TestOrganization, 'apiKey'>, id: string) {
  const response = await fetch(`${app.baseUrl}/runs/${id}/export/pdf`, {
    headers: { authorization: `Bearer ${apiKey}` },
  });
  return { response, bytes: Buffer.from(await response.arrayBuffer()) };
}

async function newForm(org: TestOrganization, values: Readonly<Record<string, FieldValue>>) {
  const labels = [...Object.keys(values), 'Signature'];
  const templateId = await publishDraft(org.api, [
    {
      title: 'Form',
      repeatable: false,
      approval: { policy: 'ANY', allowSelfApproval: true },
      fields: labels.map((label) => ({
        label,
        type: label === 'Signature' ? ('SIGNATURE' as const) : ('LONG_TEXT' as const),
      })),
    },
    { title: 'جمع المستندات 42' },
    { title: 'العقد الأول' },
    { title: 'Проверка · Έλεγχος · עברית · 中文 · 한국어' },
  ]);
  const made = await launchRun(org.api, templateId, { title: `Audit ${hostileText}` });
  const { data } = await must(org.api.call('templates', 'publishedFields', { params: { id: templateId } }));
  const fieldId = (label: string) => data.find((field) => field.label === label)?.runTaskFieldId ?? '';
  const { runTaskId } = made.byTitle('Form');
  const { id: executionEntryId } = await must(org.api.call('execution', 'open', { body: { runTaskId } }));
  await newFileId(org, { entry: executionEntryId, fileField: fieldId('Signature') });
  for (const [label, value] of Object.entries(values)) {
    const body = { executionEntryId, runTaskFieldId: fieldId(label), value };
    await must(org.api.call('execution', 'submit', { body }));
  }
  const comment = `Fine. ${hostileText}`;
  await must(org.api.call('runs.tasks', 'approve', { params: { taskId: runTaskId }, body: { comment } }));
  await must(
    org.api.call('runs.tasks', 'comment', { params: { taskId: runTaskId }, body: { text: `*Said* ${hostileText}` } }),
  );
  return { ...made, comment };
}

testWithPoppler('the PDF of a run has all of it as searchable text, embedded fonts, tags and metadata', async (t) => {
  const org = await newOrganization(app, { timeZone: 'Europe/Berlin' });
  const word = 'x'.repeat(10_000);
  const made = await newForm(org, {
    Note: `${hostileText}\nSecond line`,
    'Long *label*': word,
    Control: 'a\u0001b\u202Ec\tEnd',
    Empty: '   ',
  });
  const { response, bytes } = await exportPdf(org, made.id);
  t.is(response.status, 200);
  t.is(response.headers.get('content-type'), 'application/pdf');
  t.is(response.headers.get('content-disposition'), `attachment; filename="${made.publicId}.pdf"`);
  t.regex(bytes.toString('latin1'), /<pdfuaid:part>1</);

  const { text, words, info, fonts, structure } = await inspectPdf(bytes);
  for (const expected of [
    `Note ${hostileText}`,
    'Second line',
    `*Said* ${hostileText}`,
    made.id,
    made.publicId,
    'Europe/Berlin',
    'Approval',
    'pixel.gif',
    'Every change of the run',
    'Проверка · Έλεγχος',
    '中文',
    '한국어',
    // A word with letters above and below the line, and one with a ligature of lam and alef.
    'العقد',
    'الأول',
  ])
    t.true(words.includes(expected), expected);
  t.true(words.includes('Granted by'), words);
  t.true(text.replaceAll(/[^x]/g, '').length >= 10_000);
  const { activityHash, version } = await must(org.api.call('runs', 'get', { params: { id: made.id } }));
  t.true(words.includes(activityHash));
  t.regex(words, new RegExp(` ${version} \\d+ \\w+ \\d{4}, [\\d:]{8} `));

  const pages = Number(/^Pages: +(\d+)$/m.exec(info)?.[1]);
  t.true(words.includes(`Page ${pages} of ${pages}`), info);
  t.regex(info, /^Tagged: +yes$/m);
  t.true(info.includes(`Title:           Audit ${hostileText} (${made.publicId})`), info);
  t.true(fonts.length >= 5);
  for (const font of fonts) t.regex(font, / yes yes yes +\d+ +0$/);
  for (const family of ['NotoSans-', 'Amiri', 'NotoSansHebrew', 'NotoSansHans', 'NotoSansKR']) {
    t.true(
      fonts.some((font) => font.includes(family)),
      family,
    );
  }
  for (const tag of ['H1', 'H2', 'Table', 'TH', 'Figure']) t.regex(structure, new RegExp(`^ *${tag}\\b`, 'm'));
});

testWithPoppler('a run without visible tasks, and characters that no font has, still make a PDF', async (t) => {
  const org = await newOrganization(app);
  const templateId = await publishDraft(org.api, [{ title: 'Task' }]);
  const made = await launchRun(org.api, templateId, { title: 'Emoji \u{1F642} \uFFFE\u0378' });
  const { words, info } = await inspectPdf((await exportPdf(org, made.id)).bytes);
  t.true(words.includes('Emoji'));
  t.true(words.includes('Run launched as'));
  t.regex(info, /^Tagged: +yes$/m);
});

test('texts that were hostile to the layout make a PDF in seconds', async (t) => {
  const org = await newOrganization(app);
  const marks = [
    '\u0301',
    '\u200b\u0301',
    '\u2060\u0301',
    ' \u0301',
    'א\u05b0\u05b0',
    '\u064b',
    '\ufe0f',
    '\u2067',
    '\u202b\u202aa',
  ];
  const values = marks.map((unit, index) => [`Text ${index}`, `a${unit.repeat(10_000 / unit.length - 1)}`] as const);
  // The compiler aborts when all of a line is at the deepest level of embedding, as the second line of this text is.
  const deepest = `${'\u2066\u2067'.repeat(62)}${'字'.repeat(48)}`;
  const { id } = await newForm(org, { ...Object.fromEntries(values), Deepest: deepest });
  const { response, bytes } = await exportPdf(org, id);
  t.is(response.status, 200, String(bytes.subarray(0, 500)));
});

test('a run whose title has only characters that are not printed makes a PDF with its id as heading', async (t) => {
  const org = await newOrganization(app);
  const templateId = await publishDraft(org.api, [{ title: 'Task' }]);
  const { id } = await launchRun(org.api, templateId, { title: '\u202e\u2066' });
  const { bytes } = await exportPdf(org, id);
  t.regex(bytes.toString('latin1'), /<pdfuaid:part>1</);
});

testWithPoppler('texts of wide letters stay inside the page', async (t) => {
  const org = await newOrganization(app);
  const wide = ['W', 'm', 'Щ', 'Ｗ', '⸻', 'ﷺ', 'ᙱ'].map((letter) => letter.repeat(20));
  const text = [...wide, 'W'.repeat(48)].join(' ');
  const templateId = await publishDraft(org.api, [{ title: text, fields: [{ label: text, type: 'LONG_TEXT' }] }]);
  const made = await launchRun(org.api, templateId, { title: 'W'.repeat(30) + text });
  const { data } = await must(org.api.call('templates', 'publishedFields', { params: { id: templateId } }));
  const { runTaskId } = made.byTitle(text);
  const { id: executionEntryId } = await must(org.api.call('execution', 'open', { body: { runTaskId } }));
  const body = { executionEntryId, runTaskFieldId: data[0]?.runTaskFieldId ?? '', value: text };
  await must(org.api.call('execution', 'submit', { body }));
  const { boxes } = await inspectPdf((await exportPdf(org, made.id)).bytes);
  t.true(boxes.length > 50);
  // A4 is 595 points wide.
  t.deepEqual(
    boxes.filter(({ right }) => right > 575),
    [],
  );
});

test('PDFs that are requested at once are made one after the other; the resource scope applies', async (t) => {
  const org = await newOrganization(app);
  const templateId = await publishDraft(org.api, [{ title: 'Task' }]);
  const { id } = await launchRun(org.api, templateId);
  const made = await Promise.all(Array.from({ length: 6 }, () => exportPdf(org, id)));
  for (const { response, bytes } of made) {
    t.is(response.status, 200);
    t.is(bytes.subarray(0, 5).toString(), '%PDF-');
  }
  const path = `/runs/${id}/export/pdf`;
  const other = await publishDraft(org.api, [{ title: 'Other' }]);
  const scope = { resourceMode: 'SELECTED_TEMPLATES', scopedTemplateIds: [other] } as const;
  t.is((await (await org.key({ scopes: ['runs:read'], ...scope })).raw('GET', path)).status, 403);
  t.is((await (await org.key({ scopes: ['runs:write'] })).raw('GET', path)).status, 403);
  t.is((await (await newOrganization(app)).api.raw('GET', path)).status, 404);
});
