import fc from 'fast-check';

/** Data as JSON gives it; with few texts two of them are alike now and then. */
export const json = (text?: fc.Arbitrary<string>): fc.Arbitrary<unknown> =>
  fc
    .jsonValue({ maxDepth: 2, ...(text ? { stringUnit: text } : {}) })
    .map((value) => JSON.parse(JSON.stringify(value)) as unknown);
