import fc from 'fast-check';

const isHalf = (code: number): boolean => code >= 0xd800 && code <= 0xdfff;

/** Any code point except surrogates, as the `unit` of strings; fast-check's own takes a second to build. */
export const codePoint = fc
  .nat(0x10ffff)
  .filter((code) => !isHalf(code))
  .map((code) => String.fromCodePoint(code));
