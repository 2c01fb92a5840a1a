import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { UnreadableFileError } from '../source-tender.ts';
import { checkCsvStructure } from './csv-shape.ts';
import { checkGepnic, readGepnic } from './gepnic-csv.ts';

const HEADER = 'Tender ID,Title,Organisation Chain,Publish Date,Bid Submission End Date';
const ROW = '2026_PWD_1_1,"Repair of ""old"" path,\nward 4",PWD,02-Nov-2026 09:00 AM,28-Nov-2026 11:00 AM';

/** The rows, or the reason for none. The text arrives in chunks of `size` bytes; of one byte, so every position is a border. */
async function verdict(read: (input: Readable) => Promise<number>, text: string, size: number) {
  const bytes = Buffer.from(text);
  const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) =>
    bytes.subarray(n * size, (n + 1) * size),
  );
  return read(Readable.from(chunks, { objectMode: false })).catch((error) => {
    expect(error).toBeInstanceOf(UnreadableFileError);
    return 'refused';
  });
}

const countChecked = async (input: Readable) => (await checkGepnic(input)).rows;

async function countRead(input: Readable): Promise<number> {
  let rows = 0;
  for await (const _row of readGepnic(input, { portal: 'hptenders', state: 'Himachal Pradesh' })) rows++;
  return rows;
}

describe('the shape check agrees with the parser', () => {
  test.each([
    ['whole', `${HEADER}\n${ROW}\n${ROW}\n`, 2],
    ['without a last line break', `${HEADER}\n${ROW}`, 1],
    ['with Windows line breaks', `${HEADER}\r\n${ROW}\r\n${ROW}\r\n`, 2],
    ['with both kinds of line breaks', `${HEADER}\n${ROW}\r\n${ROW}\n`, 2],
    ['with a byte order mark', `\ufeff${HEADER}\n${ROW}\n`, 1],
    ['with blank lines', `${HEADER}\n\n${ROW}\n  \n${ROW}\n\n\n`, 2],
    ['with a short row in the middle', `${HEADER}\na,b\n${ROW}\n`, 2],
    ['with a last row that is too long', `${HEADER}\n${ROW},x\n`, 1],
    ['with a row of more than a megabyte', `${HEADER}\n2026_PWD_2_1,"${'a,'.repeat(600_000)}",PWD,x,y\n${ROW}\n`, 2],
    ['with a NUL byte', `${HEADER}\n2026_PWD_2_1,a\0b,PWD,x,y\n${ROW}\n`, 2],
    ['with a quoted header', `${HEADER.replace('Title', '"Title"')}\n${ROW}\n`, 1],
    ['header only', `${HEADER}\n`, 0],
    ['empty', '', 'refused'],
    ['cut in a row', `${HEADER}\n${ROW}\n2026_PWD_2_1,Path`, 'refused'],
    ['cut in a row before blank lines', `${HEADER}\n${ROW}\n2026_PWD_2_1,Path\n\n \n`, 'refused'],
    ['cut in a quoted value', `${HEADER}\n${ROW}\n2026_PWD_2_1,"Pa`, 'refused'],
    ['with a last line of empty quotes', `${HEADER}\n${ROW}\n""\n`, 1],
    ['with lines of spaces, tabs and quoted spaces', `${HEADER}\n \t\n${ROW}\n" \t"\r\n"\n"\n\t`, 1],
    ['with a line of a quoted quote', `${HEADER}\n${ROW}\n""""\n`, 'refused'],
    ['with empty quotes', `${HEADER}\n2026_PWD_2_1,"",PWD,x,y\n${ROW}\n`, 2],
    ['with a quote within a value', `${HEADER}\n2026_PWD_2_1,a "b" c,PWD,x,y\n`, 'refused'],
    ['with text behind a closing quote', `${HEADER}\n2026_PWD_2_1,"a" b,PWD,x,y\n`, 'refused'],
    ['with another header', 'a,b\n1,2\n', 'refused'],
  ])('%s', async (_name, text, expected) => {
    // A long text takes seconds byte by byte.
    for (const size of text.length > 100_000 ? [997, 100_000] : [1, 7, 100_000]) {
      expect(await verdict(countChecked, text, size)).toBe(expected);
      expect(await verdict(countRead, text, size)).toBe(expected);
    }
  });
});

