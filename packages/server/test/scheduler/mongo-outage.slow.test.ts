import test from 'ava';
import { mongoTestUrl, openMongoStore } from '../support/scheduler/job-stores.ts';
import { schedulerOutageSuite } from '../support/scheduler/outage-suite.ts';

if (mongoTestUrl) schedulerOutageSuite(test, 'MongoDB', openMongoStore);
else test.skip('outages of jobs on MongoDB; run them with: npm run test:mongo', () => {});
