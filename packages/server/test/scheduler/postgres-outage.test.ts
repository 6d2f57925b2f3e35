import test from 'ava';
import { jobOutageSuite } from '../support/scheduler-outage-suite.ts';
import { openPostgresStore } from '../support/job-stores.ts';

jobOutageSuite(test, 'PostgreSQL', openPostgresStore);
