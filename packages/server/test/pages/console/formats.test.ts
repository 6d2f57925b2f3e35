import test from 'ava';
import { formatsFor } from '../../../src/pages/console/formats.ts';

test('a number is shown with all of its 15 digits, in the language of the browser', (t) => {
  const { number } = formatsFor('en', 'UTC');
  t.is(number(0.000_123_456_789_012_345), '0.000123456789012345');
  t.is(number(123_456_789_012.345), '123,456,789,012.345');
  t.is(number(0.1 + 0.2), '0.3');
  t.is(number(12_000), '12,000');
  t.is(formatsFor('de', 'UTC').number(1234.5678), '1.234,5678');
});
