/** The two databases behind one query code. */
export type DatabaseDialect = 'sqlite' | 'postgres';
