/**
 * Decides who may read what the team built with a wallet, including amounts and recipients: members who may use
 * the wallet, those who began the work, and the member to whom it is assigned. For all others it does not exist.
 */
import { sql, type Expression, type SqlBool } from 'kysely';
import type { Account } from '../../access/identity/identity.ts';
import type { WalletChoice } from '../../access/policy/wallets/choice.ts';
import { mayUseWallet } from '../../access/policy/wallets/wallets.ts';
import { chunks } from '../../platform/database/chunks.ts';
import type { Database } from '../../platform/database/database.ts';
import type { WalletTables } from '../tables.ts';

export interface Reader extends Pick<Account, 'name' | 'role'> {
	/** The wallets that an admin granted. */
	wallets: WalletChoice;
}

/**
 * Kinds of work with a wallet, as named in `assignments`: the table, the members who began it, and the id by
 * which it is assigned. The second transaction of a pair is assigned with the first.
 */
const WORK = {
	review: {
		table: 'transactions',
		by: sql`t.created_by`,
		item: sql`coalesce(t.follows, t.id)`
	},
	series: { table: 'batch_transfers', by: sql`t.created_by, t.confirmed_by`, item: sql`t.id` }
} as const;

/** Whether a reader may use every wallet, and so may read all work. */
export const readsAll = ({ role, wallets }: Reader): boolean => role === 'admin' || wallets.every;

/** Returns the SQL condition for rows of the table `t` that a reader may read. */
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
 * Checks the same for a row that was read already.
 * @param members who began it, and to whom it is assigned
 */
export const isReader = (
	{ name, role, wallets }: Reader,
	{ daemon, members }: { daemon: string; members: readonly (string | null)[] }
): boolean => mayUseWallet(role, wallets, daemon) || members.includes(name);

/** Returns those of the ids that a reader may read. */
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
