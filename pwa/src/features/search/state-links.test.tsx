import { expect, test } from 'vitest';
import { openTestPage } from '../../ui/test-page.tsx';
import { StateLinks } from './StateLinks.tsx';

const count = (state: string, open: number) => ({ state, slug: state.toLowerCase(), open, total: open + 100 });

test('the eight states with most open tenders are linked, those with most first', async () => {
  const states = [
    'Bihar',
    'Goa',
    'Kerala',
    'Punjab',
    'Sikkim',
    'Tripura',
    'Manipur',
    'Assam',
    'Odisha',
    'Uttar Pradesh',
  ];
  const { texts, button, address, press } = await openTestPage(
    <StateLinks states={states.map((state, n) => count(state, n * 700))} />,
  );
  expect(texts('a')).toEqual([
    'Uttar Pradesh 6,300 open',
    'Odisha 5,600 open',
    'Assam 4,900 open',
    'Manipur 4,200 open',
    'Tripura 3,500 open',
    'Sikkim 2,800 open',
    'Punjab 2,100 open',
    'Kerala 1,400 open',
  ]);
  expect(button('Uttar Pradesh 6,300 open').getAttribute('href')).toBe('/tenders/results?state=Uttar+Pradesh');
  await press('Assam 4,900 open');
  expect(address()).toBe('/tenders/results?state=Assam');
});

test('a state without an open tender is no link, and without links there is no heading', async () => {
  expect((await openTestPage(<StateLinks states={[count('Goa', 0), count('Assam', 1)]} />)).texts('a')).toEqual([
    'Assam 1 open',
  ]);
  expect((await openTestPage(<StateLinks states={[count('Goa', 0)]} />)).text()).toBe('');
});
