/**
 * Who reads what the team built with a wallet, with its amounts and recipients: members who may use the wallet, whoever
 * began it, and in whose hands it was put. For everyone else there is none.
 */
import { sql, type Expression, type SqlBool } from 'kysely';
import type { Account } from '../../access/policy/identity.ts';
import type { WalletChoice } from '../../access/policy/wallets/choice.ts';
import type { Database } from '../../platform/database/database.ts';
import type { WalletTables } from '../tables.ts';

export interface Reader extends Pick<Account, 'name' | 'role'> {
	/** The wallets that an admin gave them. */
	wallets: WalletChoice;
}

/**
 * Kinds of work with a wallet, as `assignments` names them, each with its table, the members who began it, and by which id
 * it is handed over: the second of a pair goes with the first.
 */
const WORK = {
	review: {
		table: 'transactions',
		by: sql`t.created_by`,
		item: sql`coalesce(t.follows, t.id)`
	},
	series: { table: 'batch_transfers', by: sql`t.created_by, t.confirmed_by`, item: sql`t.id` }
} as const;

/** Which rows of the table `t` are there for a reader. */
export function readableBy(
	{ name, role, wallets }: Reader,
	kind: keyof typeof WORK
): Expression<SqlBool> {
	if (role === 'admin' || wallets.every) return sql<SqlBool>`1 = 1`;
	const granted =
		wallets.daemons.length === 0
			? sql`1 = 0`
			: sql`t.daemon in (${sql.join([...wallets.daemons])})`;
	return sql<SqlBool>`(${granted} or ${name} in (${WORK[kind].by}) or exists (
		select 1 from assignments as a where a.kind = ${kind} and a.item = ${WORK[kind].item} and a.holder = ${name}))`;
}

/** Whether one of them is there for a reader. */
export async function isReadable(
	db: Database<WalletTables>,
	reader: Reader,
	kind: keyof typeof WORK,
	id: string
): Promise<boolean> {
	const { rows } = await sql`select 1 from ${sql.table(WORK[kind].table)} as t
		where t.id = ${id} and ${readableBy(reader, kind)}`.execute(db);
	return rows.length > 0;
}
