/** The two supported databases; queries are written once for both. */
export type DatabaseDialect = 'sqlite' | 'postgres';
