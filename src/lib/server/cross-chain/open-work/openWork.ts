/**
 * Work that was begun and not finished, and its holder. Every member with the role and the wallet may finish it;
 * the holder is the one who is expected to.
 */
import type { HandsOver, WorkItem, WorkKind } from '../../access/accounts/work.ts';
import type { Account } from '../../access/identity/identity.ts';
import { mayAccess } from '../../access/policy/permissions.ts';
import { EVERY_WALLET } from '../../access/policy/wallets/tables.ts';
import { mayUseWallet } from '../../access/policy/wallets/wallets.ts';
import type { Executor } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors/appError.ts';
import { ARRIVED } from '../migration/states.ts';
import type { CrossChainTables } from '../tables.ts';

type Begun = Omit<WorkItem, 'holder'>;
/** Reads all open work of one kind. */
type Source = (db: Executor<CrossChainTables>) => Promise<Begun[]>;

const migrations: Source = async (db) => {
	const rows = await db
		.selectFrom('migrations')
		.select(['id', 'source', 'destination', 'source_daemon', 'state', 'created_by'])
		.where('state', 'not in', [...ARRIVED, 'discarded'])
		.orderBy('created_at')
		.execute();
	return rows.map((row): Begun => ({
		kind: 'migration',
		id: row.id,
		subject: { code: 'migration', params: { source: row.source, destination: row.destination } },
		href: `/migrations/${row.id}`,
		daemon: row.source_daemon,
		by: row.created_by
	}));
};

/** Reviews that can still be sent, and transactions that are not confirmed yet. */
const reviews: Source = async (db) => {
	const rows = await db
		.selectFrom('transactions')
		.select(['id', 'kind', 'chain', 'daemon', 'created_by'])
		.where('follows', 'is', null)
		.where((where) =>
			where.or([
				where('state', 'in', ['needs-approval', 'broadcasting', 'unknown', 'broadcast']),
				where.and([where('state', '=', 'reviewed'), where('expires_at', '>', BigInt(Date.now()))])
			])
		)
		.orderBy('created_at')
		.execute();
	return rows.map((row): Begun => ({
		kind: 'review',
		id: row.id,
		subject: { code: 'transaction', params: { kind: row.kind, chain: row.chain } },
		href:
			row.kind === 'self-import-source'
				? `/chains/${encodeURIComponent(row.chain)}/self-import/${row.id}`
				: `/transactions/${row.id}`,
		daemon: row.daemon,
		by: row.created_by
	}));
};

const batchTransfers: Source = async (db) => {
	const rows = await db
		.selectFrom('batch_transfers')
		.select(['id', 'chain', 'tokenid', 'daemon', 'created_by', 'confirmed_by'])
		.where('state', 'in', ['reviewed', 'running', 'stopped'])
		.orderBy('created_at')
		.execute();
	return rows.map((row): Begun => ({
		kind: 'series',
		id: row.id,
		subject: { code: 'batch-transfer', params: { chain: row.chain } },
		href: `/chains/${encodeURIComponent(row.chain)}/token/${row.tokenid}/batch-transfer/${row.id}`,
		daemon: row.daemon,
		by: row.confirmed_by ?? row.created_by
	}));
};

const drafts: Source = async (db) => {
	const rows = await db
		.selectFrom('token_drafts')
		.select(['id', 'chain', 'name', 'created_by'])
		.orderBy('created_at')
		.execute();
	return rows.map((row): Begun => ({
		kind: 'draft',
		id: row.id,
		subject: { code: 'draft', params: { name: row.name, chain: row.chain } },
		href: `/chains/${encodeURIComponent(row.chain)}/tokens/new?draft=${row.id}`,
		daemon: null,
		by: row.created_by
	}));
};

const SOURCES: readonly Source[] = [migrations, reviews, batchTransfers, drafts];

/** Returns all open work, or that of one holder. */
async function openWork(db: Executor<CrossChainTables>, holder?: string): Promise<WorkItem[]> {
	const handed = await db.selectFrom('assignments').selectAll().execute();
	const holders = new Map(handed.map((row) => [`${row.kind} ${row.item}`, row.holder]));
	const items: WorkItem[] = [];
	for (const source of SOURCES) {
		for (const begun of await source(db)) {
			items.push({ ...begun, holder: holders.get(`${begun.kind} ${begun.id}`) ?? begun.by });
		}
	}
	return holder === undefined ? items : items.filter((item) => item.holder === holder);
}

/** Returns the holders of assigned work, by id; work that is missing is held by its creator. */
export async function holdersOf(
	db: Executor<CrossChainTables>,
	kind: WorkKind,
	ids: readonly string[]
): Promise<ReadonlyMap<string, string>> {
	if (ids.length === 0) return new Map();
	const rows = await db
		.selectFrom('assignments')
		.select(['item', 'holder'])
		.where('kind', '=', kind)
		.where('item', 'in', [...ids])
		.execute();
	return new Map(rows.map(({ item, holder }) => [item, holder]));
}

/**
 * Returns the successor's account, if it is fit to take over the work.
 * @throws {AppError} `assignment.successor-unfit`
 */
async function fit(
	trx: Executor<CrossChainTables>,
	from: string,
	accountId: string
): Promise<Account> {
	const row = await trx
		.selectFrom('accounts')
		.select(['id', 'name', 'role', 'disabled_at'])
		.where('id', '=', accountId)
		.executeTakeFirst();
	if (!row || row.name === from)
		throw new AppError('assignment.successor-unfit', { reason: 'same' });
	const { name, role } = row;
	if (row.disabled_at !== null) {
		throw new AppError('assignment.successor-unfit', { reason: 'disabled', name });
	}
	if (!mayAccess(role, 'broadcast', false)) {
		throw new AppError('assignment.successor-unfit', { reason: 'role', name, role });
	}
	return { id: row.id, name, role };
}

/**
 * Assigns all open work of one member to another.
 * @param trx the transaction in which it is also audited
 * @param from name of the account
 * @param successor id of the account
 * @throws {AppError} `assignment.successor-unfit` when the successor could not finish it
 */
async function handOver(
	trx: Executor<CrossChainTables>,
	from: string,
	successor: string
): Promise<{ to: string; items: WorkItem[] }> {
	const to = await fit(trx, from, successor);
	const items = await openWork(trx, from);
	const grants = await trx
		.selectFrom('wallet_grants')
		.select('daemon')
		.where('account_id', '=', to.id)
		.execute();
	const daemons = grants.map(({ daemon }) => daemon);
	const missing = items.find(
		({ daemon }) =>
			daemon !== null &&
			!mayUseWallet(to.role, { every: daemons.includes(EVERY_WALLET), daemons }, daemon)
	);
	if (missing) {
		throw new AppError('assignment.successor-unfit', {
			reason: 'wallet',
			name: to.name,
			daemon: missing.daemon ?? '',
			work: missing.subject
		});
	}
	for (const { kind, id } of items) {
		await trx
			.insertInto('assignments')
			.values({ kind, item: id, holder: to.name, at: Date.now() })
			.onConflict((conflict) =>
				conflict.columns(['kind', 'item']).doUpdateSet({ holder: to.name, at: Date.now() })
			)
			.execute();
	}
	return { to: to.name, items };
}

/** Functions that the accounts need. */
export const work: HandsOver = { openWork, handOver };
