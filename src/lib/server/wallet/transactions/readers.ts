/**
 * Who reads what the team built with a wallet, with its amounts and recipients: members who may use the wallet, whoever
 * began it, and in whose hands it was put. For everyone else there is none.
 */
import { sql, type Expression, type SqlBool } from 'kysely';
import type { Account } from '../../access/policy/identity.ts';
import type { WalletChoice } from '../../access/policy/wallets/choice.ts';
import { mayUseWallet } from '../../access/policy/wallets/wallets.ts';
import { chunks } from '../../platform/database/chunks.ts';
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

/** Whether a reader may use every wallet, and reads all that is built with one. */
export const readsAll = ({ role, wallets }: Reader): boolean => role === 'admin' || wallets.every;

/** Which rows of the table `t` are there for a reader. */
export function readableBy(reader: Reader, kind: keyof typeof WORK): Expression<SqlBool> {
	if (readsAll(reader)) return sql<SqlBool>`1 = 1`;
	const { name, wallets } = reader;
	const granted =
		wallets.daemons.length === 0
			? sql`1 = 0`
			: sql`t.daemon in (${sql.join([...wallets.daemons])})`;
	return sql<SqlBool>`(${granted} or ${name} in (${WORK[kind].by}) or exists (
		select 1 from assignments as a where a.kind = ${kind} and a.item = ${WORK[kind].item} and a.holder = ${name}))`;
}

/**
 * The same of a row that is read already.
 * @param members who began it, and in whose hands it is
 */
export const isReader = (
	{ name, role, wallets }: Reader,
	{ daemon, members }: { daemon: string; members: readonly (string | null)[] }
): boolean => mayUseWallet(role, wallets, daemon) || members.includes(name);

/** Which of some ids are there for a reader. */
export async function readableIds(
	db: Database<WalletTables>,
	reader: Reader,
	kind: keyof typeof WORK,
	ids: readonly string[]
): Promise<ReadonlySet<string>> {
	const found = new Set<string>();
	for (const part of chunks(ids)) {
		const { rows } = await sql<{ id: string }>`select t.id from ${sql.table(WORK[kind].table)} as t
			where t.id in (${sql.join(part)}) and ${readableBy(reader, kind)}`.execute(db);
		for (const { id } of rows) found.add(id);
	}
	return found;
}
