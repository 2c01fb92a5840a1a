import { expect, test } from 'vitest';
import { normalUnit } from './units.ts';

const SAME: Record<string, string[]> = {
  cum: [
    ...['cum', 'Cum', 'CUM.', 'cu.m', 'Cu. M.', 'Cu.Mtr', 'Cu. Mtrs.', 'Cumt', 'm3', 'm³', 'M^3', 'Cubic Metre'],
    ...['Cubic  Meters', 'per cum', 'Per Cubic Metre', '1 cum', '1.00 Cum', '/cum', 'cub.m', 'घन मीटर', 'प्रति घन मीटर'],
  ],
  sqm: [
    ...[
      'sqm',
      'Sq.m',
      'Sq. M.',
      'SQM',
      'sq.mtr',
      'Sq. Mtrs',
      'Sqmt.',
      'm2',
      'm²',
      '㎡',
      'Square Metre',
      'square meters',
    ],
    ...['Per Sqm', 'वर्ग मीटर', '१ वर्ग मीटर'],
  ],
  m: [
    ...[
      'm',
      'M',
      'Mtr',
      'Mtrs.',
      'metre',
      'Meters',
      'RM',
      'R.M.',
      'Rmt',
      'R.Mt.',
      'Rmtr',
      'running metre',
      'R/M',
      'R.MT',
      'per metre',
    ],
    ...['Rg.m', 'Linear Metre', 'मीटर'],
  ],
  no: ['no', 'No.', 'Nos', 'NOS.', 'Each', 'each', 'per each', 'Number', 'Numbers', 'Pcs', 'Piece', 'नग'],
  tonne: ['tonne', 'Tonnes', 'MT', 'M.T.', 'M. T', 'Per MT', 'Metric Tonne', 'metric tons', 'Ton', 'टन'],
  kg: ['kg', 'Kg.', 'KGS', 'kilogram', 'Kilogrammes', 'किग्रा', 'कि.ग्रा.'],
  quintal: ['Quintal', 'Qtl', 'Qtls.', 'Qntl', 'क्विंटल'],
  km: ['km', 'Km.', 'KMs', 'Kilometre', 'per km', 'किमी'],
  litre: ['Ltr', 'litre', 'Litres', 'Lit.', 'लीटर'],
  sqft: ['sqft', 'Sq. Ft.', 'Sft', 'square feet'],
  cft: ['cft', 'Cu.ft', 'Cubic Foot'],
  'lump sum': ['LS', 'L.S.', 'Lump Sum', 'lumpsum', 'L/S'],
  '100 sqm': ['100 sqm', '100 Sq.Mtr', 'per 100 Sqm', '100.00 m2', '% sqm', '%sqm', 'Hundred Sqm', 'per hundred sqm'],
  '1000 no': ['1000 Nos', '1,000 Nos.', 'per thousand nos', '‰ Nos'],
  '10 cum': ['10 cum', '10Cum', 'per 10 Cu.M', '10.0 m3'],
  '0.5 cum': ['0.5 cum'],
  job: ['job', 'Jobs', 'Per Job'],
  brass: ['Brass', 'brass'],
  'cum km': ['Cum/Km', 'cum-km', 'CUM KM'],
};

test.each(Object.entries(SAME))('%s', (unit, spellings) => {
  expect(Object.fromEntries(spellings.map((spelling) => [spelling, normalUnit(spelling)]))).toEqual(
    Object.fromEntries(spellings.map((spelling) => [spelling, unit])),
  );
});

test('units that only look alike stay apart', () => {
  const different = [
    'cum',
    'sqm',
    'm',
    '10 cum',
    '100 cum',
    'cft',
    'cm',
    'km',
    'mm',
    'month',
    'mt',
    'MT',
    'set',
    'job',
    'LS',
  ];
  expect(new Set(different.map(normalUnit)).size).toBe(different.length);
});

test('"mt" can be a metre or a metric tonne, so it is neither', () => {
  expect(normalUnit('mt')).toBe('mt');
  expect(normalUnit('Mt.')).toBe('mt');
});

test.each(['', '  ', '-', '1', '100', '%', '...', 'per'])('"%s" is no unit', (text) => {
  expect(normalUnit(text)).toBeNull();
});

test('a unit of a unit is itself', () => {
  for (const unit of Object.keys(SAME)) expect(normalUnit(unit)).toBe(unit);
});
