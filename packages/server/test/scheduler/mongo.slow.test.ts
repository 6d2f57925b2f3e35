import { until } from '@runward/testing/until';
import test from 'ava';
import { MongoClient } from 'mongodb';
import { counting, openJobBench } from '../support/scheduler/bench.ts';
import { mongoTestUrl, openMongoStore } from '../support/scheduler/job-stores.ts';
import { schedulerSuite } from '../support/scheduler/suite.ts';

if (mongoTestUrl) schedulerSuite(test, 'MongoDB', openMongoStore);
else test.skip('jobs on MongoDB; run them with: npm run test:mongo', () => {});

(mongoTestUrl ? test : test.skip)('MongoDB: a task can have one row only, also after the data was lost', async (t) => {
  const bench = await openJobBench(t, openMongoStore);
  await bench.start([counting('single')]);
  const client = await MongoClient.connect(bench.store.urls.jobsUrl ?? '');
  t.teardown(() => client.close());
  for (let round = 0; round < 2; round += 1) {
    await until(async () => (await bench.store.names()).all.length === 1, 'the row', 20);
    const another = client.db().collection('runward_jobs').insertOne({ name: 'single', type: 'single' });
    await t.throwsAsync(another, { code: 11_000 });
    await bench.store.clear();
  }
});
