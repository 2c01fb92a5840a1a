import { EMPTY_FILTER } from '@nivida/contract/filter/tender-filter';
import { expect, test } from 'vitest';
import { openTestPage } from '../../../ui/test-page.tsx';
import { PlaceFields } from './PlaceFields.tsx';

test('districts and departments have the number of their own tenders, those with most first', async () => {
  const counts = { districts: { Solan: 1, Mandi: 7 }, departments: { Forest: 2, PWD: 5 } };
  const { press, texts, hasButton } = await openTestPage(
    <PlaceFields
      {...{ place: { ...EMPTY_FILTER, state: 'Himachal Pradesh' }, anyState: 'All states' }}
      {...{ facets: { counts, isLoading: false }, onChange: () => undefined }}
    />,
  );
  await expect.poll(() => hasButton('All districts')).toBe(true);
  await press('All districts');
  expect(texts('li')).toEqual(['Mandi 7 tenders', 'Solan 1 tender']);
  await press('All districts');
  await press('All departments');
  expect(texts('li')).toEqual(['PWD 5 tenders', 'Forest 2 tenders']);
});
