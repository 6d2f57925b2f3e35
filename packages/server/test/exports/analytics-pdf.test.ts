import { newOrganization, type TestOrganization } from '@runward/testing/organization';
import { launchRun, must, publishProcess } from '@runward/testing/process';
import { useSharedApp } from '@runward/testing/use-shared-app';
import test from 'ava';
import { hostileText, inspectPdf, testWithPoppler } from '../support/inspect-pdf.ts';

const app = useSharedApp(test);

async function exportPdf({ apiKey }: Pick<TestOrganization, 'apiKey'>, query = '') {
  const response = await fetch(`${app.baseUrl}/runs/analytics/export/pdf${query}`, {
    headers: { authorization: `Bearer ${apiKey}` },
  });
  return { response, bytes: Buffer.from(await response.arrayBuffer()) };
}

const percent = (rate: number | null) => (rate === null ? '–' : `${(rate * 100).toFixed(1)} %`);
const seconds = (time: number | null) => (time === null ? '–' : `${time.toFixed(1)} s`);

/** Runs of two templates in every status, and a task that was completed by the member to whom it is assigned. */
async function newRuns(org: TestOrganization) {
  const names = [hostileText, 'Prüfung · Проверка · جمع · 中文'] as const;
  const templates = [];
  for (const name of names) templates.push(await publishProcess(org.api, [{ title: 'Sign *here*' }], { name }));
  const [first, second] = templates.map(({ templateId }) => templateId) as [string, string];
  const assignee = await org.member('Ada _Lovelace_');
  for (let index = 0; index < 3; index += 1) {
    const run = await launchRun(org.api, first, { title: `Run ${index}` });
    const { runTaskId: taskId } = run.byTitle('Sign *here*');
    await must(org.api.call('runs.tasks', 'setAssignee', { params: { taskId }, body: { assigneeId: assignee.id } }));
    if (index > 0)
      await must(org.api.call('runs.tasks', 'setStatus', { params: { taskId }, body: { status: 'COMPLETED' } }));
  }
  const { id } = await launchRun(org.api, second);
  await must(org.api.call('runs', 'cancel', { params: { id } }));
  return { first, second };
}