test.each([
  ['no', [ROW, ROW.replace('_1_1', '_2_1')], false],
  ['the same id', [ROW, ROW.replace('_1_1', '_2_1'), ROW.replace('02-Nov', '03-Nov')], true],
  ['the same id in quotes, with spaces', [ROW, ROW.replace('2026_PWD_1_1', '" 2026_PWD_1_1 "')], true],
])('the shape check finds rows that may name the same tender: %s', async (_name, rows, mayRepeat) => {
  const text = [HEADER, ...rows].join('\n');
  expect(await checkGepnic(Readable.from([Buffer.from(text)], { objectMode: false }))).toEqual({
    rows: rows.length,
    mayRepeat,
  });
});

describe('a row of a limited length', () => {
  const check = (...lines: string[]) =>
    checkCsvStructure(
      Readable.from([Buffer.from(lines.join('\n'))], { objectMode: false }),
      { row: 20, quoted: 40 },
      () => 0,
    );
  const unclosed = 'is truncated or damaged: the quote in the row at line 3 is never closed';

  test('may have as many bytes as a row with a quote, in each row', async () => {
    const row = `"${'a'.repeat(34)}",b`;
    expect(await check('a,b', `${row}x`, `${row}x`, row)).toMatchObject({ rows: 3 });
    await expect(check('a,b', row, `${row}xx`, row)).rejects.toThrow(unclosed);
  });

  test('has a quote in the wrong place, or one that was never closed', async () => {
    await expect(check('a,b', 'c,d', `${'a'.repeat(19)}"`, 'c,d')).rejects.toThrow(
      'is not CSV: line 3 has a quote in the middle of a field',
    );
    await expect(check('a,b', 'c,d', `${'a'.repeat(20)}"`, 'c,d')).rejects.toThrow(unclosed);
    await expect(check('a,b', 'c,d', `"${'a'.repeat(17)}"b`, 'c,d')).rejects.toThrow(
      'is not CSV: line 3 continues after a closing quote',
    );
    await expect(check('a,b', 'c,d', `"${'a'.repeat(18)}"b`, 'c,d')).rejects.toThrow(unclosed);
  });
});

test('the key column may stand anywhere, and rows may repeat when there are two of it', async () => {
  const check = (...lines: string[]) =>
    checkGepnic(Readable.from([Buffer.from(lines.join('\n'))], { objectMode: false })).then(
      ({ mayRepeat }) => mayRepeat,
    );
  const header = '"Title",Organisation Chain,Tender ID,Publish Date,Bid Submission End Date';
  const row = (id: string, title = 'Path') => `"${title}",PWD,${id},02-Nov-2026 09:00 AM,28-Nov-2026 11:00 AM`;
  expect(await check(header, row('2026_PWD_1_1'), row('2026_PWD_2_1'))).toBe(false);
  expect(await check(header, row('2026_PWD_1_1'), row('2026_PWD_1_1', 'Wall, repaired'))).toBe(true);
  expect(await check(`\ufeff${header}`, row('2026_PWD_1_1'), '', row('2026_PWD_1_1', 'Wall'))).toBe(true);
  const twice = `${HEADER},Tender Id`;
  expect(await check(twice, `${ROW},2026_PWD_1_1`, `${ROW.replace('_1_1', '_2_1')},2026_PWD_2_1`)).toBe(true);
});

test.each([
  [
    'a quote that is never closed',
    '2026_PWD_2_1,"Path,PWD,x,y\n2026_PWD_3_1,Wall,PWD,x,y',
    'is truncated or damaged: the quote in the row at line 4 is never closed',
  ],
  [
    'a quote that only a later row of a megabyte closes',
    `2026_PWD_2_1,"Path,PWD,x,y\n${'2026_PWD_3_1,Wall,PWD,x,y\n'.repeat(40_000)}2026_PWD_4_1,"Wall",PWD,x,y`,
    'is truncated or damaged: the quote in the row at line 4 is never closed',
  ],
  ['a quote within a value', '2026_PWD_2_1,a "b" c,PWD,x,y', 'is not CSV: line 4 has a quote in the middle of a field'],
  ['text behind a closing quote', '2026_PWD_2_1,"a" b,PWD,x,y', 'is not CSV: line 4 continues after a closing quote'],
  ['too few columns at its end', '2026_PWD_2_1,Path', 'is truncated: line 4 ends after 2 of 5 columns'],
])('the shape check names the line of %s, also after a value of two lines', async (_fault, row, message) => {
  const text = [HEADER, ROW, row].join('\n');
  await expect(checkGepnic(Readable.from([Buffer.from(text)], { objectMode: false }))).rejects.toThrow(message);
});
