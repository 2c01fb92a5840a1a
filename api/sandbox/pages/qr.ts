/**
 * A QR code of up to 106 bytes: always version 5 (37 modules) with error correction L and mask 0 (ISO/IEC 18004). One
 * block, so nothing is interleaved.
 */
const SIZE = 37;
const DATA_BYTES = 108;
const CHECK_BYTES = 26;
const ALIGNMENT = 30;
// Format bits of level L with mask 0, from the standard's table.
const FORMAT = '111011111000100';

type Grid = (boolean | undefined)[][];

/** The code as an SVG path of unit squares on a field of 37 by 37. Throws RangeError for more than 106 bytes. */
export function qrPath(text: string): string {
  const grid: Grid = Array.from({ length: SIZE }, () => Array(SIZE).fill(undefined));
  drawPatterns(grid);
  const data = encode(Buffer.from(text));
  drawData(grid, [...data, ...checkBytes(data)]);
  return grid.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
}

function encode(bytes: Buffer): number[] {
  if (bytes.length > DATA_BYTES - 2) throw new RangeError(`${bytes.length} bytes do not fit`);
  const bits = ['0100', binary(bytes.length), ...[...bytes].map(binary), '0000'].join('');
  const data = bits.match(/.{8}/g)?.map((byte) => Number.parseInt(byte, 2)) ?? [];
  for (let filler = 0xec; data.length < DATA_BYTES; filler ^= 0xec ^ 0x11) data.push(filler);
  return data;
}

const binary = (byte: number) => byte.toString(2).padStart(8, '0');

/**
 * Reed-Solomon: the remainder of the data divided by the generator whose roots are the first powers of 2 in GF(256).
 */
function checkBytes(data: number[]): number[] {
  let generator = [1];
  for (let power = 0, root = 1; power < CHECK_BYTES; power++, root = multiply(root, 2)) {
    const shifted = [...generator, 0];
    generator = shifted.map((factor, index) => factor ^ multiply(generator[index - 1] ?? 0, root));
  }
  const rest = [...data, ...Array<number>(CHECK_BYTES).fill(0)];
  for (let index = 0; index < data.length; index++) {
    const lead = rest[index] as number;
    for (const [offset, factor] of generator.entries())
      rest[index + offset] = (rest[index + offset] as number) ^ multiply(factor, lead);
  }
  return rest.slice(data.length);
}

function multiply(left: number, right: number): number {
  let product = 0;
  for (let bit = 7; bit >= 0; bit--) {
    product = (product << 1) ^ ((product >> 7) * 0x11d);
    product ^= ((right >> bit) & 1) * left;
  }
  return product;
}

function drawPatterns(grid: Grid): void {
  for (let at = 0; at < SIZE; at++) {
    set(grid, at, 6, at % 2 === 0);
    set(grid, 6, at, at % 2 === 0);
  }
  drawRings(grid, 3, 3, 4);
  drawRings(grid, SIZE - 4, 3, 4);
  drawRings(grid, 3, SIZE - 4, 4);
  drawRings(grid, ALIGNMENT, ALIGNMENT, 2);
  for (const [index, bit] of [...FORMAT].entries()) {
    const isDark = bit === '1';
    const skip = (at: number) => (at < 6 ? at : at + 1);
    if (index < 8) set(grid, skip(index), 8, isDark);
    else set(grid, 8, skip(14 - index), isDark);
    if (index < 7) set(grid, 8, SIZE - 1 - index, isDark);
    else set(grid, SIZE - 15 + index, 8, isDark);
  }
  set(grid, 8, SIZE - 8, true);
}

/** Nested squares around a centre: all dark, except the second from within and the one around a finder. */
function drawRings(grid: Grid, x: number, y: number, radius: number): void {
  for (let dy = -radius; dy <= radius; dy++) {
    for (let dx = -radius; dx <= radius; dx++) {
      const ring = Math.max(Math.abs(dx), Math.abs(dy));
      const isLight = radius === 4 ? ring === 2 || ring === 4 : ring === 1;
      set(grid, x + dx, y + dy, !isLight);
    }
  }
}

function set(grid: Grid, x: number, y: number, isDark: boolean): void {
  const row = grid[y];
  if (row && x >= 0 && x < SIZE) row[x] = isDark;
}

/** Fills pairs of columns from the right, alternately upwards and downwards, skipping used modules. */
function drawData(grid: Grid, bytes: number[]): void {
  const bits = bytes.map(binary).join('');
  let next = 0;
  for (let right = SIZE - 1; right > 0; right -= 2) {
    if (right === 6) right = 5;
    const isUpward = ((right + 1) & 2) === 0;
    for (let step = 0; step < SIZE; step++) {
      const y = isUpward ? SIZE - 1 - step : step;
      for (const x of [right, right - 1]) {
        if (grid[y]?.[x] !== undefined) continue;
        const isMasked = (x + y) % 2 === 0;
        set(grid, x, y, (bits[next++] === '1') !== isMasked);
      }
    }
  }
}
