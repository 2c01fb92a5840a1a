import { expect, test } from 'vitest';
import { csvLine } from './csv.ts';

test.each([
  ['10.50', '10.50'],
  ['-3', '-3'],
  ['Verma Builders', 'Verma Builders'],
  ['3 Sons, Ltd', '"3 Sons, Ltd"'],
  ['-1+1', '"\'-1+1"'],
  ['+91 98160', '"\'+91 98160"'],
  ['+919816012345', '"\'+919816012345"'],
  ['1"2', '"1""2"'],
  ['1\n2', '"1\n2"'],
  ['1\r2', '"1\r2"'],
  [' 1', '" 1"'],
  ['=1+1', '"\'=1+1"'],
  ['@SUM(A1)', '"\'@SUM(A1)"'],
  ['\t=1', '"\'\t=1"'],
  ['\uff1d1', '"\'\uff1d1"'],
  ['\uff0b1', '"\'\uff0b1"'],
  ['\uff0d1', '"\'\uff0d1"'],
  ['\uff20A1', '"\'\uff20A1"'],
])(
  '%j becomes the CSV cell %s; only cells that cannot be read as a formula or another cell are unquoted',
  (text, cell) => {
    expect(csvLine([text, 'end'])).toBe(`${cell},end\r\n`);
  },
);
