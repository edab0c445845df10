import fc from 'fast-check';

const isHalf = (code: number): boolean => code >= 0xd800 && code <= 0xdfff;

/** Any code point but the halves of others, as a `unit` of texts; fast-check's own takes a second to make. */
export const codePoint = fc
  .nat(0x10ffff)
  .filter((code) => !isHalf(code))
  .map((code) => String.fromCodePoint(code));
