/** The parts of PouchDB that the specs use, which has no types; its answers are those of CouchDB. */
declare module 'pouchdb-core' {
  /** A database; rejects with an error that has a `status`, as CouchDB would answer. */
  class PouchDB {
    static plugin(adapter: object): typeof PouchDB;
    constructor(name: string, options: { readonly adapter: 'memory' });
    get(id: string): Promise<{ readonly _id: string; readonly _rev: string }>;
    post(document: object): Promise<{ readonly id: string; readonly rev: string }>;
    put(document: object): Promise<{ readonly id: string; readonly rev: string }>;
    allDocs(options: { readonly include_docs: boolean }): Promise<object>;
    destroy(): Promise<object>;
  }
  export default PouchDB;
}

declare module 'pouchdb-adapter-memory' {
  const adapter: object;
  export default adapter;
}