testWithPoppler(
  'the PDF of analytics has their figures as searchable text, a chart with an alternative text, and tags',
  async (t) => {
    const org = await newOrganization(app, { timeZone: 'Europe/Berlin' });
    const { first } = await newRuns(org);
    const figures = await must(org.api.call('analytics', 'advanced'));
    const { range, byStatus, cycleTimeSeconds: cycle } = figures;
    // By default it ends today, which may be another day by now.
    const { response, bytes } = await exportPdf(org, `?from=${range.from}&to=${range.to}`);
    t.is(response.status, 200);
    t.is(response.headers.get('content-type'), 'application/pdf');
    t.is(response.headers.get('content-disposition'), `attachment; filename="analytics-${range.from}-${range.to}.pdf"`);
    t.regex(bytes.toString('latin1'), /<pdfuaid:part>1</);

    const { words, info, fonts, structure } = await inspectPdf(bytes);
    const expected = [
      'Europe/Berlin',
      'All templates',
      `Runs ${figures.total} 0`,
      `Completion rate ${percent(figures.completionRate)} –`,
      `On-time rate ${percent(figures.onTimeRate)} –`,
      `Cycle time, average ${seconds(cycle.average)} –`,
      `Cycle time, median ${seconds(cycle.median)} –`,
      `Cycle time, 90th percentile ${seconds(cycle.p90)} –`,
      `Overdue tasks ${figures.overdueTasks}`,
      `Completed ${byStatus.COMPLETED}`,
      `Cancelled ${byStatus.CANCELLED}`,
      ...figures.byAssignee.map(
        ({ name, openTasks, overdueTasks, completedTasks, durationSeconds: { median, p90 } }) =>
          `${name} ${openTasks} ${overdueTasks} ${completedTasks} ${seconds(median)} ${seconds(p90)}`,
      ),
    ];
    for (const text of expected) t.true(words.includes(text), `${text} is not in ${words}`);
    for (const { total, byStatus: of, completionRate, onTimeRate, cycleTimeSeconds } of [
      ...figures.byTemplate,
      ...figures.byOwner,
    ]) {
      const { average, median, p90 } = cycleTimeSeconds;
      const numbers = [
        total,
        of.RUNNING,
        of.OVERDUE,
        of.COMPLETED,
        of.CANCELLED,
        percent(completionRate),
        percent(onTimeRate),
      ];
      const row = [...numbers, seconds(average), seconds(median), seconds(p90)].join(' ');
      t.true(words.includes(row), `${row} is not in ${words}`);
    }
    const [bottleneck] = figures.bottlenecks;
    t.truthy(bottleneck);
    t.true(
      words.includes(`${bottleneck?.completedTasks} ${seconds(bottleneck?.durationSeconds.median ?? null)}`),
      words,
    );
    const joined = words.replaceAll(/[\s\u200b]/g, '');
    for (const text of ['#read("/etc/passwd") *bold*', 'Sign *here*', 'Проверка', '中文'])
      t.true(joined.includes(text.replaceAll(' ', '')), text);

    const pages = Number(/^Pages: +(\d+)$/m.exec(info)?.[1]);
    t.true(words.includes(`Page ${pages} of ${pages}`), info);
    t.regex(info, /^Tagged: +yes$/m);
    t.regex(info, /^Title: +Run analytics, /m);
    for (const font of fonts) t.regex(font, / yes yes yes +\d+ +0$/);
    for (const tag of ['H1', 'H2', 'Table', 'TH', 'Figure']) t.regex(structure, new RegExp(`^ *${tag}\\b`, 'm'));

    const filtered = await inspectPdf((await exportPdf(org, `?templateId=${first}`)).bytes);
    t.true(filtered.words.includes(`Template ${hostileText}`), filtered.words);
    t.regex(filtered.words, / Runs 3 0 /);
    t.false(filtered.words.includes('Проверка'));
  },
);

testWithPoppler('a period without runs, and one of ten years, still make a PDF', async (t) => {
  const org = await newOrganization(app);
  const empty = await inspectPdf((await exportPdf(org, '?from=2016-01-01&to=2016-01-01')).bytes);
  t.true(empty.words.includes('There are no runs in this period.'), empty.words);
  t.true(empty.words.includes('Period 1 January 2016 to 1 January 2016'), empty.words);
  t.regex(empty.words, / Runs 0 0 /);

  const { templateId } = await publishProcess(org.api);
  await launchRun(org.api, templateId);
  const { range } = await must(org.api.call('analytics', 'summary'));
  const from = `${Number(range.to.slice(0, 4)) - 9}-01-01`;
  const { response, bytes } = await exportPdf(org, `?from=${from}&to=${range.to}`);
  t.is(response.status, 200);
  const { words, info } = await inspectPdf(bytes);
  t.regex(words, / Runs 1 0 /);
  t.regex(info, /^Tagged: +yes$/m);
});

testWithPoppler('a key with a resource mode gets the PDF of its templates only', async (t) => {
  const org = await newOrganization(app);
  const { first, second } = await newRuns(org);
  const scope = { resourceMode: 'SELECTED_TEMPLATES', scopedTemplateIds: [second] } as const;
  const apiKey = await org.plainKey({ scopes: ['runs:read'], ...scope });
  const { response, bytes } = await exportPdf({ apiKey });
  t.is(response.status, 200);
  const { words } = await inspectPdf(bytes);
  t.regex(words, / Runs 1 0 /);
  t.true(words.includes('All templates of the API key'), words);
  t.false(words.includes('#read'));
  t.is((await exportPdf({ apiKey }, `?templateId=${first}`)).response.status, 403);
  t.is((await exportPdf({ apiKey: await org.plainKey({ scopes: ['runs:write'] }) })).response.status, 403);
});
