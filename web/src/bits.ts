// Columns: one bit for each structure, 32 to a word. See weft.solutions.structures.
import { unzlibSync } from "fflate";

export type Bits = Uint32Array;

export function unpacked(text: string): Uint8Array {
  const binary = atob(text);
  const packed = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) packed[i] = binary.charCodeAt(i);
  return unzlibSync(packed);
}

/** The same of a text. */
export function unpackedText(text: string): string {
  return new TextDecoder().decode(unpacked(text));
}

/** Bytes as words, the first byte lowest, as every machine that runs a browser has them. */
export function words(bytes: Uint8Array): Bits {
  const copy = new Uint8Array(bytes.length + (-bytes.length & 3));
  copy.set(bytes);
  return new Uint32Array(copy.buffer);
}

export function full(number: number): Bits {
  const bits = new Uint32Array((number + 31) >>> 5).fill(0xffffffff);
  if (number & 31) bits[bits.length - 1] = 2 ** (number & 31) - 1;
  return bits;
}

export function empty(number: number): Bits {
  return new Uint32Array((number + 31) >>> 5);
}

export function and(a: Bits, b: Bits): Bits {
  const result = new Uint32Array(a.length);
  for (let i = 0; i < a.length; i++) result[i] = a[i]! & b[i]!;
  return result;
}

export function or(a: Bits, b: Bits): Bits {
  const result = new Uint32Array(a.length);
  for (let i = 0; i < a.length; i++) result[i] = a[i]! | b[i]!;
  return result;
}

export function without(a: Bits, b: Bits): Bits {
  const result = new Uint32Array(a.length);
  for (let i = 0; i < a.length; i++) result[i] = a[i]! & ~b[i]!;
  return result;
}

function ones(word: number): number {
  word -= (word >>> 1) & 0x55555555;
  word = (word & 0x33333333) + ((word >>> 2) & 0x33333333);
  return (((word + (word >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}

export function count(a: Bits): number {
  let total = 0;
  for (let i = 0; i < a.length; i++) total += ones(a[i]!);
  return total;
}

/** How many bits are set in both. */
export function common(a: Bits, b: Bits): number {
  let total = 0;
  for (let i = 0; i < a.length; i++) total += ones(a[i]! & b[i]!);
  return total;
}

export function has(a: Bits, position: number): boolean {
  return ((a[position >>> 5]! >>> (position & 31)) & 1) === 1;
}

/** The positions of the bits that are set. */
export function positions(a: Bits): Uint32Array {
  const found = new Uint32Array(count(a));
  let next = 0;
  for (let i = 0; i < a.length; i++) {
    for (let word = a[i]!; word !== 0; word &= word - 1) found[next++] = i * 32 + 31 - Math.clz32(word & -word);
  }
  return found;
}
